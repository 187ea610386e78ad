"""An undirected graph's matrix from a list of its edges that lies on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import binary
from graphblas.dtypes import BOOL

from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.matrix import Matrix


def symmetric(src: Any, dst: Any, weight: Any, n: int) -> Any:
    """Return the symmetric Matrix of edges, each given once; of equal ones the lightest stays.

    Parameters
    ----------
    src, dst : array of the device, shape (m,)
        Ends, in 0..n-1. Self-loops and duplicates, in either direction, are allowed.
    weight : array of the device, shape (m,), or None
        None makes a matrix of BOOL that is True at every edge.
    n : int

    Raises
    ------
    OutOfDeviceMemory
        It does not fit: some 64 bytes an edge without weights, 144 with them.
    """
    xp, m = device.xp, src.size
    with device.memory((64 if weight is None else 144) * m, f"a graph of {m:,} edges"):
        if weight is not None:
            rows, columns = xp.concatenate((src, dst)), xp.concatenate((dst, src))
            both = xp.concatenate((weight, weight))
            return Matrix.from_coo(rows, columns, both, nrows=n, ncols=n, dup_op=binary.min)
        keys = xp.empty(2 * m, np.int64)
        for part, rows, columns in ((keys[:m], src, dst), (keys[m:], dst, src)):
            part[:] = rows
            part *= n
            part += columns
        keys.sort()
        new = xp.ones(keys.size, bool)
        xp.not_equal(keys[1:], keys[:-1], out=new[1:])
        keys = keys[new]
        return Matrix._of(CSR.from_keys(keys, xp.ones(1, bool), n, n, True), BOOL, n, n)
