"""C<M> = A B where only the entries of the mask are computed, with room for those alone.

Two ways, both with the row that is asked again and again in shared memory:

- dot: for (i, j) of the mask, row i of A meets row j of B', which is walked through by warps
  that look its columns up in row i. A sum stays in registers; a terminal value ends it.
- Gustavson: the rows k of B, k in row i of A, are walked through and their columns looked
  up in row i of the mask, with a sum in shared memory for each of its entries.

Both read the same rows for C<L> = L plus.pair L' (dot, which needs L alone) and for
C<L> = L plus.pair L (Gustavson, which needs L alone too). The first is faster: no atomics.
Short rows are searched by one thread for each entry of the mask instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.storage.csr import CSRArrays, allocate, offsets, running, typedef
from graphla.cuda.storage.vector_formats import index_dtype
from graphla.errors import OutOfDeviceMemory

GROUP, WARP = 8, 32  # threads to a short row and to a row
THIN, FEW = 16, 4  # entries up to which a row is short; entries of the mask that are worth a set
SEARCH = 16  # entries of a row that are read in the time of a search in it
DOT_PIECE, MASKED_PIECE = 1024, 1536  # entries of the mask that a block has at a time: PIECE


class Masked:
    """One masked product: its operands and its output as the kernels take them."""

    def __init__(
        self, A: CSRArrays, B: CSRArrays, mask: Any, text: str, zdtype: Any, reduce: bool
    ) -> None:
        xp = device.xp
        self.A, self.B, self.mask, self.text = A, B, mask, text
        self.n, self.zdtype = len(A.indptr) - 1, zdtype
        self.text += f"enum {{ REDUCE = {int(reduce)} }};\n"
        self.hit = self.values = None
        self.some, self.all = xp.zeros(1, np.uint32), xp.zeros(1, np.uint64)
        if not reduce:
            nvals = len(mask[1])
            needed = nvals * (1 + zdtype.itemsize)
            what = f"a product under a mask of {nvals:,} entries"
            if needed > (free := device.free()):
                raise OutOfDeviceMemory(what, needed=needed, free=free)
            with device.memory(needed, what):
                self.hit, self.values = xp.zeros(nvals, np.uint8), xp.empty(nvals, zdtype)

    def run(self, name: str, count: int, *args: Any) -> None:
        """Run a kernel with `count` threads."""
        outputs = (self.hit, self.values, self.some, self.all)
        file = f"spgemm_{name.split('_')[0]}"
        kernel(file, self.text, name)(count, *args, *self.A, *self.B, *self.mask, *outputs)

    def by_pieces(self, name: str, rows: Any, piece: int, threads: int) -> None:
        """Run a kernel on pieces of the mask's rows, `threads` to each."""
        if not len(rows):
            return
        xp, indptr = device.xp, self.mask[0]
        begin = indptr[rows].astype(np.int64)
        starts, units = running((indptr[rows + 1] - begin + piece - 1) // piece)
        unit = xp.arange(units)
        row = xp.searchsorted(starts, unit, side="right") - 1
        first = begin[row] + (unit - starts[row]) * piece
        queue = (xp.zeros(1, np.uint64),) if threads == BLOCK else ()
        self.run(name, units * threads, rows[row], first, units, *queue)

    def start(self, name: str) -> None:
        kernel(f"spgemm_{name}", self.text, "clear_total")(1, self.all)

    def dot(self) -> None:
        """B is given by the rows of B'."""
        kind, A = device.xp.empty(self.n, np.uint8), self.A
        kernel("spgemm_dot", self.text, "dot_classify")(
            self.n, self.n, THIN, FEW, A.indptr, A.indices, self.mask[0], kind
        )
        find = device.xp.flatnonzero
        self.start("dot")
        self.by_pieces("dot_thread", find(kind == 1), DOT_PIECE, GROUP)
        self.by_pieces("dot_warp", find(kind == 2), DOT_PIECE, WARP)
        self.by_pieces("dot_block", find(kind == 3), DOT_PIECE, BLOCK)

    def gustavson(self, work: Any) -> None:
        """`work`: the number of products of each row."""
        kind = device.xp.empty(self.n, np.uint8)
        kernel("spgemm_masked", self.text, "masked_classify")(
            self.n, self.n, SEARCH, self.A.indptr, self.mask[0], work, kind
        )
        self.start("masked")
        find = device.xp.flatnonzero
        self.by_pieces("masked_thread", find(kind == 1), MASKED_PIECE, GROUP)
        self.by_pieces("masked_block", find(kind == 2), MASKED_PIECE, BLOCK)

    def total(self) -> tuple[Any, Any]:
        """Return, as arrays of one element, the sum of all entries and whether there is any."""
        size = 4 if self.zdtype.itemsize < 8 else 8
        return self.all.view(f"u{size}")[:1].view(self.zdtype)[:1], self.some

    def result(self) -> CSRArrays:
        """Return the entries of the mask that some product has hit."""
        xp, (mp, mi) = device.xp, self.mask
        counts = xp.empty(self.n, np.int64)
        text = typedef("MOffset", mp.dtype) + typedef("MIndex", mi.dtype)
        text += typedef("Value", self.zdtype)
        kernel("csr_compact", text + typedef("COffset", np.int64), "compact_count")(
            self.n * WARP, self.n, mp, self.hit, counts
        )
        indptr, nvals = offsets(counts)
        if nvals == len(mi):
            return CSRArrays(mp.astype(index_dtype(nvals), copy=False), mi, self.values)
        C = allocate(indptr, nvals, mi.dtype, self.zdtype)
        kernel("csr_compact", text + typedef("COffset", indptr.dtype), "compact_write")(
            self.n * WARP, self.n, mp, mi, self.hit, self.values, *C
        )
        return C
