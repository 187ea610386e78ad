"""Strong components in reverse topological order, against SciPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from scipy.sparse.csgraph import connected_components

import graphla as gl
from graphla.native.cpu.closure.strong_components import strong_components
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph, to_scipy
from tests.strategies import graphs


def check(G):
    indptr, indices, _ = G.csr
    component, count = strong_components(indptr, indices)
    expected, labels = connected_components(to_scipy(G), directed=True, connection="strong")
    assert count == expected
    assert len(set(zip(component.tolist(), labels.tolist(), strict=True))) == count
    source = np.repeat(np.arange(G.n), np.diff(indptr))
    assert (component[source] >= component[indices]).all()


test_edge_cases = on_edge_cases(check, kind="directed")


@given(graphs())
def test_drawn_graphs(G):
    check(G)


def test_a_search_deeper_than_pythons_stack():
    check(gl.generate.path(5000))
    check(random_graph(500, 600))
