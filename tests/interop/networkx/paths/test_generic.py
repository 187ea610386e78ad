"""NetworkX's shortest-path functions with a `method` parameter, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import S, T, agreement

CALLS = {
    "has_path": [S | T],
    "shortest_path_length": [{}, S, T, S | T, S | {"weight": "weight"}, T | {"weight": "weight"}],
    "average_shortest_path_length": [{}],
}

test_same_as_networkx = agreement(CALLS)
