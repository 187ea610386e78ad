"""Random bit matrices, their copies on the CPU, and a check of the storage format."""

from __future__ import annotations

import graphblas as gb
import numpy as np

from graphla.cuda import Matrix
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix

EDGES = (0, 1, 31, 32, 33, 64, 65, 127, 128, 129)


def make(seed, shape, density=0.1, form="bits"):
    """Return a Boolean matrix of Trues on both engines, ours in a form."""
    there = np.random.default_rng(seed).random(shape) < density
    rows, columns = np.nonzero(there)
    args = (rows, columns, True, "BOOL")
    n, m = shape
    ours = Matrix.from_coo(*args, nrows=n, ncols=m)
    ours.store(form)
    return ours, gb.Matrix.from_coo(*args, nrows=n, ncols=m)


def is_bits(A):
    """Check that a matrix is bits, and that what fills its rows is zero."""
    assert isinstance(A._store, BitMatrix)
    words = device.to_host(A._store.words_by_row)
    there = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    assert not there[:, A.ncols :].any()
    return True
