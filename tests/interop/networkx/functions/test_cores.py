"""Core numbers, subgraphs by core number, and trusses, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "core_number": [{}],
    "k_core": [{}, {"k": 2}],
    "k_shell": [{}],
    "k_crust": [{}],
    "k_corona": [{"k": 2}],
    "k_truss": [{"k": 3}],
}

test_same_as_networkx = agreement(CALLS)
