"""Building from arrays, as SuiteSparse does it, and what is refused."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector, from_graphblas
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue
from tests.cuda.object_pairs import DTYPES, same
from tests.strategies import examples

DUP_OPS = ("plus", "first", "second", "minus", "min", "times", "any")
EXAMPLES = examples(25)


def numbers(n, low=0, high=5):
    return st.lists(st.integers(low, high), min_size=n, max_size=n)


@EXAMPLES
@given(data=st.data())
def test_vector(data):
    n = data.draw(st.integers(1, 40))
    indices, values = data.draw(numbers(n, 0, 20)), data.draw(numbers(n))
    op = getattr(gb.binary, data.draw(st.sampled_from(DUP_OPS)))
    size = data.draw(st.sampled_from((None, 21)))
    dtype = data.draw(st.sampled_from((None, "INT32", "FP32")))
    op = gb.binary.first if op is gb.binary.any else op
    args = (indices, values, dtype)
    same(*(cls.from_coo(*args, size=size, dup_op=op) for cls in (Vector, gb.Vector)))


@EXAMPLES
@given(data=st.data())
def test_matrix(data):
    n = data.draw(st.integers(1, 40))
    rows, columns, values = (data.draw(numbers(n)) for _ in range(3))
    op = getattr(gb.monoid, data.draw(st.sampled_from(("plus", "min"))))
    if data.draw(st.booleans()):
        op = data.draw(st.sampled_from((gb.binary.minus, gb.binary.second)))
    ours, theirs = (
        cls.from_coo(np.array(rows), columns, values, dup_op=op) for cls in (Matrix, gb.Matrix)
    )
    same(ours, theirs)
    assert ours.nrows == max(rows) + 1


@EXAMPLES
@given(data=st.data())
def test_one_value_for_all(data):
    n = data.draw(st.integers(1, 30))
    rows, columns = data.draw(numbers(n)), data.draw(numbers(n))
    value = data.draw(st.sampled_from((True, 3, 0.5)))
    same(*(cls.from_coo(rows, columns, value) for cls in (Matrix, gb.Matrix)))
    same(*(cls.from_coo(rows, value, size=9) for cls in (Vector, gb.Vector)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    values = np.array([1, 0, 3]).astype(gb.dtypes.lookup_dtype(dtype).np_type)
    same(*(cls.from_coo([5, 0, 2], values) for cls in (Vector, gb.Vector)))
    same(*(cls.from_coo([5, 0, 2], [1, 1, 0], values) for cls in (Matrix, gb.Matrix)))
    same(*(cls.from_coo([5, 0, 2], [1, 1, 0], [1, 0, 3], dtype) for cls in (Matrix, gb.Matrix)))


def test_an_operator_of_another_type_than_the_output():
    args = [0, 0, 1], [7, 2, 3]
    same(*(cls.from_coo(*args, dup_op=gb.binary.truediv) for cls in (Vector, gb.Vector)))


@EXAMPLES
@given(data=st.data())
def test_csr(data):
    """Columns in any order."""
    rows = data.draw(st.lists(st.lists(st.integers(0, 6), unique=True), max_size=6))
    indices = [j for row in rows for j in row]
    indptr = np.cumsum([0, *map(len, rows)])
    values = data.draw(st.one_of(numbers(len(indices)), st.just(2.5)))
    if np.ndim(values):
        values = np.array(values, np.int64)
    same(*(cls.from_csr(indptr, indices, values, ncols=7) for cls in (Matrix, gb.Matrix)))


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 1, 1, 3], [4, 0, 4]), ([0, 2], [4, 0]), ([0, 40], range(40)), ([0, 0], []), ([0], [])],
)
def test_short_rows_in_order_and_others(indptr, indices):
    arguments = np.array(indptr), np.array(indices, np.int32), 3
    same(*(cls.from_csr(*arguments, ncols=40) for cls in (Matrix, gb.Matrix)))


@pytest.mark.parametrize("flat_rows", [0, 64])
@pytest.mark.parametrize("missing", [None, 0, 1.5])
def test_dense(monkeypatch, flat_rows, missing):
    monkeypatch.setattr(matrix, "FLAT_ROWS", flat_rows)
    values = np.array([[0, 1.5, 2], [3, 0, 0]])
    same(*(cls.from_dense(values, missing) for cls in (Matrix, gb.Matrix)))
    same(*(cls.from_dense(values[0], missing) for cls in (Vector, gb.Vector)))


def test_build_fills_an_empty_object_only():
    A, a = Matrix("FP32", 3, 3), gb.Matrix("FP32", 3, 3)
    for x in (A, a):
        x.build([2, 0, 2], [1, 1, 1], [1, 2, 4], dup_op=gb.binary.plus)
    same(A, a)
    v = Vector("INT8", 3)
    v.build([2, 0], [1, 2])
    assert device.to_host(v.to_dense(fill_value=0)).tolist() == [2, 0, 1]
    with pytest.raises(InvalidValue, match="2 entries already"):
        v.build([1], [1])


def test_from_scalar_and_pairs():
    same(Vector.from_scalar(3, 4), gb.Vector.from_scalar(3, 4))
    same(Vector.from_scalar(3, 4, "FP32"), gb.Vector.from_scalar(3, 4, "FP32"))
    same(Matrix.from_scalar(True, 2, 3), gb.Matrix.from_scalar(True, 2, 3))
    same(*(cls.from_pairs([(3, 1.5), (0, 2.5)]) for cls in (Vector, gb.Vector)))
    same(*(cls.from_dict({3: 1, 0: 2}, size=7) for cls in (Vector, gb.Vector)))


@pytest.mark.parametrize(
    ("rows", "columns", "values", "error", "words"),
    [
        ([0, 1], [0], [1, 2], DimensionMismatch, "2 rows, 1 columns, 2 values"),
        ([0, 1], [0, 1], [1], DimensionMismatch, "1 values"),
        ([0, 9], [0, 1], 1, InvalidIndex, r"rows\[1\] is 9, not in 0..3"),
        ([0, 1], [-2, 1], 1, InvalidIndex, r"columns\[0\] is -2"),
        (np.array([0, 200], "u1"), [0, 1], 1, InvalidIndex, r"rows\[1\] is 200"),
        ([0.5], [0], 1, DomainMismatch, "rows must be integers"),
        ([0], [0], [1j], DomainMismatch, "complex"),
        ([0], [0], ["a"], DomainMismatch, "must be real numbers"),
        ([1, 0, 1], [2, 0, 2], [1, 2, 3], InvalidValue, r"\(1, 2\) occurs twice"),
    ],
)
def test_refusals(rows, columns, values, error, words):
    with pytest.raises(error, match=words):
        Matrix.from_coo(rows, columns, values, nrows=4, ncols=4)


def test_more_refusals():
    with pytest.raises(InvalidValue, match="give size"):
        Vector.from_coo([], [])
    with pytest.raises(InvalidValue, match="scalar"):
        Vector.from_coo([0], 1, dup_op="plus")
    with pytest.raises(DomainMismatch, match="returns BOOL"):
        Vector.from_coo([0, 0], [1, 2], dup_op="eq")
    with pytest.raises(DomainMismatch, match="positions"):
        Vector.from_coo([0, 0], [1, 2], dup_op=gb.binary.ss.firsti)
    with pytest.raises(InvalidValue, match="index 3 occurs twice"):
        Vector.from_coo([3, 1, 3], [1, 2, 3])
    with pytest.raises(InvalidValue, match="ascend from 0 to 2"):
        Matrix.from_csr([0, 2, 1], [0, 1], [1, 2])
    with pytest.raises(InvalidValue, match="row 1 has column 4 twice"):
        Matrix.from_csr([0, 1, 4], [0, 4, 1, 4], 1)
    with pytest.raises(InvalidIndex, match=r"indices\[1\] is 3"):
        Matrix.from_csr([0, 2], [0, 3], 1, ncols=3)
    for indptr in ([0, 2, 1, 3], [1, 3], [0, 2], [0, 4], [-1, 3]):
        with pytest.raises(InvalidValue, match="indptr must ascend"):
            Matrix.from_csr(indptr, [0, 1, 2], 1, ncols=3)
    with pytest.raises(InvalidIndex, match=r"indices\[0\] is -1"):
        Matrix.from_csr([0, 2], [-1, 2], 1, ncols=3)
    with pytest.raises(DimensionMismatch, match="2 dimensions"):
        Matrix.from_dense([1, 2])


@pytest.mark.parametrize("rows", [2, 70])
@pytest.mark.parametrize("dtype", ["INT64", "UINT8", "BOOL"])
def test_a_table_of_another_type_is_cast_as_on_the_other_engine(dtype, rows):
    A = gb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1e20, np.nan, -3.7], nrows=rows, ncols=2)
    found = from_graphblas(A).to_dense(fill_value=0, dtype=dtype)
    assert device.to_host(found).tolist() == A.to_dense(fill_value=0, dtype=dtype).tolist()
