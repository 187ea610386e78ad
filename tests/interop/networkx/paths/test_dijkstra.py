"""NetworkX's Dijkstra functions: non-negative weights, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "single_source_dijkstra_path_length": [S, S | {"cutoff": 5}],
    "multi_source_dijkstra_path_length": [{"sources": ["p", "c"]}],
    "dijkstra_path_length": [S | T],
}

test_same_as_networkx = agreement(CALLS)
