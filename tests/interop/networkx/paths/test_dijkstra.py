"""NetworkX's Dijkstra functions: non-negative weights, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "single_source_dijkstra_path_length": [S, S | {"cutoff": 5}],
    "multi_source_dijkstra_path_length": [{"sources": ["p", "c"]}],
    "dijkstra_path_length": [S | T],
    "dijkstra_path": [S | T],
    "single_source_dijkstra": [S, S | T, S | {"cutoff": 5}],
    "single_source_dijkstra_path": [S],
    "bidirectional_dijkstra": [S | T],
    "multi_source_dijkstra": [{"sources": ["p", "c"]}, {"sources": ["p", "c"], "target": "k"}],
    "multi_source_dijkstra_path": [{"sources": ["p", "c"]}],
    "dijkstra_predecessor_and_distance": [S, S | {"cutoff": 5}],
}

test_same_as_networkx = agreement(CALLS)
