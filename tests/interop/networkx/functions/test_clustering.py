"""Triangles and clustering coefficients."""

from __future__ import annotations

import pytest

from graphla.interop.networkx.version import BEFORE_3_5
from tests.interop.networkx.agreement import agreement, draw
from tests.interop.networkx.installed import nx

CALLS = {
    "triangles": [{}, {"nodes": ["p"]}, {"nodes": "p"}],
    "clustering": [{}, {"weight": "weight"}, {"nodes": ["p", "k"]}],
    "average_clustering": [{}, {"count_zeros": False}],
    "transitivity": [{}],
    "square_clustering": [{}],
    "generalized_degree": [{}, {"nodes": ["p", "k"]}, {"nodes": "p"}],
}

test_same_as_networkx = agreement(CALLS)

NBUNCH = ["triangles", "clustering", "square_clustering", "generalized_degree"]


@pytest.mark.parametrize("bad", [99, [[1]], [0, [1]]])
@pytest.mark.parametrize("name", NBUNCH)
def test_absent_nodes_raise_the_errors_of_networkx(name, bad):
    G = nx.complete_graph(4)
    said = []
    for b in ("networkx", "graphla"):
        with pytest.raises(nx.NetworkXError) as error:
            list(getattr(nx, name)(G, bad, backend=b))
        said.append(str(error.value))
    assert BEFORE_3_5 or said[0] == said[1]


@pytest.mark.skipif(BEFORE_3_5, reason="NetworkX 3.4 has no all_triangles")
@pytest.mark.parametrize("nbunch", [None, ["p", "k"]])
def test_triangles_are_the_same_in_any_order(nbunch):
    G = draw("graph", 1)
    theirs, ours = (
        [frozenset(t) for t in nx.all_triangles(G, nbunch, backend=b)]
        for b in ("networkx", "graphla")
    )
    assert len(ours) == len(set(ours)) == len(theirs)
    assert set(ours) == set(theirs)
