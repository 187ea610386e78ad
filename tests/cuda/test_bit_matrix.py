"""Matrices of bits against python-graphblas: every operation gives what it gives on other forms."""

from __future__ import annotations

import pickle

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, from_graphblas, to_graphblas
from graphla.cuda.operations import bit_matrix
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.errors import InvalidIndex, InvalidValue
from tests.cuda.pairs import MASKS, masked, same
from tests.cuda.random_updates import EXAMPLES

EDGES = (0, 1, 31, 32, 33, 64, 65, 127, 128, 129)
ANY_PAIR = gb.semiring.any_pair["BOOL"]
LOR_LAND = gb.semiring.lor_land["BOOL"]
ACCUMS = (None, "any", "lor", "second", "lxor")


def make(seed, shape, density=0.1, form="bits"):
    """Return a Boolean matrix of Trues on both engines, ours in a form."""
    there = np.random.default_rng(seed).random(shape) < density
    rows, columns = np.nonzero(there)
    args = (rows, columns, True, "BOOL")
    n, m = shape
    ours = Matrix.from_coo(*args, nrows=n, ncols=m)
    ours.store(form)
    return ours, gb.Matrix.from_coo(*args, nrows=n, ncols=m)


def is_bits(A):
    """Check that a matrix is bits, and that what fills its rows is zero."""
    assert isinstance(A._store, BitMatrix)
    words = device.to_host(A._store.words_by_row)
    there = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    assert not there[:, A.ncols :].any()
    return True


def write(pairs, formula, mask=None, M=None, accum=None, replace=False):
    """C<M, accum, replace> = formula on both engines."""
    accum = accum and getattr(gb.binary, accum)
    for side in (0, 1):
        C, *operands = (pair[side] for pair in pairs)
        where = masked(mask or "none", M[side]) if M else None
        C(mask=where, accum=accum, replace=replace and where is not None) << formula(*operands)


@pytest.mark.parametrize("n", EDGES)
@pytest.mark.parametrize("m", [0, 1, 33, 128, 129])
def test_there_and_back(n, m):
    for density in (0.0, 0.2, 1.0):
        A, expected = make(n, (n, m), density)
        assert is_bits(A)
        same(A, expected)
        same(A.T.new(), expected.T.new())
        assert A.isequal(from_graphblas(expected))
        assert from_graphblas(expected).isequal(A)
        turned = A._store.transposed()
        assert turned.nvals == A.nvals
        same(Matrix._of(turned, A.dtype, m, n), expected.T.new())
        A.store("sparse")
        assert A._store.form == "rows"
        same(A, expected)


@pytest.mark.parametrize("shape", [(70, 40), (33, 129)])
@pytest.mark.parametrize("accum", ACCUMS)
@pytest.mark.parametrize("mask", MASKS)
def test_updates(mask, accum, shape):
    """Of each kind of word, with masks and old entries in bits and in rows; aliased too."""
    formulas = [
        (1, lambda x: x),
        (2, lambda x, y: x.ewise_add(y, gb.binary.any)),
        (2, lambda x, y: x.ewise_mult(y, gb.binary.land)),
        (2, lambda x, y: x.ewise_add(y, gb.binary.lxor)),
        (1, lambda x: x.select("tril")),
        (0, lambda: True),
        (0, lambda: False),
    ]
    for k, (count, formula) in enumerate(formulas):
        for replace in (False, True):
            for other in ("bits", None):
                C = make(1, shape, 0.3)
                operands = [make(2 + k + t, shape, 0.4, other) for t in range(count)]
                M = make(9, shape, 0.5, other)
                write([C, *operands], formula, mask, M, accum, replace)
                same(*C)
                write([C, *[C] * count], formula, mask, C, accum, replace)
                same(*C)
                if isinstance(C[0]._store, BitMatrix):
                    assert is_bits(C[0])


@pytest.mark.parametrize("sparse", [1, 10**6], ids=["by rows", "by columns"])
@pytest.mark.parametrize("op", [ANY_PAIR, LOR_LAND], ids=["any_pair", "lor_land"])
@pytest.mark.parametrize("mask", MASKS)
def test_products(monkeypatch, mask, op, sparse):
    monkeypatch.setattr(bit_matrix, "SPARSE", sparse)
    n, k, m = 70, 40, 130
    for accum in (None, "any", "lxor"):
        for left, right in (("bits", "bits"), (None, "bits"), ("bits", None)):
            for replace in (False, True):
                A, B = make(1, (n, k), 0.1, left), make(2, (k, m), 0.1, right)
                C, M = make(3, (n, m), 0.1), make(4, (n, m), 0.4, left)
                write([C, A, B], lambda A, B: A.mxm(B, op), mask, M, accum, replace)
                same(*C)
                assert accum == "lxor" or is_bits(C[0])


@pytest.mark.parametrize("sparse", [1, 10**6], ids=["by rows", "by columns"])
@pytest.mark.parametrize("n", EDGES)
def test_a_square_into_itself(monkeypatch, n, sparse):
    monkeypatch.setattr(bit_matrix, "SPARSE", sparse)
    R = make(n, (n, n), 0.1)
    for mask in ("none", "~S"):
        write([R, R, R], lambda A, B: A.mxm(B, ANY_PAIR), mask, R, "any")
        same(*R)
        assert is_bits(R[0])


def test_products_that_are_not_of_bits():
    A, B = make(1, (30, 30), 0.2), make(2, (30, 30), 0.2)
    for op in (gb.semiring.plus_pair["INT64"], gb.semiring.lxor_land["BOOL"]):
        same(*(x.mxm(y, op).new() for x, y in zip(A, B, strict=True)))
    false = Matrix.from_coo([0, 1], [1, 2], [True, False], nrows=30, ncols=30)
    same(false.mxm(A[0], LOR_LAND).new(), to_graphblas(false).mxm(A[1], LOR_LAND).new())
    v = gb.Vector.from_coo([3, 4], [True, True], size=30)
    for op in (ANY_PAIR, LOR_LAND):
        same(A[0].mxv(from_graphblas(v), op).new(), A[1].mxv(v, op).new())
        same(A[0].T.mxm(B[0], op).new(), A[1].T.mxm(B[1], op).new())
        same(A[0].mxm(B[0].T, op).new(), A[1].mxm(B[1].T, op).new())


def test_transposed_views():
    A, B, M = (make(k, (70, 70), 0.2) for k in (1, 2, 3))
    for formula in (
        lambda x, y: x.T,
        lambda x, y: x.T.ewise_add(y.T, gb.binary.lor),
        lambda x, y: x.T.mxm(y.T, ANY_PAIR),
    ):
        for accum in (None, "any"):
            C = make(4, (70, 70), 0.1)
            write([C, A, B], formula, "~S", M, accum)
            same(*C)
            assert is_bits(C[0])
    assert A[0]._store.to_csr() is A[0]._store.to_csr()
    assert A[0].T._csr() is A[0].T._csr()


def test_false_values_leave_the_form_and_come_back():
    A, expected = make(1, (40, 40), 0.2)
    for x in (A, expected):
        x[3, 4] = False
    assert A._store.form == "rows"
    same(A, expected)
    del A[3, 4], expected[3, 4]
    assert is_bits(A)
    same(A, expected)


REGIONS = [
    (slice(None), slice(None)),
    (slice(2, 60, 3), slice(None)),
    (slice(None), slice(40, 1, -2)),
    ([5, 3, 5], [1, 129, 0, 1]),
    (np.array([], int), [1, 2]),
    (7, slice(None)),
    (slice(None), 33),
    (4, [3, 2, 128]),
]


@pytest.mark.parametrize("form", ["bits", None])
@pytest.mark.parametrize("where", REGIONS, ids=str)
def test_regions(where, form):
    A = make(1, (70, 130), 0.3)
    same(*(x[where].new() for x in A))
    if not any(isinstance(key, int) or (type(key) is list and key[0] == 5) for key in where):
        value = [x[where].new() for x in make(2, (70, 130), 0.5, form)]
        for x, y in zip(A, value, strict=True):
            x[where] << y
        same(*A)
        for x, y in zip(A, value, strict=True):
            x[where](accum=gb.binary.any) << y
            x[where] << True
        same(*A)


def test_elements():
    A, expected = make(1, (70, 130), 0.5)
    for i in range(0, 70, 13):
        for j in range(0, 130, 31):
            assert A[i, j].new().value == expected[i, j].new().value
            assert A.get(i, j) is expected.get(i, j)
    for x in (A, expected):
        x[69, 129] = True
        del x[0, :]
    same(A, expected)


def test_what_else_a_matrix_does():
    A, expected = make(1, (70, 70), 0.3)
    for x in (A, expected):
        x.dup().clear()
    same(A, expected)
    same(A.dup("INT8"), expected.dup("INT8"))
    same(A.diag(3), expected.diag(3))
    same(A.reduce_rowwise("lor").new(), expected.reduce_rowwise("lor").new())
    assert A.reduce_scalar("land").new().value is True
    assert to_graphblas(A).isequal(expected, check_dtype=True)
    same(pickle.loads(pickle.dumps(A)), expected)
    np.testing.assert_array_equal(
        device.to_host(A.to_dense(fill_value=False)), expected.to_dense(fill_value=False)
    )
    for x in (A, expected):
        x.resize(40, 129)
    assert is_bits(A)
    same(A, expected)
    A.clear()
    assert A.nvals == 0
    assert A.isequal(Matrix(bool, 40, 129))
    assert repr(A) == "<Matrix: BOOL, 40 x 129, 0 entries, cuda>"


def test_isequal():
    A, B = make(1, (70, 130), 0.3)[0], make(1, (70, 130), 0.3, None)[0]
    assert A.isequal(B)
    assert B.isequal(A.dup())
    B[69, 129] = False
    assert not A.isequal(B)
    assert not B.isequal(A)
    C = A.dup()
    C[0, 0] << (not A.get(0, 0, False) or None)
    C.store("bits")
    assert is_bits(C)
    assert not A.isequal(C)


@pytest.mark.parametrize("form", ["bits", "sparse", "bitmap"])
def test_some_rows(form):
    A, expected = make(1, (70, 130), 0.1, form)
    rows, columns, values = (device.to_host(x) for x in A.to_coo(rows=[60, 2, 3]))
    wanted = [(i, j) for i in (60, 2, 3) for j in expected[i, :].new().to_coo()[0]]
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == wanted
    assert values.all()
    assert values.size == len(wanted)
    assert A.to_coo(rows=np.array([], int))[1].size == 0
    assert A.to_coo(rows=False)[0] is None
    with pytest.raises(InvalidIndex, match="index 70 is out of range of a dimension of 70"):
        A.to_coo(rows=[70])


@given(data=st.data())
@EXAMPLES
def test_few_rows_and_many_columns(data):
    """A form of its own where other matrices are flat."""
    shape = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 300))
    A = make(data.draw(st.integers(0, 99)), shape, data.draw(st.sampled_from([0.1, 0.9])))
    form = data.draw(st.sampled_from([None, "bitmap"]))
    B = make(data.draw(st.integers(0, 99)), shape, 0.5, form)
    mask = data.draw(st.sampled_from(MASKS))
    write([B, A], lambda x: x, mask, A, "lor")
    same(*B)
    write([A, B], lambda x: x, mask, B, None, True)
    same(*A)


def test_refusals():
    with pytest.raises(InvalidValue, match="'full', 'bits'"):
        Matrix(bool, 3, 3).store("words")
    A = Matrix("FP64", 3, 3)
    A.store("bits")  # a hint that other types cannot follow
    A[0, 0] = 2.5
    assert A.get(0, 0) == 2.5
