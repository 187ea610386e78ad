"""Input arrays: what is accepted unchanged, and what is refused, with names and positions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import threads
from graphla.core.input_arrays import (
    MAX_VERTICES,
    array,
    column,
    copied,
    increases_within_rows,
    is_within,
    largest,
    real,
    size,
    top_vertex,
)
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue
from tests.strategies import examples


def test_arrays_are_not_copied():
    x = np.arange(3.0)
    assert array(x, "x") is column(x, "x") is real(x) is x
    assert array([[1, 2]], "x").shape == (1, 2)


def test_what_hides_values_or_has_none_is_refused():
    with pytest.raises(DomainMismatch, match="x has masked entries"):
        array(np.ma.array([1, 2], mask=[0, 1]), "x")
    with pytest.raises(DomainMismatch, match="x is not an array"):
        array([[1], [1, 2]], "x")
    for bad in (3, [[1, 2]]):
        with pytest.raises(DimensionMismatch, match="src has shape"):
            column(bad, "src")


def test_values_are_real_and_of_native_byte_order():
    swapped = np.array([1, 2], np.dtype("int16").newbyteorder())
    assert (real(swapped).dtype, real(swapped).tolist()) == ("int16", [1, 2])
    for bad in ([1j], ["1"], [None], np.array(["2026-01-01"], "datetime64[D]")):
        with pytest.raises(DomainMismatch):
            real(np.asarray(bad))


def test_sizes():
    assert [size(n) for n in (0, np.uint8(3), MAX_VERTICES)] == [0, 3, 1 << 60]
    for bad in (-1, MAX_VERTICES + 1):
        with pytest.raises(InvalidValue, match=f"n={bad} vertices"):
            size(bad)
    for bad in (1.0, "1", None):
        with pytest.raises(DomainMismatch, match="n must be an integer"):
            size(bad)


def test_the_first_of_what_is_no_vertex_is_named():
    assert top_vertex(np.array([2, 0, 1], np.uint8), "src", 3) == 2
    assert top_vertex(np.array([]), "src", 0) == -1
    with pytest.raises(InvalidIndex, match=r"src\[1\] = 3 is not a vertex: they are 0..n-1, n=3"):
        top_vertex(np.array([2, 3, 7]), "src", 3)
    with pytest.raises(InvalidIndex, match=r"src\[2\] = -1 is not a vertex: they are not neg"):
        top_vertex(np.array([2, 1, -1]), "src", 3)
    for dtype in ("int8", "int32", ">i4", "int64"):  # unsigned, -2 is less than 2^40, or not
        with pytest.raises(InvalidIndex, match=r"dst\[1\] = -2 is not"):
            top_vertex(np.array([5, -2, 3], dtype)[:2], "dst", 1 << 40)
        assert top_vertex(np.array([5, 9, 3], dtype)[::2], "dst", 1 << 40) == 5
    with pytest.raises(InvalidIndex, match=r"dst\[0\] = 18446744073709551615"):
        top_vertex(np.array([2**64 - 1], np.uint64), "dst", 1 << 40)
    with pytest.raises(DomainMismatch, match="dst has dtype float64; vertices are integers"):
        top_vertex(np.array([0.0]), "dst", 3)


@pytest.fixture(params=[1, 3])
def small_blocks(request, monkeypatch):
    monkeypatch.setattr(threads, "BLOCK", 4)
    before = gl.set_threads(request.param)
    yield
    gl.set_threads(before)


@pytest.mark.parametrize("count", [1, 4, 9])
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float32])
def test_largest_and_copied(count, dtype, small_blocks):
    x = np.random.default_rng(count).integers(0, 100, count).astype(dtype)
    assert largest(x) == x.max()
    y = copied(x[::-1])
    assert (y.dtype, y.base) == (x.dtype, None)
    np.testing.assert_array_equal(y, x[::-1])
    np.testing.assert_array_equal(copied(x, np.float64), x.astype(float))


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64])
def test_numbers_within_a_range(dtype, small_blocks):
    x = np.arange(9).astype(dtype)
    assert is_within(x, 9)
    assert not is_within(x, 8)
    assert is_within(x[:0], 0)
    for k in (0, 5, 8):
        x[k] = -1 if np.iinfo(dtype).min else 50
        assert not is_within(x, 9)
        x[k] = 3


@examples(200)
@given(
    rows=st.lists(st.lists(st.integers(0, 6), max_size=9), max_size=9),
    dtype=st.sampled_from([np.int8, np.int32, np.uint32, np.int64, np.uint64]),
)
def test_order_of_rows(rows, dtype):
    indptr = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int32)).astype(dtype)
    indices = np.array([j for row in rows for j in row], dtype)
    expected = all(a < b for row in rows for a, b in pairwise(row))
    block, threads.BLOCK = threads.BLOCK, 4
    try:
        assert increases_within_rows(indptr, indices) == expected
    finally:
        threads.BLOCK = block


def test_a_graph_of_several_blocks(small_blocks):
    S = ss.random_array((30, 30), density=0.2, format="csr", rng=np.random.default_rng(1))
    assert (ss.csr_array(gl.Graph(S).A.to_csr()[::-1], shape=S.shape) != S).nnz == 0
    S.indices[[5, 6]] = S.indices[[6, 5]]
    rows, cols, values = gl.Graph(S).A.to_coo()
    assert (ss.coo_array((values, (rows, cols)), S.shape).tocsr() != S).nnz == 0
