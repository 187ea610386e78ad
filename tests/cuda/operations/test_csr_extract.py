"""Rows and columns of CSR arrays by lists of indices, and their assignment, against SciPy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from graphla.cuda.operations import csr_extract
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR

ROWS, COLUMNS = 30, 40


def random(seed, shape=(ROWS, COLUMNS), one_value=False):
    S = random_array(shape, density=0.2, format="csr", random_state=seed, dtype="float64")
    S.data[:] = 2.5 if one_value else np.arange(1, S.nnz + 1)
    return S


def on_device(S, one_value=False):
    arrays = S.indptr, S.indices, S.data[:1] if one_value else S.data
    return CSR(*map(device.xp.asarray, arrays), S.shape[1], one_value)


def check(found, expected):
    """Check that rows are sorted and have the entries of a dense array."""
    indptr, indices = (device.to_host(x) for x in (found.indptr, found.indices))
    values = device.to_host(found.full_values())
    for low, high in pairwise(indptr):
        assert (np.diff(indices[low:high]) > 0).all()
    S = csr_array((values, indices, indptr), (indptr.size - 1, found.ncols))
    np.testing.assert_array_equal(S.toarray(), expected)


def with_empty(dense, index, axis):
    """Return the listed rows or columns of a dense array; -1 is an empty one."""
    found = dense.take(index, axis)
    empty = np.asarray(index) < 0
    found[empty if axis == 0 else (slice(None), empty)] = 0
    return found


LISTS = {
    "ascending": [1, 4, 9],
    "descending": [9, 4, 1],
    "some empty": [3, -1, 7, -1],
    "only empty": [-1, -1],
    "twice": [5, 2, 5, 2, 29],
    "none": [],
    "all": list(range(ROWS)),
}


@pytest.mark.parametrize("one_value", [False, True], ids=["values", "one value"])
@pytest.mark.parametrize("name", LISTS)
def test_rows(name, one_value):
    S, index = random(1, one_value=one_value), np.array(LISTS[name], np.int64)
    found = csr_extract.extract_rows(on_device(S, one_value), device.xp.asarray(index))
    assert found.iso == one_value
    check(found, with_empty(S.toarray(), index, 0))


@pytest.mark.parametrize("one_value", [False, True], ids=["values", "one value"])
@pytest.mark.parametrize("name", [*LISTS, "a permutation"])
def test_columns(name, one_value):
    S = random(2, one_value=one_value)
    index = LISTS.get(name, np.random.default_rng(3).permutation(COLUMNS))
    index = np.array(index, np.int64)
    found = csr_extract.extract_columns(on_device(S, one_value), device.xp.asarray(index))
    check(found, with_empty(S.toarray(), index, 1))


@pytest.mark.parametrize("values", [(2.5, 2.5), (2.5, 4.0)], ids=["the same value", "two values"])
def test_rows_of_two_matrices_with_one_value_each(values):
    """The result has one value only if both have the same."""
    parts = [random(k, one_value=True) for k in (4, 5)]
    for S, value in zip(parts, values, strict=True):
        S.data[:] = value
    rows = np.array([[3, -1, 5], [-1, 8, -1]])
    found = csr_extract._merge_rows(
        *((on_device(S, True), device.xp.asarray(r)) for S, r in zip(parts, rows, strict=True))
    )
    assert found.iso == (values[0] == values[1])
    check(found, sum(with_empty(S.toarray(), r, 0) for S, r in zip(parts, rows, strict=True)))
