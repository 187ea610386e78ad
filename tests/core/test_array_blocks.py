"""Work on large arrays by all threads, in blocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import array_blocks
from tests.strategies import examples


@pytest.fixture(params=[1, 3])
def small_blocks(request, monkeypatch):
    monkeypatch.setattr(array_blocks, "BLOCK", 4)
    before = gl.set_threads(request.param)
    yield
    gl.set_threads(before)


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 11])
def test_blocks_cover_a_size_in_order(size, small_blocks):
    found = array_blocks.map_blocks(lambda start, stop: list(range(start, stop)), size)
    assert [k for part in found for k in part] == list(range(size))
    assert all(len(part) == 4 for part in found[:-1])


@pytest.mark.parametrize("size", [1, 4, 9])
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float32])
def test_largest_and_copied(size, dtype, small_blocks):
    x = np.random.default_rng(size).integers(0, 100, size).astype(dtype)
    assert array_blocks.largest(x) == x.max()
    y = array_blocks.copied(x[::-1])
    assert (y.dtype, y.base) == (x.dtype, None)
    np.testing.assert_array_equal(y, x[::-1])
    np.testing.assert_array_equal(array_blocks.copied(x, np.float64), x.astype(float))


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64])
def test_numbers_within_a_range(dtype, small_blocks):
    x = np.arange(9).astype(dtype)
    assert array_blocks.is_within(x, 9)
    assert not array_blocks.is_within(x, 8)
    assert array_blocks.is_within(x[:0], 0)
    for k in (0, 5, 8):
        x[k] = -1 if np.iinfo(dtype).min else 50
        assert not array_blocks.is_within(x, 9)
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
    block, array_blocks.BLOCK = array_blocks.BLOCK, 4
    try:
        assert array_blocks.increases_within_rows(indptr, indices) == expected
    finally:
        array_blocks.BLOCK = block


def test_a_graph_of_several_blocks(small_blocks):
    S = ss.random_array((30, 30), density=0.2, format="csr", rng=np.random.default_rng(1))
    assert (ss.csr_array(gl.Graph(S).A.to_csr()[::-1], shape=S.shape) != S).nnz == 0
    S.indices[[5, 6]] = S.indices[[6, 5]]
    rows, cols, values = gl.Graph(S).A.to_coo()
    assert (ss.coo_array((values, (rows, cols)), S.shape).tocsr() != S).nnz == 0
