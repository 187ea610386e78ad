"""Transitive closure, topological order, and tests for cycles, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "transitive_closure": [{}, {"reflexive": None}, {"reflexive": True}],
    "transitive_closure_dag": [{}],
    "is_directed_acyclic_graph": [{}],
    "topological_sort": [{}],
    "topological_generations": [{}],
}

test_same_as_networkx = agreement(CALLS)
