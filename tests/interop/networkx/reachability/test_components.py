"""Connected components, condensation, and isolated nodes, compared with NetworkX."""

from __future__ import annotations

import pytest

from tests.interop.networkx.agreement import agreement, draw
from tests.interop.networkx.installed import nx

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
    "is_weakly_connected": [{}],
}

test_same_as_networkx = agreement(CALLS)


@pytest.mark.parametrize("kind", ["digraph", "multidi"])
def test_strong_components_are_the_same_in_any_order(kind):
    G = draw(kind, 1)
    theirs = {frozenset(c) for c in nx.strongly_connected_components(G, backend="networkx")}
    for function in (nx.strongly_connected_components, nx.kosaraju_strongly_connected_components):
        ours = list(map(frozenset, function(G, backend="graphla")))
        assert len(ours) == len(theirs)
        assert set(ours) == theirs


@pytest.mark.parametrize("kind", ["digraph", "multidi"])
def test_condensation_has_the_same_members_and_edges(kind):
    G = draw(kind, 1)
    found = []
    for b in ("networkx", "graphla"):
        C = nx.condensation(G, backend=b)
        members = {c: frozenset(x) for c, x in C.nodes(data="members")}
        assert all(v in members[c] for v, c in C.graph["mapping"].items())
        found.append((set(members.values()), {(members[a], members[b]) for a, b in C.edges}))
    assert found[0] == found[1]
