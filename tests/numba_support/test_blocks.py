"""Blocks of rows: their work differs by at most one row."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.numba_support.blocks import blocks_of_vertices, equal_blocks


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 9))
def test_blocks_are_all_rows_in_order_with_about_equal_work(degrees, num_blocks):
    indptr = np.append(0, np.cumsum(degrees)).astype(np.int64)
    bounds = equal_blocks(indptr, num_blocks).tolist()
    assert (bounds[0], bounds[-1], len(bounds)) == (0, len(degrees), num_blocks + 1)
    assert bounds == sorted(bounds)
    work = [sum(degrees[low:high]) + high - low for low, high in pairwise(bounds)]
    assert max(work) <= sum(work) // num_blocks + max(degrees, default=0) + 2


@pytest.mark.parametrize("num_blocks", [1, 2, 5])
def test_no_rows(num_blocks):
    assert equal_blocks(np.zeros(1, np.int64), num_blocks).tolist() == [0] * (num_blocks + 1)


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 60), st.randoms())
def test_blocks_of_a_list_of_vertices(degrees, work, random):
    vertices = list(range(len(degrees)))
    random.shuffle(vertices)
    vertices = np.array(vertices[: random.randint(0, len(vertices))], np.int32)
    end = np.cumsum(degrees).astype(np.int64)
    bounds = blocks_of_vertices(end - degrees, end, vertices, work).tolist()
    assert (bounds[0], bounds[-1]) == (0, vertices.size)
    assert bounds == sorted(bounds)
    longest = max(degrees, default=0) + 1
    for low, high in pairwise(bounds):
        assert sum(degrees[v] + 1 for v in vertices[low:high]) <= work + longest + 1
