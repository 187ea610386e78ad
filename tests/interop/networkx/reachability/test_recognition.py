"""Tests for trees and forests, and the number of self-loops, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "is_forest": [{}],
    "is_tree": [{}],
    "is_branching": [{}],
    "is_arborescence": [{}],
    "number_of_selfloops": [{}],
}

test_same_as_networkx = agreement(CALLS)
