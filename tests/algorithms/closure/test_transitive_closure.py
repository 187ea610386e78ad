"""Transitive closure in all its forms, against a closure by Boolean powers and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Matrix
from hypothesis import given

import graphla as gl
from graphla import Graph
from graphla.errors import DomainMismatch, InvalidValue
from tests.algorithms.components.test_strongly_connected_components import orientations
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph, to_networkx
from tests.strategies import graphs

FORMS = [
    gl.transitive_closure,
    gl.transitive_closure_squaring,
    gl.transitive_closure_linear,
    gl.transitive_closure_doubling,
    gl.transitive_closure_condensed,
    gl.transitive_closure_warshall,
]


def by_powers(G):
    """A or A^2 or ... by squaring a dense matrix."""
    R = np.zeros((G.n, G.n), np.float32)
    rows, cols, _ = G.A.to_coo()
    R[rows, cols] = 1
    while (S := np.minimum(R + R @ R, 1)).sum() > R.sum():
        R = S
    return R > 0


def check(G, forms=FORMS):
    expected = by_powers(G)
    for closure in forms:
        R = closure(G)
        assert R.dtype == "BOOL"
        assert R.shape == (G.n, G.n)
        rows, cols, values = R.to_coo()
        assert values.all()
        np.testing.assert_array_equal([rows, cols], np.nonzero(expected), closure.__name__)


test_edge_cases = on_edge_cases(check)


@pytest.mark.thorough
def test_atlas_orientations():
    for G in list(orientations())[::4]:
        check(G)


@pytest.mark.thorough
def test_all_atlas_orientations():
    for G in orientations():
        check(G)


@given(graphs())
def test_random_graphs(G):
    check(G)


@given(graphs(kind="directed"))
def test_agrees_with_networkx(G):
    # NetworkX's reflexive=None adds nothing of length 0, and loops only where they are
    H = nx.transitive_closure(to_networkx(G), reflexive=False)
    rows, cols, _ = gl.transitive_closure(G).to_coo()
    assert set(zip(rows.tolist(), cols.tolist(), strict=True)) == set(H.edges)


@pytest.mark.parametrize("degree", [0.5, 1, 1.5, 2, 8])
def test_uniform_digraphs(degree):
    check(random_graph(400, int(400 * degree), seed=7))


def test_acyclic():
    src, dst = np.sort(np.random.default_rng(1).integers(0, 300, (2, 900)), axis=0)
    keep = src != dst
    G = edges(src[keep], dst[keep], n=300)
    check(G)
    rows, cols, _ = gl.transitive_closure(G).to_coo()
    assert (rows < cols).all()


def test_loops_and_two_cycles_are_on_the_diagonal_and_nothing_else():
    G = edges([0, 1, 2, 3, 4], [0, 2, 1, 4, 5], n=6)
    for closure in FORMS:
        diagonal = closure(G).diag().to_coo()[0]
        assert diagonal.tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored_and_zeros_are_edges(dtype):
    check(random_graph(40, 60, dtype=dtype))
    zero = np.zeros(2, dtype=dtype)
    check(Graph(Matrix.from_coo([0, 1], [1, 2], zero, nrows=3, ncols=3)))


def test_the_graph_is_left_alone():
    G = random_graph(300, 600, dtype="int32")
    before = G.A.dup()
    for closure in FORMS:
        closure(G)
    assert G.A.isequal(before)


def test_all_forms_agree_where_the_result_is_large_and_sparse():
    G = random_graph(2100, 1900, seed=4)
    first = gl.transitive_closure(G)
    assert 2100 < first.nvals < 2100**2 / 8
    assert all(closure(G).isequal(first) for closure in FORMS[1:])
    check(G, FORMS[:1])


@pytest.mark.thorough
def test_a_million_vertices_with_a_small_closure():
    G = random_graph(1_000_000, 100_000)
    R = gl.transitive_closure(G)
    assert 100_000 < R.nvals < 200_000
    rows, cols, _ = R.to_coo()
    H = nx.DiGraph(zip(*(x.tolist() for x in G.A.to_coo()[:2]), strict=True))
    for v in rows[:: rows.size // 50].tolist():
        onward = {w for u in H[v] for w in (u, *nx.descendants(H, u))}
        assert set(cols[rows == v].tolist()) == onward


def check_bad_budget(closure):
    G = random_graph(5, 9)
    with pytest.raises(InvalidValue, match="max_bytes=-1"):
        closure(G, max_bytes=-1)
    with pytest.raises(DomainMismatch, match="max_bytes must be an integer, not str"):
        closure(G, max_bytes="all")


@pytest.mark.parametrize("closure", FORMS)
def test_bad_budget(closure):
    check_bad_budget(closure)
