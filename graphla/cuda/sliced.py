"""Columns renumbered by how many entries they have, where few have most, as in a power law.

What is looked up most is then side by side. It is derived from compressed sparse rows, which
never change, and is made once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device

MANY = 1 << 20  # entries from which it pays
SHARE = 0.1  # of the entries that are in the first columns then, for it to pay
GAIN = 2.0  # times as many as before, too
PATIENCE = 8  # products that gain as much as the renumbering takes
SAMPLE = 1 << 20  # entries by which the gain is judged
STEP = 64  # entries of which one is counted


class Skewed(NamedTuple):
    """Columns by falling number of entries: the k-th was ``order[k]``; the new ``indices``."""

    order: Any
    indices: Any


class Waiting:
    """How many products could have used renumbered columns."""

    def __init__(self) -> None:
        self.products = 0


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
        kept = A._skewed = (_made(A, first),)
    found: Skewed | None = kept[0]
    return found


def _made(A: CSR, first: int) -> Skewed | None:
    """Return A with its columns renumbered, if that pays and there is memory for it."""
    try:
        return _renumbered(A) if _pays(A, first) else None
    except device.exhausted:  # the product does without
        return None


def _pays(A: CSR, first: int) -> bool:
    """Whether few columns have many of the entries, and are not the first ones already."""
    if A.indices.dtype != np.int32 or 2 * A.indices.nbytes > device.free():
        return False
    xp = device.xp
    some = xp.sort(A.indices[:: max(1, A.nvals // SAMPLE)])
    begins = xp.flatnonzero(some[1:] != some[:-1]) + 1  # of the second column sampled, ...
    ends = xp.concatenate((begins, xp.full(1, some.size)))
    counts = xp.sort(xp.diff(ends, prepend=ends[:1] * 0))
    share = int(device.word(counts[-first:].sum(dtype=np.int64))) / some.size
    return share >= max(SHARE, GAIN * A.share(first))


def _renumbered(A: CSR) -> Skewed:
    xp, dtype = device.xp, A.indices.dtype
    counts = xp.zeros(A.ncols, np.int32)
    _kernel(A, "count_columns")(A.nvals, A.nvals, STEP, A.indices, counts)
    there = int(device.word((counts > 0).sum(dtype=np.int64)))
    number = xp.arange(A.ncols, dtype=np.int64)
    both = xp.sort((-counts.astype(np.int64) << 32) | number)  # one word: sorted by its digits
    order = (both & np.int64(2**32 - 1)).astype(dtype)
    rank, indices = xp.empty(A.ncols, dtype), xp.empty(A.nvals, dtype)
    rank[order] = number.astype(dtype)
    _kernel(A, "renumber")(A.nvals, A.nvals, A.indices, rank, indices)
    return Skewed(order[:there].copy(), indices)


def _kernel(A: CSR, name: str) -> Kernel:
    return kernel("skew", A.definitions(), name)
