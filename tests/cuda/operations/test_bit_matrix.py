"""Matrices of bits against python-graphblas: every operation gives what it gives on other forms."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, from_graphblas, to_graphblas
from graphla.cuda.operations import bit_matrix
from graphla.cuda.storage.bit_matrix import BitMatrix
from tests.cuda.bit_matrices import EDGES, is_bits, make
from tests.cuda.object_pairs import MASKS, masked, same
from tests.cuda.random_updates import EXAMPLES

ANY_PAIR = gb.semiring.any_pair["BOOL"]
LOR_LAND = gb.semiring.lor_land["BOOL"]
ACCUMS = (None, "any", "lor", "second", "lxor")


def write(pairs, formula, mask=None, M=None, accum=None, replace=False):
    """C<M, accum, replace> = formula on both engines."""
    accum = accum and getattr(gb.binary, accum)
    for side in (0, 1):
        C, *operands = (pair[side] for pair in pairs)
        where = masked(mask or "none", M[side]) if M else None
        C(mask=where, accum=accum, replace=replace and where is not None) << formula(*operands)


@pytest.mark.thorough
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
