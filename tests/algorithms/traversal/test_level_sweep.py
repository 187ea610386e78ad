"""The sweep over levels: what is reached, and the smallest that is reached."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import Matrix, Vector, binary, semiring
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms.traversal.level_sweep import count_levels, sweep
from graphla.execution.hints import set_storage_hint
from tests.graphs import edges
from tests.strategies import graphs


def acyclic(G):
    """The graph with its edges turned towards smaller vertices, and its self-loops."""
    src, dst, _ = G.A.to_coo()
    return edges(np.maximum(src, dst), np.minimum(src, dst), n=G.n)


def heights(G):
    height = np.zeros(G.n, int)
    src, dst, _ = G.A.to_coo()  # sorted by source, which comes after all that it reaches
    for u, v in zip(src, dst, strict=True):
        height[u] = max(height[u], height[v] + 1) if u != v else height[u]
    return Vector.from_dense(height)


def reach(G):
    R = np.zeros((G.n, G.n), bool)
    src, dst, _ = G.A.to_coo()
    for u, v in zip(src, dst, strict=True):
        R[u] |= R[v] | (np.arange(G.n) == v)
    return R


@pytest.mark.parametrize("form", ["sparse", "bitmap"])
@given(G=graphs(kind="directed"), band=st.integers(1, 13))
def test_any_pair_gathers_what_is_reached(form, G, band):
    G = acyclic(G)
    R = G.A.dup()
    set_storage_hint(R, form=form)
    assert sweep(G.A, heights(G), R, semiring.any_pair[bool], binary.any, band) is R
    np.testing.assert_array_equal(R.to_dense(fill_value=False), reach(G))


@given(G=graphs(kind="directed"), band=st.integers(1, 13), seed=st.integers(0, 99))
def test_min_second_gathers_the_smallest_value_reached(G, band, seed):
    G = acyclic(G)
    values = np.random.default_rng(seed).random((G.n, 3))
    X = sweep(G.A, heights(G), Matrix.from_dense(values), semiring.min_second, binary.min, band)
    reached = reach(G) | np.eye(G.n, dtype=bool)
    expected = [values[reached[v]].min(axis=0) for v in range(G.n)]
    np.testing.assert_array_equal(X.to_dense(), expected)


def test_number_of_levels():
    assert count_levels(Vector.from_dense(np.array([0, 3, 1]))) == 4
    assert count_levels(Vector(int, 0)) == 0
