"""Pairs (ours, python-graphblas's) of equal objects, drawn by hypothesis, and their comparison."""

import graphblas as gb
import numpy as np
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector, to_graphblas
from graphla.cuda.runtime.device import device

DTYPES = ("BOOL", "INT8", "UINT16", "INT32", "INT64", "UINT64", "FP32", "FP64")
MASKS = ("none", "S", "V", "~S", "~V")
ACCUMS = (None, "plus", "second", "minus")


def pair(shape, positions, values, dtype):
    """Return a pair with one entry for each position, a tuple of indices."""
    rows, *columns = zip(*positions, strict=True) if positions else [()] * len(shape)
    values = np.asarray(values, gb.dtypes.lookup_dtype(dtype).np_type)
    coordinates = [np.asarray(c, np.int64) for c in (rows, *columns)]
    if len(shape) == 1:
        theirs = gb.Vector.from_coo(*coordinates, values, dtype, size=shape[0])
        return Vector.from_coo(*coordinates, values, dtype, size=shape[0]), theirs
    n, m = shape
    theirs = gb.Matrix.from_coo(*coordinates, values, dtype, nrows=n, ncols=m)
    return Matrix.from_coo(*coordinates, values, dtype, nrows=n, ncols=m), theirs


@st.composite
def objects(draw, shape, dtype=None):
    """Draw a pair; its values are few and often all equal (iso)."""
    dtype = dtype or draw(st.sampled_from(DTYPES))
    size = int(np.prod(shape))
    flat = draw(st.lists(st.integers(0, max(0, size - 1)), unique=True, max_size=size))
    values = draw(st.lists(st.integers(0, 3), min_size=len(flat), max_size=len(flat)))
    iso = draw(st.booleans()) and bool(flat)
    position = [tuple(int(i) for i in np.unravel_index(k, shape)) for k in flat]
    if iso and len(shape) == 2:
        coordinates = [np.asarray(c) for c in zip(*position, strict=True)]
        value = gb.dtypes.lookup_dtype(dtype).np_type.type(values[0]).item()
        n, m = shape
        args = (*coordinates, value, dtype)
        theirs = gb.Matrix.from_coo(*args, nrows=n, ncols=m)
        return Matrix.from_coo(*args, nrows=n, ncols=m), theirs
    return pair(shape, position, values, dtype)


def shapes(largest=20):
    """Draw (nrows, ncols)."""
    return st.tuples(st.integers(0, largest), st.integers(0, largest))


def masked(kind, x):
    """Return x as a mask; `kind` is one of MASKS."""
    if kind == "none":
        return None
    mask = getattr(x, kind[-1])
    return ~mask if kind[0] == "~" else mask


def equal(ours, theirs):
    """Check the same, whatever the order in which python-graphblas gives its entries out."""
    assert to_graphblas(ours).isequal(theirs, check_dtype=True)


def same(ours, theirs):
    """Check that dtype, shape, structure and values are equal; NaN equals NaN."""
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    for a, b in zip(ours.to_coo(), theirs.to_coo(), strict=True):
        a, b = (device.to_host(x) if device.is_array(x) else x for x in (a, b))
        np.testing.assert_array_equal(a, b)
    assert ours.nvals == theirs.nvals
