"""Condensation against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
from graphblas import Matrix
from hypothesis import given

from graphla.algorithms.components.condensation import condense
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph, to_networkx
from tests.strategies import graphs


def check(G):
    component, size, A = condensed = condense(G)
    H = to_networkx(G).to_directed()
    parts = sorted(nx.strongly_connected_components(H), key=min)
    number = component.to_dense() if G.n else []
    for c, part in enumerate(parts):
        assert set(np.flatnonzero(number == c)) == part
    assert size.to_dense().tolist() == [len(part) for part in parts]
    expected = {(number[u], number[v]) for u, v in H.edges}
    assert set(zip(*(x.tolist() for x in A.to_coo()[:2]), strict=True)) == expected
    assert A.dtype == "BOOL"
    levels = [level.to_coo()[0].tolist() for level in condensed.iterate_levels()]
    assert sorted(c for level in levels for c in level) == list(range(len(parts)))
    height = {c: h for h, level in enumerate(levels) for c in level}
    assert all(height[c] > height[d] for c, d in expected if c != d)
    return condensed


test_edge_cases = on_edge_cases(check, kind="directed")


@given(graphs())
def test_random_graphs(G):
    check(G)


def test_expand_gives_every_vertex_the_row_and_column_of_its_component():
    G = random_graph(50, 70, seed=3)
    condensed = check(G)
    c = condensed.size.size
    assert 1 < c < 50
    dense = np.random.default_rng(0).random((c, c)) < 0.5
    R = Matrix.from_coo(*np.nonzero(dense), True, nrows=c, ncols=c)
    number = condensed.component.to_dense()
    expanded = condensed.expand(R).to_dense(fill_value=False)
    np.testing.assert_array_equal(expanded, dense[number][:, number])
