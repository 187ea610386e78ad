"""Communities by Louvain's method."""

from __future__ import annotations

import itertools

import pytest

from tests.interop.networkx.installed import nx


@pytest.mark.parametrize(("threshold", "least"), [(0, 1), (1e-7, -1)])
def test_refused_communities_are_computed_by_networkx(threshold, least):
    G = nx.gnm_random_graph(400, 20_000, seed=1)
    G.add_edge(0, 1, weight=least)
    theirs = nx.community.louvain_communities(G, threshold=threshold, seed=1)
    with nx.config.backend_priority(algos=["graphla"]):
        assert nx.community.louvain_communities(G, threshold=threshold, seed=1) == theirs
        assert list(nx.community.louvain_partitions(G, threshold=threshold, seed=1))[-1] == theirs
    with pytest.raises(NotImplementedError):
        nx.community.louvain_partitions(G, threshold=threshold, backend="graphla")


def test_louvain_partitions_are_distinct():
    found = list(nx.community.louvain_partitions(nx.karate_club_graph(), backend="graphla"))
    assert all(len(a) > len(b) for a, b in itertools.pairwise(found))
    alone = nx.empty_graph(3)
    alone.add_edges_from([(0, 0), (1, 1)])
    assert list(nx.community.louvain_partitions(alone, backend="graphla")) == [[{0}, {1}, {2}]]
