"""Sums of rows, Kronecker products, diagonals and resizing, against python-graphblas."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector
from graphla.cuda.objects import matrix
from graphla.errors import DimensionMismatch, EngineMismatch, InvalidValue
from tests.cuda.pairs import ACCUMS, MASKS, masked, objects, same, shapes

EXAMPLES = settings(max_examples=15)
FORMS = (None, "bitmap")


@pytest.fixture(params=[0, 64], ids=["rows", "flat"], autouse=True)
def flat_rows(request, monkeypatch):
    """Matrices in compressed rows, and in the forms of a vector."""
    monkeypatch.setattr(matrix, "FLAT_ROWS", request.param)


def draw_matrix(data, most=20):
    """A matrix in some form, or a transposed one."""
    ours, theirs = data.draw(objects(data.draw(shapes(most))))
    form = data.draw(st.sampled_from(FORMS))
    if form is not None:
        ours.store(form)
    return (ours.T, theirs.T) if data.draw(st.booleans()) else (ours, theirs)


def update(data, make, A, shape, dtype):
    """Update an object by ``make(A)`` with any mask, accumulator and replace on both engines."""
    kind, m = data.draw(st.sampled_from(MASKS)), data.draw(objects(shape, "INT32"))
    accum = data.draw(st.sampled_from(ACCUMS))
    accum = None if accum is None else getattr(gb.binary, accum)
    replace = data.draw(st.booleans()) and kind != "none"
    both = data.draw(objects(shape, dtype))
    for c, mask, a in zip(both, m, A, strict=True):
        c(mask=masked(kind, mask), accum=accum, replace=replace) << make(a)
    same(*both)


@given(st.data())
@EXAMPLES
def test_sums_of_rows_and_columns(data):
    A = draw_matrix(data)
    name = data.draw(st.sampled_from(["plus", "min", "max", "lor", "times", "any"]))
    dtypes = ["BOOL"] if name == "lor" else ["INT8", "UINT64", "FP32"]
    op = getattr(gb.monoid, name)[data.draw(st.sampled_from(dtypes))]
    rowwise = data.draw(st.booleans())

    def make(a):
        return a.reduce_rowwise(op) if rowwise else a.reduce_columnwise(op)

    if name == "any":
        got, want = (make(a).new() for a in A)
        assert got.to_coo()[0].tolist() == want.to_coo()[0].tolist()
        return
    want = make(A[1]).new()
    same(make(A[0]).new(), want)
    update(data, make, A, want.shape, want.dtype.name)


@pytest.mark.parametrize("form", FORMS)
def test_long_rows(form):
    n = 2500
    dense = np.arange(3 * n).reshape(3, n) % 7
    theirs = gb.Matrix.from_dense(dense, missing_value=3)
    ours = Matrix.from_dense(dense, missing_value=3)
    ours.store(form)
    for ones, others in ((ours, theirs), (ours.T, theirs.T)):
        same(ones.reduce_rowwise("plus").new(), others.reduce_rowwise("plus").new())
        same(ones.reduce_columnwise("max").new(), others.reduce_columnwise("max").new())


@given(st.data())
@EXAMPLES
def test_kronecker(data):
    A, B = draw_matrix(data, 5), draw_matrix(data, 5)
    op = getattr(gb.binary, data.draw(st.sampled_from(["times", "plus", "first", "minus"])))
    want = A[1].kronecker(B[1], op).new()
    same(A[0].kronecker(B[0], op).new(), want)
    update(
        data,
        lambda pair: pair[0].kronecker(pair[1], op),
        tuple(zip(A, B, strict=True)),
        want.shape,
        "FP64",
    )


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
