"""Input arrays: accepted unchanged or refused, never converted silently."""

from __future__ import annotations

import sys
from operator import index
from typing import Any

import numpy as np

from graphla.core import threads
from graphla.core.validation import check_dtype
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue

NUMBER_LABELS = "gl.interop.pandas.from_edges(frame, src, dst) numbers labels 0, 1, 2, ..."
MAX_VERTICES = 1 << 60  # of GraphBLAS


def array(x: Any, name: str) -> Any:
    """Return `x` as a NumPy array that hides nothing."""
    # a masked array exists only where numpy.ma is loaded, and loading it takes 15 ms
    if "numpy.ma" in sys.modules and np.ma.is_masked(x):
        raise DomainMismatch(f"{name} has masked entries")
    try:
        return np.asarray(x)
    except (TypeError, ValueError) as error:
        raise DomainMismatch(f"{name} is not an array: {error}") from None


def column(x: Any, name: str) -> Any:
    """Return `x` as a one-dimensional array."""
    x = array(x, name)
    if x.ndim != 1:
        raise DimensionMismatch(f"{name} has shape {x.shape}; an edge column has 1 dimension")
    return x


def real(values: Any) -> Any:
    """Return an array in native byte order; refuse any dtype that is not real."""
    native = values.dtype.newbyteorder("=")
    check_dtype(native)
    return values.astype(native, copy=False)


def size(n: Any) -> int:
    """Return a number of vertices as an int."""
    try:
        n = index(n)
    except TypeError:
        raise DomainMismatch(f"n must be an integer, not {type(n).__name__}") from None
    if not 0 <= n <= MAX_VERTICES:
        raise InvalidValue(f"n={n} vertices are not possible: 0 <= n <= 2^60")
    return n


def top_vertex(vertices: Any, name: str, n: int) -> int:
    """Return the largest of some vertices, -1 if there are none; all must be in 0..n-1."""
    if not vertices.size:
        return -1
    if vertices.dtype.kind not in "iu":
        hint = ""
        if vertices.dtype.kind in "OUST":
            hint = f"; {NUMBER_LABELS}"
        elif vertices.dtype.kind == "f":
            hint = f"; {name}.astype(int) makes integers of it"
        raise DomainMismatch(f"{name} has dtype {vertices.dtype.name}; vertices are integers{hint}")
    unsigned = vertices.view(f"{vertices.dtype.byteorder}u{vertices.itemsize}")
    top = int(largest(unsigned))  # a negative number is a large one there
    if top >= n or (top >= 1 << 8 * vertices.itemsize - 1 and vertices.dtype.kind == "i"):
        k = int(np.flatnonzero((vertices < 0) | (vertices >= n))[0])
        rule = "they are not negative" if vertices[k] < 0 else f"they are 0..n-1, n={n}"
        raise InvalidIndex(f"{name}[{k}] = {vertices[k]} is not a vertex: {rule}")
    return top


# ---- large arrays, by all threads


def largest(x: Any) -> Any:
    """Return the largest of one element or more."""
    return max(threads.map_blocks(lambda start, stop: x[start:stop].max(), x.size))


def is_within(x: Any, stop: int) -> bool:
    """Return whether all numbers are in 0..stop-1."""
    found = threads.map_blocks(lambda i, j: x[i:j].min() >= 0 and x[i:j].max() < stop, x.size)
    return all(found)


def copied(x: Any, dtype: Any = None) -> Any:
    """Return a copy of a one-dimensional array, with another dtype if one is given.

    Most of the time of a copy is the first touch of its pages.
    """
    out = np.empty(x.size, x.dtype if dtype is None else dtype)

    def copy(start: int, stop: int) -> None:
        out[start:stop] = x[start:stop]

    threads.map_blocks(copy, x.size)
    return out


def increases_within_rows(indptr: Any, indices: Any) -> bool:
    """Return whether the indices of compressed rows increase within each row.

    Parameters
    ----------
    indptr : array of int, shape (n + 1,)
        Offsets that do not decrease, from 0 to the number of indices.
    indices : array of int
    """
    size = indices.size
    bounds = np.append(np.arange(0, size, threads.BLOCK), size)
    bounds[0] = min(size, 1)  # the first index of all has none before it
    bounds = bounds.astype(indptr.dtype)
    first_row = np.searchsorted(indptr, bounds)

    def check(start: int, stop: int) -> bool:
        k = start // threads.BLOCK
        start = int(bounds[k])
        increases = indices[start:stop] > indices[start - 1 : stop - 1]
        increases[indptr[first_row[k] : first_row[k + 1]] - bounds[k]] = True
        return bool(increases.all())

    return all(threads.map_blocks(check, size))
