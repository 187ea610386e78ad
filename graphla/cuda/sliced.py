"""Slices of a matrix, where few columns have many of its entries, as in a power law.

They are derived from compressed sparse rows, which never change, and made once that pays: who
asks once, or has a matrix that gains little, does not pay for it. Columns that are not in order
by how many entries they have are renumbered so, and rows with them: sums of the rows that have
entries then lie together, those that are added to most side by side.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from graphla.cuda import slices
from graphla.cuda.compile import kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.slices import Sliced
from graphla.cuda.storage import element

MANY = 1 << 25  # entries from which it pays
SHARE = 0.1  # of the entries that are in the columns of one block, for it to pay
SKEW = 4.0  # times as many as were they spread evenly, too
GAIN = 1.25  # times as many there as before: columns are renumbered
PATIENCE = 8  # products that gain as much as the slices take
SAMPLE = 1 << 22  # entries by which the gain is judged
STEP = 64  # entries of which one is counted
ROOM = 48  # bytes for each entry, while slices are made


class Numbers(NamedTuple):
    """Numbers of rows or columns: the k-th was ``order[k]``, and j is the ``rank[j]``-th.

    The rank is -1 without entries. Both are None where there are no other numbers.
    """

    size: int
    order: Any = None
    rank: Any = None


class Form(NamedTuple):
    """Slices of A, the numbers of its rows and columns in them, and the values of their items."""

    slices: Sliced
    rows: Numbers
    columns: Numbers
    near: Any
    far: Any


class Forms:
    """By columns of a block, and whether with values: what there is, or how many asked."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, bool], Any] = {}


_all: WeakSet[Forms] = WeakSet()


def clear() -> None:
    """Give the memory of all slices back."""
    for forms in list(_all):
        forms.found.clear()


def sliced(A: CSR, itemsize: int, valued: bool) -> Form | None:
    """Return slices of A for values of so many bytes, if that pays; `valued`: with A's values."""
    if A._sliced is None:
        A._sliced = Forms()
        _all.add(A._sliced)
    forms, key = A._sliced.found, (block_columns(itemsize), valued)
    found = forms.get(key, 0)
    if type(found) is int:
        found += 1
        if found >= PATIENCE:
            try:
                found = _made(A, forms, *key)
            except device.exhausted:  # the product does without
                found = None
        forms[key] = found
    return found if isinstance(found, Form) else None


def block_columns(itemsize: int) -> int:
    """Return how many columns a block has: the same for all small values."""
    return slices.block_columns(max(4, itemsize))


def _made(A: CSR, forms: dict[Any, Any], columns: int, valued: bool) -> Form | None:
    """Return the slices of A, if they pay and there is memory for them."""
    bare = forms.get((columns, False), 0)
    if type(bare) is int:
        bare = forms[columns, False] = _bare(A, columns)
    return _with_values(A, bare) if valued and bare else bare


def _bare(A: CSR, columns: int) -> Form | None:
    """Return slices without values."""
    if A.indices.dtype != np.int32 or A.nrows > slices.MOST or ROOM * A.nvals > device.free():
        return None
    before, after = A.share(columns), _share(A, columns)
    if max(before, after) < max(SHARE, SKEW * columns / A.ncols):
        return None
    ends, indices, rows_of, columns_of = A.indptr, A.indices, Numbers(A.nrows), Numbers(A.ncols)
    if after > GAIN * before:
        ends, indices, rows_of, columns_of = _renumbered(A)
    found = slices.cut(ends, indices.view(np.uint32), columns_of.size, columns)
    return Form(found, rows_of, columns_of, None, None)


def _share(A: CSR, first: int) -> float:
    """Return what part of the entries lies in so many columns that have most of them."""
    xp = device.xp
    some = xp.sort(A.indices[:: max(1, A.nvals // SAMPLE)])
    begins = xp.flatnonzero(some[1:] != some[:-1]) + 1  # of the second column sampled, ...
    ends = xp.concatenate((begins, xp.full(1, some.size)))
    counts = xp.sort(xp.diff(ends, prepend=ends[:1] * 0))
    return int(device.word(counts[-first:].sum(dtype=np.int64))) / some.size


def _renumbered(A: CSR) -> tuple[Any, Any, Numbers, Numbers]:
    """Return rows of renumbered columns, ascending, and both by falling number of entries."""
    xp, text = device.xp, A.definitions()
    counts, lengths = xp.zeros(A.ncols, np.int32), xp.diff(A.indptr)
    kernel("renumber", text, "count_columns")(A.nvals, A.nvals, STEP, A.indices, counts)
    rows, columns = _by_count(lengths), _by_count(counts)
    ends = xp.zeros(rows.size + 1, A.indptr.dtype)
    ends[1:] = lengths[rows.order].cumsum(dtype=ends.dtype)
    keys = xp.empty(A.nvals, np.uint64)
    renumber = kernel("renumber", text, "renumber")
    renumber(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, rows.rank, columns.rank, keys)
    keys.sort()
    indices = keys.view(np.uint32)[::2].copy()
    return ends, indices, rows, columns._replace(rank=None)  # nobody asks for it any more


def _by_count(counts: Any) -> Numbers:
    """Return numbers by falling counts, of those that count any."""
    xp = device.xp
    there = int(device.word((counts > 0).sum(dtype=np.int64)))
    number = xp.arange(counts.size, dtype=np.int64)
    both = xp.sort((-counts.astype(np.int64) << 32) | number)  # one word: sorted by its digits
    order = (both[:there] & np.int64(2**32 - 1)).astype(np.int32)
    rank = xp.full(counts.size, -1, np.int32)
    rank[order] = number[:there].astype(np.int32)
    return Numbers(there, order, rank)


def _with_values(A: CSR, bare: Form) -> Form:
    """Return slices with the values of their items."""
    xp, (near, far, works, columns) = device.xp, bare.slices
    values = [xp.empty(x.items.size, A.values.dtype) for x in (near, far)]
    text = A.definitions() + f"typedef {element(A.values.dtype)} A;\n"
    run = kernel("slices_values", text + slices.definitions(columns))
    run(
        2048 * device.multiprocessors, len(works), works, *near, *far, A.indptr, A.indices,
        A.values, bare.columns.order, bare.columns.size, bare.rows.order, *values,
    )  # fmt: skip
    return bare._replace(near=values[0], far=values[1])
