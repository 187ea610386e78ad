"""Communities by Louvain's method."""

from __future__ import annotations

import itertools

import pytest

import graphla as gl
from tests.interop.networkx.agreement import draw
from tests.interop.networkx.answers import KINDS
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


@pytest.mark.parametrize("kind", KINDS)
def test_modularity(kind):
    G = draw(kind, 1)
    nodes = list(G)
    for communities in ([nodes], [nodes[:5], nodes[5:]], [[v] for v in nodes]):
        theirs, ours = (
            nx.community.modularity(G, communities, resolution=0.7, backend=b)
            for b in ("networkx", "graphla")
        )
        assert ours == pytest.approx(theirs)
    for bad in ([nodes[:5]], [nodes, nodes], [[*nodes[1:], "nowhere"]]):
        with pytest.raises(nx.community.quality.NotAPartition):
            nx.community.modularity(G, bad, backend="graphla")


def test_modularity_of_no_edges():
    G = nx.empty_graph(3)
    with pytest.raises(ZeroDivisionError):
        nx.community.modularity(G, [[0, 1, 2]], backend="graphla")


def test_labels_that_spread_make_a_partition_of_connected_parts():
    G = nx.karate_club_graph()
    found = list(nx.community.label_propagation_communities(G, backend="graphla"))
    assert sorted(v for part in found for v in part) == sorted(G)
    assert 1 < len(found) < 10
    assert all(nx.is_connected(G.subgraph(part)) for part in found)


def test_levels_must_be_positive():
    with pytest.raises(ValueError, match="max_level"):
        nx.community.louvain_communities(nx.path_graph(3), max_level=0, backend="graphla")


def test_the_native_kernel_propagates_labels(monkeypatch):
    G, ran, native = nx.karate_club_graph(), [], gl.native.label_propagation
    monkeypatch.setattr(gl.native, "label_propagation", lambda H: ran.append(H) or native(H))
    found = []
    for kernels in ("algebra", "auto", "native"):
        with nx.config.backends.graphla(kernels=kernels):
            found.append(list(nx.community.label_propagation_communities(G, backend="graphla")))
    assert len(ran) == 2
    assert found[0] == found[1] == found[2]
