"""NetworkX's unweighted shortest-path functions, compared with NetworkX."""

from __future__ import annotations

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
