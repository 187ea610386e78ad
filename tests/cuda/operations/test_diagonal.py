"""Diagonals of matrices, and matrices with a given diagonal, against python-graphblas."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from graphla.cuda import Matrix
from tests.cuda.object_pairs import objects, same, shapes
from tests.cuda.operations.matrix_updates import (
    FORMS,
    flat_rows,  # noqa: F401
)
from tests.cuda.random_updates import EXAMPLES


@given(st.data())
@EXAMPLES
def test_a_matrix_with_a_given_diagonal(data):
    ours, theirs = data.draw(objects((data.draw(st.integers(0, 20)),)))
    ours.store(data.draw(st.sampled_from([None, "bitmap"])))
    k = data.draw(st.integers(-5, 5))
    same(ours.diag(k), theirs.diag(k))
    same(ours.diag(k, dtype=float), theirs.diag(k).dup(float))


@given(st.data())
@EXAMPLES
def test_the_diagonal_of_a_matrix(data):
    ours, theirs = data.draw(objects(data.draw(shapes())))
    ours.store(data.draw(st.sampled_from(FORMS)))
    k = data.draw(st.integers(-25, 25))
    assume(-ours.nrows < k < ours.ncols or k == 0)
    same(ours.diag(k), theirs.diag(k))


def test_a_diagonal_outside_of_the_matrix_is_empty():
    A = Matrix.from_dense(np.ones((2, 3)))
    assert A.diag(3).shape == (0,)
    assert A.diag(-7).nvals == 0
