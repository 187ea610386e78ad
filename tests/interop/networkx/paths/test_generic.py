"""NetworkX's shortest-path functions with a `method` parameter, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "has_path": [S | T],
    "shortest_path_length": [{}, S, T, S | T, S | {"weight": "weight"}, T | {"weight": "weight"}],
    "average_shortest_path_length": [
        *({}, {"weight": "weight"}, {"method": "none"}),
        *({"method": m, "weight": "weight"} for m in ("bellman-ford", "floyd-warshall")),
    ],
    "shortest_path": [
        {},
        S,
        T,
        S | T,
        S | {"method": "none"},
    ],
    "all_shortest_paths": [
        S | T,
        S | T | {"weight": "weight"},
        S | T | {"method": "bellman-ford", "weight": "weight"},
    ],
    "single_source_all_shortest_paths": [S, S | {"weight": "weight"}],
    "all_pairs_all_shortest_paths": [{}],
}

BELLMAN_FORD = {"weight": "weight", "method": "bellman-ford"}
CALLS["shortest_path_length"] += [x | BELLMAN_FORD for x in ({}, S, T, S | T)]

test_same_as_networkx = agreement(CALLS)
