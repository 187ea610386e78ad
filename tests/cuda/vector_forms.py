"""Vectors with a few entries, and their entries and copies on the CPU."""

from __future__ import annotations

import graphblas as gb

from graphla.cuda import Vector
from graphla.cuda.runtime.device import device

DTYPES = ("BOOL", "INT8", "UINT16", "INT64", "UINT64", "FP32", "FP64")
SIZES = (1, 31, 32, 33, 100)


def host(v):
    """Return the entries as a dict."""
    indices, values = (device.to_host(x).tolist() for x in v.to_coo())
    return dict(zip(indices, values, strict=True))


def reference(v):
    """Return the vector of python-graphblas with the same entries."""
    w = gb.Vector(v.dtype, v.size)
    for i, x in host(v).items():
        w[i] = x
    return w


def some(n, dtype, form):
    """Return a vector of n positions in a storage format: the first, middle and last are set."""
    v = Vector(dtype, n)
    if form == "full":
        v << 1
    for i in {0, n // 2, n - 1}:
        v[i] = 100 + i % 2
    v.store(form)
    return v


def kept_bytes(x):
    """Return the bytes that the list of an object keeps."""
    store = x._store
    return sum((a if a.base is None else a.base).nbytes for a in (store.keys, store.values))
