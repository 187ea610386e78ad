"""NetworkX's Bellman-Ford functions: weights of any sign, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "bellman_ford_path_length": [S | T],
    "single_source_bellman_ford_path_length": [S],
    "negative_edge_cycle": [{}],
}

test_same_as_networkx = agreement(CALLS)
