"""Methods of a Matrix against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector
from graphla.errors import DimensionMismatch, EngineMismatch, InvalidValue
from tests.cuda.object_pairs import objects, same, shapes
from tests.cuda.operations.matrix_updates import (
    FORMS,
    flat_rows,  # noqa: F401
)
from tests.cuda.random_updates import EXAMPLES


@given(st.data())
@EXAMPLES
def test_resize(data):
    ours, theirs = data.draw(objects(data.draw(shapes())))
    ours.store(data.draw(st.sampled_from(FORMS)))
    shape = data.draw(shapes())
    ours.resize(*shape)
    theirs.resize(*shape)
    same(ours, theirs)
    assume(min(shape) > 0)
    ours[0, 0] = theirs[0, 0] = 1
    same(ours, theirs)


def test_refused():
    A = Matrix.from_dense(np.ones((2, 3)))
    with pytest.raises(InvalidValue):
        A.resize(-1, 2)
    with pytest.raises(EngineMismatch):
        A.kronecker(gb.Matrix.from_dense(np.ones((2, 2))))
    with pytest.raises(DimensionMismatch):
        Vector(float, 3) << A.reduce_rowwise()
    assert A.shape == (2, 3)
