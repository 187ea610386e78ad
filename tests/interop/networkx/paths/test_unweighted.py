"""NetworkX's unweighted shortest-path functions, compared with NetworkX."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "single_source_shortest_path_length": [S, S | {"cutoff": 1}],
    "single_target_shortest_path_length": [T],
    "single_source_shortest_path": [S, S | {"cutoff": 2}],
    "all_pairs_shortest_path_length": [{}, {"cutoff": 2}],
    "predecessor": [S, S | T, S | {"cutoff": 2}, S | {"return_seen": True}],
    "bidirectional_shortest_path": [S | T],
    "single_target_shortest_path": [T],
    "all_pairs_shortest_path": [{}],
}

test_same_as_networkx = agreement(CALLS)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_paths_between_two_nodes_are_those_of_networkx(kind):
    """Also where several shortest paths exist, and in parts that are not connected."""
    G = kind(nx.gnm_random_graph(40, 60, seed=5, directed=kind().is_directed()))
    G.add_edges_from([(v, (7 * v) % 40) for v in range(0, 40, 3)])
    outcomes = set()
    for u, v in product(range(0, 40, 2), repeat=2):
        expected = nx.bidirectional_shortest_path(G, u, v) if nx.has_path(G, u, v) else None
        assert nx.has_path(G, u, v, backend="graphla") == (expected is not None)
        if expected is None:
            with pytest.raises(nx.NetworkXNoPath):
                nx.shortest_path(G, u, v, backend="graphla")
        else:
            assert nx.shortest_path(G, u, v, backend="graphla") == expected
            assert nx.shortest_path_length(G, u, v, backend="graphla") == len(expected) - 1
        outcomes.add(expected and len(expected))
    assert {None, 1, 2, 3} <= outcomes
