"""Weighted paths between all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.interop.networkx.agreement import agreement, weighted
from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.installed import nx

CALLS = {
    "all_pairs_dijkstra_path_length": [{}, {"cutoff": 6}],
    "all_pairs_bellman_ford_path_length": [{}],
    "floyd_warshall": [{}],
    "all_pairs_dijkstra": [{}, {"cutoff": 6}],
    "all_pairs_dijkstra_path": [{}],
    "johnson": [{}],
}

test_same_as_networkx = agreement(CALLS)


@pytest.mark.parametrize("least", [-1, 0, 1])
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_all_paths_are_shortest(kind, least):
    G = nx.gnm_random_graph(70, 150, seed=3, directed=True)
    for k, (u, v) in enumerate(G.edges):
        h = 37 * k % 11  # heights make cycles of weight >= 0 of weights below 0
        G[u][v]["weight"] = max(least, 0) + h % 4 + (u - v if least < 0 else 0)
    G = kind(G)
    lengths = dict(nx.all_pairs_bellman_ford_path_length(G))
    found = dict(nx.all_pairs_bellman_ford_path(G, backend="graphla"))
    assert found.keys() == lengths.keys()
    for u, paths in found.items():
        assert paths.keys() == lengths[u].keys()
        for v, path in paths.items():
            assert (path[0], path[-1]) == (u, v)
            assert nx.path_weight(G, path, "weight") == lengths[u][v]


@pytest.mark.parametrize("name", ["all_pairs_dijkstra", "all_pairs_bellman_ford_path_length"])
def test_generator_functions_refuse_in_the_call(name):
    G = nx.path_graph(3)
    G.add_edge(0, 1, weight=float("nan"))
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(G, backend="graphla")


@pytest.mark.parametrize("kind", KINDS)
def test_predecessors_of_floyd_and_warshall(kind):
    G = weighted(kind, 0)
    predecessor, distance = nx.floyd_warshall_predecessor_and_distance(G, backend="graphla")
    assert distance == nx.floyd_warshall(G, backend="networkx")
    for u, row in predecessor.items():
        assert row.keys() <= {v for v, d in distance[u].items() if d < math.inf}
        for v, before in row.items():
            last = nx.path_weight(G, [before, v], "weight")
            assert distance[u][before] + last == distance[u][v]
        assert row.keys() >= {v for v, d in distance[u].items() if 0 < d < math.inf}


def test_matrix_of_distances():
    G = weighted("digraph", 1)
    theirs, ours = (nx.floyd_warshall_numpy(G, backend=b) for b in ("networkx", "graphla"))
    assert np.array_equal(ours, theirs)
