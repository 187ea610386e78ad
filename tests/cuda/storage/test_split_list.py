"""The entries of a list by ranges of indices: the same entries, each in its range."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.runtime.device import device
from graphla.cuda.storage.split_list import split_by_range
from graphla.cuda.storage.vector_formats import Sparse
from tests.strategies import examples


def check(keys, boundaries, dtype="float64", index=np.int32, unused=3, counted=True):
    """Split a list whose arrays have more elements than entries."""
    xp, n = device.xp, len(keys)
    values = (np.array(keys, np.int64) % 5).astype(dtype)
    arrays = [np.append(x, x[:1].repeat(unused)) for x in (np.array(keys, index), values)]
    if counted:
        entries = Sparse(*map(xp.asarray, arrays), None, n, False)
    else:
        entries = Sparse(*map(xp.asarray, arrays), xp.full(1, n, np.uint64), None, False)
    counts, *found = split_by_range(entries, xp.asarray(np.array(boundaries, np.int64)))
    assert entries.is_counted == counted
    indices, split = (device.to_host(x) for x in found)
    assert (indices.dtype, split.dtype) == (index, dtype)
    np.testing.assert_array_equal(split, (indices.astype(np.int64) % 5).astype(dtype))
    ends = np.cumsum([0, *counts])
    for r, (low, high) in enumerate(pairwise(boundaries)):
        expected = sorted(k for k in keys if low <= k < high)
        assert sorted(indices[ends[r] : ends[r + 1]].tolist()) == expected


@examples(25)
@given(data=st.data())
def test_random_lists(data):
    n = data.draw(st.integers(1, 300))
    keys = data.draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1))
    inner = data.draw(st.lists(st.integers(0, n), max_size=6))
    check(keys, [0, *sorted(inner), n], counted=data.draw(st.booleans()))


def test_warps(warps):
    keys = np.random.default_rng(1).permutation(1000)[:700].tolist()
    check(keys, [0, 10, 10, 600, 990, 1000])
    check(keys[:33], [0, 1000], counted=False)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float32", "uint64"])
def test_types_of_values(dtype):
    check([7, 3, 9, 0], [0, 4, 10], dtype)


def test_long_vectors():
    check([2**40, 5, 2**33], [0, 2**33, 2**41], index=np.int64)


def test_list_without_entries():
    xp = device.xp
    arrays = xp.empty(4, np.int32), xp.empty(4, np.float64)
    counts, indices, values = split_by_range(
        Sparse(*arrays, xp.zeros(1, np.uint64), None, False), xp.asarray(np.array([0, 2, 4]))
    )
    assert (counts, indices.size, values.size) == ([0, 0], 0, 0)
