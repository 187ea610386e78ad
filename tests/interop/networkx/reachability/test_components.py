"""Connected components, condensation, and isolated nodes, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "connected_components": [{}],
    "number_connected_components": [{}],
    "is_connected": [{}],
    "node_connected_component": [{"n": "p"}],
    "weakly_connected_components": [{}],
    "number_weakly_connected_components": [{}],
    "number_strongly_connected_components": [{}],
    "is_strongly_connected": [{}],
    "isolates": [{}],
    "number_of_isolates": [{}],
    "is_isolate": [{"n": "a"}],
}

test_same_as_networkx = agreement(CALLS)
