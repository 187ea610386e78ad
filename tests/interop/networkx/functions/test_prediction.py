"""Scores of pairs of nodes."""

from __future__ import annotations

import pytest

from graphla.interop.networkx.convert import from_networkx
from tests.interop.networkx.agreement import PAIRS, agreement
from tests.interop.networkx.installed import nx

CALLS = {
    "cn_soundarajan_hopcroft": [PAIRS],
    "ra_index_soundarajan_hopcroft": [PAIRS],
    "within_inter_cluster": [PAIRS, PAIRS | {"delta": 0.5}],
    "jaccard_coefficient": [{}, PAIRS],
    "adamic_adar_index": [PAIRS],
    "resource_allocation_index": [{}, PAIRS],
    "preferential_attachment": [PAIRS],
    "common_neighbor_centrality": [PAIRS, {}, {"alpha": 0.3}, {"alpha": 1}],
}

test_same_as_networkx = agreement(CALLS)


def both(name, G, *args, **arguments):
    return [getattr(nx, name)(G, *args, **arguments, backend=b) for b in ("networkx", "graphla")]


def communities():
    G = nx.gnm_random_graph(12, 26, seed=1)
    nx.set_node_attributes(G, {v: v % 2 for v in G}, "community")
    return G


COMMUNITY = ["cn_soundarajan_hopcroft", "ra_index_soundarajan_hopcroft", "within_inter_cluster"]


@pytest.mark.parametrize("name", [*COMMUNITY, "jaccard_coefficient", "common_neighbor_centrality"])
def test_empty_list_of_pairs(name):
    assert list(getattr(nx, name)(communities(), [], backend="graphla")) == []


@pytest.mark.parametrize("name", COMMUNITY)
def test_default_pairs_are_those_without_an_edge(name):
    theirs, ours = (
        {frozenset(pair): score for *pair, score in found} for found in both(name, communities())
    )
    assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("name", COMMUNITY)
def test_none_is_a_community(name):
    G = communities()
    nx.set_node_attributes(G, {v: None for v in G if v % 2}, "community")
    pairs = [(u, v) for u in G for v in G]
    theirs, ours = map(list, both(name, G, pairs))
    assert [x for *_, x in ours] == pytest.approx([x for *_, x in theirs])


@pytest.mark.parametrize("name", COMMUNITY)
def test_communities_of_a_graph_converted_by_hand(name):
    G = communities()
    theirs = list(getattr(nx, name)(G, [(0, 5)], backend="networkx"))
    assert list(getattr(nx, name)(from_networkx(G, nodes_too=True), [(0, 5)])) == theirs
    with pytest.raises(nx.NetworkXAlgorithmError):
        list(getattr(nx, name)(from_networkx(G), [(0, 5)]))


@pytest.mark.parametrize("name", ["cn_soundarajan_hopcroft", "within_inter_cluster"])
def test_self_loops_are_not_common_neighbours(name):
    G = communities()
    G.add_edges_from((v, v) for v in range(6))
    theirs, ours = map(list, both(name, G, [(u, v) for u in G for v in G]))
    assert ours == theirs
