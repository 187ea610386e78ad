"""C = A B by Gustavson's method with hash tables, memory bounded.

The products of a row of C meet in a hash table: that of a warp (up to SHORT of them),
that of a block (up to MIDDLE; both in shared memory, sorted there), or one in device memory
(huge rows, sorted together by one argsort). A first pass counts the entries of C, so that
C is allocated once and at its size; a second computes them. Tables in device memory are
made for as many rows at a time as `limit` bytes hold. Where A has one entry a row at most
(a diagonal, a choice of rows), the rows of B are copied and no table is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.storage.csr import CSRArrays, allocate, offsets, running, typedef

SHORT, MIDDLE = 128, 1536  # entries of a row that a warp's and a block's table hold
MANY = 1 << 13  # products of a row that are too many for a warp
SMALLEST = 4096  # places of a table in device memory
WARP = 32
LONG = 1 << 16  # entries of a row that are too many for one warp to look at


def work(A: CSRArrays, B: CSRArrays, text: str) -> Any:
    """Return the number of products of each row."""
    xp, n = device.xp, len(A.indptr) - 1
    if len(A.indices) > LONG and int(device.word(xp.diff(A.indptr).max())) > LONG:
        ends, _ = running(xp.diff(B.indptr)[A.indices])
        return xp.diff(ends[A.indptr])
    products = xp.zeros(n, np.int64)
    kernel("spgemm_work", text)(n * WARP, n, A.indptr, A.indices, B.indptr, products)
    return products


class Hashed:
    """One product's arrays as its kernels take them."""

    def __init__(
        self, A: CSRArrays, B: CSRArrays, mask: Any, text: str, limit: int, products: Any
    ) -> None:
        mp, mi = mask or (None, None)
        self.structure = (A.indptr, A.indices, B.indptr, B.indices, mp, mi)
        self.all = (*A, *B, mp, mi)
        self.text, self.limit, self.products = text, limit, products
        self.indptr, self.index = A.indptr, B.indices.dtype
        self.key = np.dtype(f"u{self.index.itemsize}")

    def bins(self, size: Any) -> dict[str, Any]:
        """Return the rows that go to warps, to blocks, and to device memory."""
        find = device.xp.flatnonzero
        short = (size <= SHORT) & (self.products <= MANY)
        return {
            "WarpTeam": find((size > 0) & short),
            "BlockTeam": find((size > 0) & (size <= MIDDLE) & ~short),
            "huge": find(size > MIDDLE),
        }

    def teams(self, name: str, rows: dict[str, Any], group: int, *args: Any) -> None:
        """Run the kernel on the rows of the two kinds of teams."""
        for team, threads in (("WarpTeam", WARP), ("BlockTeam", BLOCK)):
            if n := len(rows[team]):
                text = self.text + f"struct {team}; typedef {team} Team;\n"
                kernel("spgemm_hash", text, name)(n * threads, rows[team], n, group, *args)

    def huge(
        self, rows: Any, size: Any, word: int, *, most: int = 1 << 62, n: int = 1 << 62
    ) -> Any:
        """Yield (rows, starts, tables, places) of batches of n huge rows at most.

        A table has twice as many places as its row has entries, but no more than `most`; a
        place takes `word` bytes.
        """
        xp = device.xp
        if not len(rows):
            return
        places = xp.left_shift(1, xp.ceil(xp.log2(2.0 * size[rows])).astype(np.int64))
        places = xp.maximum(xp.minimum(places, most), SMALLEST)
        ends = device.to_host(xp.cumsum(places))
        first = 0
        while first < len(rows):
            done = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, done + self.limit // word, "right")))
            last = min(last, first + n)
            batch = rows[first:last]
            starts, _ = running(self.indptr[batch + 1] - self.indptr[batch])
            tables, total = running(places[first:last])
            yield batch, starts, tables, total
            first = last


def group_of(products: int, nvals: int) -> int:
    """Return how many threads share a row of B: about as many as its mean length, 1 to 32."""
    return min(WARP, 1 << max(0, round(products / max(nvals, 1)) - 1).bit_length())


def multiply(
    A: CSRArrays,
    B: CSRArrays,
    mask: Any,
    text: str,
    zdtype: Any,
    ncols: int,
    limit: int,
    products: Any,
) -> CSRArrays:
    """Return A B as far as the mask lets it through.

    `text` defines all but C's own types; `products` is their number in each row.
    """
    xp = device.xp
    P = Hashed(A, B, mask, text, limit, products)
    nvals = int(device.word(products.sum()))
    group = group_of(nvals, len(A.indices))
    rows = mask is None and int(device.word(xp.diff(A.indptr).max())) == 1
    counts = products if rows else count(P, xp.minimum(products, ncols), group, ncols)
    indptr, nvals = offsets(counts)
    C = allocate(indptr, nvals, P.index, zdtype)
    if nvals:
        P.text += typedef("COffset", indptr.dtype)
        if rows:
            n = len(counts)
            kernel("spgemm_copy_rows", P.text)(nvals, n, *A, *B, *C)
        else:
            fill(P, C, counts, group, ncols)
    return C


def count(P: Hashed, bound: Any, group: int, ncols: int) -> Any:
    """Return the number of entries of each row of C, which is at most `bound`.

    Long rows have a bit for each column where that takes less than a table.
    """
    xp = device.xp
    rows = P.bins(bound)
    counts = xp.zeros(len(bound), np.int64)
    text = P.text
    P.text = text + typedef("COffset", np.int64)
    P.teams("hash_count", rows, group, *P.structure, bound, counts)
    run = kernel("spgemm_hash_global", P.text, "hash_global_count")
    bits = -(-ncols // (8 * P.key.itemsize))
    for batch, starts, tables, places in P.huge(rows["huge"], bound, P.key.itemsize, most=bits):
        keys = xp.full(places, ~P.key.type(0), P.key)
        found = xp.zeros(len(batch), np.int64)
        threads = int(device.word(starts[-1])) * WARP
        run(threads, batch, len(batch), ncols, starts, tables, *P.structure, keys, found)
        counts[batch] = found
    P.text = text
    return counts


def fill(P: Hashed, C: CSRArrays, counts: Any, group: int, ncols: int) -> None:
    """Compute the entries of C, whose rows have `counts` of them."""
    xp = device.xp
    rows = P.bins(counts)
    P.teams("hash_fill", rows, group, *P.all, *C)
    zdtype = C.values.dtype
    sums_dtype = np.dtype(np.uint64 if zdtype.itemsize == 8 else np.uint32)
    clear, run, entries, write = (
        kernel("spgemm_hash_global", P.text, f"hash_global_{name}")
        for name in ("clear", "fill", "list", "write")
    )
    shift = max(1, int(ncols - 1).bit_length())  # (row, column) is one number of 63 bits
    # A place has a key and a sum; half of them at most are listed, with 32 bytes and sorted.
    word = P.key.itemsize + sums_dtype.itemsize + 16
    for batch, starts, tables, places in P.huge(rows["huge"], counts, word, n=1 << (63 - shift)):
        n = len(batch)
        keys, sums = xp.empty(places, P.key), xp.empty(places, sums_dtype)
        clear(places, places, keys, sums)
        threads = int(device.word(starts[-1])) * WARP
        run(threads, batch, n, starts, tables, *P.all, keys, sums)
        lists, total = running(counts[batch])
        order, values = xp.empty(total, np.int64), xp.empty(total, zdtype)
        used = xp.zeros(n, np.int64)
        entries(places // 16, n, tables, keys, sums, lists, shift, used, order, values)
        del keys, sums
        write(total, total, xp.argsort(order), order, values, lists, shift, batch, *C)
