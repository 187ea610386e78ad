"""C = A B, or C<~M> = A B, by Gustavson's method with hash tables of bounded memory.

The products of a row of C are combined in a hash table: of a warp, or of a block, in shared
memory and sorted there (spgemm_hash.cu); or in device memory, sorted by one argsort for many
rows (spgemm_hash_global.cu). A first pass counts the entries of C, so that C is allocated once at
its size; a second pass computes them. Tables in device memory are allocated for as many rows at a
time as `limit` bytes hold. If A has at most one entry a row (a diagonal, a choice of rows), the
rows of B are copied without a table (spgemm_copy_rows.cu).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.operations.definitions import WARP, constants, typedefs
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR, allocate, prefix_sum_and_total, row_offsets

WARP_ENTRIES, BLOCK_ENTRIES = 128, 1536  # of a row that fit in the table of a warp, and of a block
WARP_PRODUCTS = 1 << 13  # of a row, up to which a warp computes it
SMALLEST_TABLE = (
    4096  # slots of a table in device memory; also the number that a block lists at a time
)
LONG_ROW = 1 << 16  # entries of a row of A from which one warp takes too long to count its products


def count_products(A: CSR, B: CSR, text: str) -> Any:
    """Return the number of products of each row of A B."""
    xp, n = device.xp, A.nrows
    if A.nvals > LONG_ROW and int(device.read_scalar(xp.diff(A.indptr).max())) > LONG_ROW:
        ends, _ = prefix_sum_and_total(xp.diff(B.indptr)[A.indices])
        return xp.diff(ends[A.indptr])
    products = xp.zeros(n, np.int64)
    kernel("spgemm_work", text)(n * WARP, n, A.indptr, A.indices, B.indptr, products)
    return products


def multiply(
    A: CSR, B: CSR, mask: CSR | None, text: str, zdtype: Any, limit: int, work: Any
) -> CSR:
    """Return A B without what the mask excludes.

    `text` defines all but C's own types; `work` is the number of products of each row.
    """
    xp, ncols = device.xp, B.ncols
    products = int(device.read_scalar(work.sum()))
    copies_rows = mask is None and int(device.read_scalar(xp.diff(A.indptr).max())) == 1
    product = HashProduct(A, B, mask, text, limit, work, products)
    lengths = work if copies_rows else product.count(xp.minimum(work, ncols))
    indptr, nvals = row_offsets(lengths)
    C = allocate(indptr, nvals, B.indices.dtype, ncols, zdtype)
    if not nvals:
        return C
    if copies_rows:
        run = kernel("spgemm_copy_rows", text + typedefs(COffset=indptr.dtype))
        run(nvals, A.nrows, *A.arrays, *B.arrays, *C.arrays)
    else:
        product.fill(C, lengths)
    return C


class RowClasses(NamedTuple):
    """The rows of C by the memory that their hash table is in."""

    warp: Any
    block: Any
    device: Any


class Batch(NamedTuple):
    """Some rows whose tables are in device memory together.

    `starts` and `tables` are prefix sums: of the rows' entries in A, and of their tables' slots.
    """

    rows: Any
    starts: Any
    tables: Any
    slots: int


class HashProduct:
    """The arrays of one product as the kernels take them, and the two passes over its rows."""

    def __init__(
        self, A: CSR, B: CSR, mask: CSR | None, text: str, limit: int, work: Any, products: int
    ) -> None:
        mask_arrays = (None, None) if mask is None else (mask.indptr, mask.indices)
        self.structure = (A.indptr, A.indices, B.indptr, B.indices, *mask_arrays)
        self.operands = (*A.arrays, *B.arrays, *mask_arrays)
        self.text, self.limit, self.work = text, limit, work
        self.a_indptr, self.ncols = A.indptr, B.ncols
        self.key = np.dtype(f"u{B.indices.itemsize}")
        # threads that share a row of B: about as many as its mean length, 1 to 32
        mean = round(products / max(A.nvals, 1))
        self.group = min(WARP, 1 << max(0, mean - 1).bit_length())

    def count(self, bound: Any) -> Any:
        """Return the number of entries of each row of C; `bound`: their upper bounds.

        A row in device memory has a bit for each column if that takes less than a table.
        """
        xp = device.xp
        text = self.text + typedefs(COffset=np.int64)
        rows = self._classify(bound)
        lengths = xp.zeros(len(bound), np.int64)
        self._run_teams("hash_count", text, rows, *self.structure, bound, lengths)
        run = self._global_kernel(text, "hash_global_count")
        key = self.key
        bitmap_words = -(-self.ncols // (8 * key.itemsize))
        for batch in self._batches(rows.device, bound, key.itemsize, max_slots=bitmap_words):
            keys = xp.full(batch.slots, ~key.type(0), key)
            counts = xp.zeros(len(batch.rows), np.int64)
            threads = int(device.read_scalar(batch.starts[-1])) * WARP
            run(
                threads, batch.rows, len(batch.rows), self.ncols, batch.starts, batch.tables,
                *self.structure, keys, counts,
            )  # fmt: skip
            lengths[batch.rows] = counts
        return lengths

    def fill(self, C: CSR, lengths: Any) -> None:
        """Compute the entries of C, whose rows have these lengths."""
        xp = device.xp
        text = self.text + typedefs(COffset=C.indptr.dtype)
        output = C.arrays
        rows = self._classify(lengths)
        self._run_teams("hash_fill", text, rows, *self.operands, *output)
        zdtype = C.values.dtype
        sums_dtype = np.dtype(np.uint64 if zdtype.itemsize == 8 else np.uint32)
        clear, run, list_entries, write = (
            self._global_kernel(text, f"hash_global_{name}")
            for name in ("clear", "fill", "list", "write")
        )
        # entries are sorted by (row of the batch, column) as one number of 63 bits
        shift = max(1, int(self.ncols - 1).bit_length())
        # a slot has a key and a sum; at most half of the slots are listed, at 32 bytes each
        slot_bytes = self.key.itemsize + sums_dtype.itemsize + 16
        for batch in self._batches(rows.device, lengths, slot_bytes, max_rows=1 << (63 - shift)):
            n, slots = len(batch.rows), batch.slots
            keys, sums = xp.empty(slots, self.key), xp.empty(slots, sums_dtype)
            clear(slots, slots, keys, sums)
            threads = int(device.read_scalar(batch.starts[-1])) * WARP
            run(threads, batch.rows, n, batch.starts, batch.tables, *self.operands, keys, sums)
            lists, total = prefix_sum_and_total(lengths[batch.rows])
            order, values = xp.empty(total, np.int64), xp.empty(total, zdtype)
            used = xp.zeros(n, np.int64)
            list_entries(
                slots // SMALLEST_TABLE * BLOCK, n, batch.tables, keys, sums, lists, shift, used,
                order, values,
            )  # fmt: skip
            del keys, sums
            write(
                total, total, xp.argsort(order), order, values, lists, shift, batch.rows, *output
            )  # fmt: skip

    def _global_kernel(self, text: str, name: str) -> Any:
        return kernel("spgemm_hash_global", text + constants(CHUNK=SMALLEST_TABLE), name)

    def _classify(self, size: Any) -> RowClasses:
        """Return the rows by the memory in which a table of `size` entries fits."""
        find = device.xp.flatnonzero
        short = (size <= WARP_ENTRIES) & (self.work <= WARP_PRODUCTS)
        return RowClasses(
            find((size > 0) & short),
            find((size > 0) & (size <= BLOCK_ENTRIES) & ~short),
            find(size > BLOCK_ENTRIES),
        )

    def _run_teams(self, name: str, text: str, classes: RowClasses, *args: Any) -> None:
        """Run a kernel on the rows of warps, and again on those of blocks."""
        text += constants(BLOCK_WARPS=BLOCK // WARP)
        teams = (("WarpTeam", WARP, classes.warp), ("BlockTeam", BLOCK, classes.block))
        for team, threads, rows in teams:
            if n := len(rows):
                team_text = text + f"struct {team}; typedef {team} Team;\n"
                kernel("spgemm_hash", team_text, name)(n * threads, rows, n, self.group, *args)

    def _batches(
        self, rows: Any, size: Any, slot_bytes: int, *, max_slots: int = 1 << 62,
        max_rows: int = 1 << 62,
    ) -> Iterator[Batch]:  # fmt: skip
        """Yield batches of rows whose tables fit into `limit` bytes, one row at least.

        A table has at least twice as many slots as its row has entries, but no more than
        `max_slots`, and no less than SMALLEST_TABLE.
        """
        xp = device.xp
        if not len(rows):
            return
        slots = xp.left_shift(1, xp.ceil(xp.log2(2.0 * size[rows])).astype(np.int64))
        slots = xp.maximum(xp.minimum(slots, max_slots), SMALLEST_TABLE)
        ends = device.to_host(xp.cumsum(slots))
        first = 0
        while first < len(rows):
            done = ends[first - 1] if first else 0
            fitting = int(np.searchsorted(ends, done + self.limit // slot_bytes, "right"))
            last = min(max(first + 1, fitting), first + max_rows)
            batch = rows[first:last]
            starts, _ = prefix_sum_and_total(self.a_indptr[batch + 1] - self.a_indptr[batch])
            tables, total = prefix_sum_and_total(slots[first:last])
            yield Batch(batch, starts, tables, total)
            first = last
