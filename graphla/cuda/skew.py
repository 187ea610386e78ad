"""What is kept of a matrix because few of its columns have most of its entries, as in a power law.

Both are derived from compressed sparse rows, which never change, and are made once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device

MANY = 1 << 20  # entries from which they pay
GAIN = 2.0  # times as many entries in the first columns, for a renumbering to pay
PATIENCE = 8  # products that gain as much as the renumbering takes


class Skewed(NamedTuple):
    """Columns by falling number of entries: the k-th was ``order[k]``; the new ``indices``."""

    order: Any
    indices: Any


class Waiting:
    """How many products could have used renumbered columns."""

    def __init__(self) -> None:
        self.products = 0


def heads(A: CSR) -> Any:
    """Return two columns of each row, those that have most entries (a ``Pair`` of pull.cu)."""
    if A._heads is None:
        found = device.xp.empty(2 * A.nrows, A.indices.dtype)
        _kernel(A, "choose_heads")(32 * A.nrows, A.nrows, A.indptr, A.indices, counts(A), found)
        A._heads = found
    return A._heads


def counts(A: CSR) -> Any:
    """Return how many entries each column has."""
    found = device.xp.zeros(A.ncols, np.int32)
    _kernel(A, "count_columns")(A.nvals, A.nvals, A.indices, found)
    return found


def skewed(A: CSR, first: int) -> Skewed | None:
    """Return A with its columns renumbered if the `first` ones then have many more entries.

    It is made when as many products have asked as it takes the time of: who asks once, or
    has a matrix that gains little, does not pay for it.
    """
    kept = A._skewed
    if kept is None:
        kept = A._skewed = Waiting()
    if isinstance(kept, Waiting):
        kept.products += 1
        if kept.products < PATIENCE:
            return None
        kept = A._skewed = (_renumbered(A, first),)
    found: Skewed | None = kept[0]
    return found


def _renumbered(A: CSR, first: int) -> Skewed | None:
    xp = device.xp
    entries = counts(A)
    order = (-entries).argsort().astype(A.indices.dtype)
    there = int(device.word((entries > 0).sum(dtype=np.int64)))
    share = int(device.word(entries[order[:first]].sum(dtype=np.int64))) / A.nvals
    room = 2 * A.indices.nbytes < device.free()
    if not room or share < GAIN * A.share(first):
        return None
    rank, indices = xp.empty(A.ncols, order.dtype), xp.empty(A.nvals, order.dtype)
    rank[order] = xp.arange(A.ncols, dtype=order.dtype)
    _kernel(A, "renumber")(A.nvals, A.nvals, A.indices, rank, indices)
    return Skewed(order[:there].copy(), indices)


def _kernel(A: CSR, name: str) -> Kernel:
    return kernel("skew", A.definitions(), name)
