"""C<M> = A B by Gustavson's method, computing the entries of the mask only (spgemm_masked.cu).

The rows k of B, for k in row i of A, are read and their columns looked up in row i of the mask,
which is in shared memory together with a sum for each of its entries. Rows with little work are
searched instead, by one thread for each entry of the mask. :class:`MaskedProduct` is shared with
the dot products (dot.py): memory is allocated for the entries of the mask, and those that some
product has reached are kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.operations.definitions import WARP, constants, typedefs
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR, allocate, prefix_sum_and_total, row_offsets
from graphla.cuda.storage.vector_formats import kernel_index_dtype
from graphla.errors import OutOfDeviceMemory

GROUP = 8  # threads that share a piece of the mask whose entries a thread computes alone
SEARCH = 16  # entries of a row that are read in the time of a search in it
MAX_HASHED = 1536  # columns that fit in the hash table of a row in shared memory (row_set.cuh)
PIECE = MAX_HASHED  # entries of the mask's row that a block has at a time


def multiply(A: CSR, B: CSR, mask: CSR, text: str, zdtype: Any, work: Any) -> CSR:
    """Return C<M> = A B; `work` is the number of products of each row of A B."""
    text += constants(POSITION=True, PIECE=PIECE)
    product = MaskedProduct("spgemm_masked", A, B, mask, text, zdtype)
    xp, n = device.xp, A.nrows
    kind = xp.empty(n, np.uint8)
    product.kernel("masked_classify")(n, n, SEARCH, A.indptr, mask.indptr, work, kind)
    product.run_on_pieces("masked_thread", xp.flatnonzero(kind == 1), PIECE, GROUP)
    product.run_on_pieces("masked_block", xp.flatnonzero(kind == 2), PIECE, BLOCK)
    return product.result()


class MaskedProduct:
    """The operands and the output of one masked product, and the launches of its kernels.

    Parameters
    ----------
    file : str
        Of the kernels.
    A, B : CSR
        B or B', as the kernels take it.
    mask : CSR
    text : str
        Definitions for the kernels.
    zdtype : dtype
        Of the values of C.
    """

    def __init__(self, file: str, A: CSR, B: CSR, mask: CSR, text: str, zdtype: Any) -> None:
        xp, nvals = device.xp, mask.nvals
        self.file, self.A, self.mask, self.zdtype = file, A, mask, zdtype
        self.text = text + constants(MAX_HASHED=MAX_HASHED, GROUP=GROUP, BLOCK=BLOCK)
        needed = nvals * (1 + zdtype.itemsize)
        what = f"a product under a mask of {nvals:,} entries"
        if needed > (free := device.free()):
            raise OutOfDeviceMemory(what, needed=needed, free=free)
        with device.allocation(needed, what):
            self.hit, self.values = xp.zeros(nvals, np.uint8), xp.empty(nvals, zdtype)
        structure = mask.indptr, mask.indices
        self.arguments = (*A.arrays, *B.arrays, *structure, self.hit, self.values)

    def kernel(self, name: str) -> Any:
        """Return a kernel of the file."""
        return kernel(self.file, self.text, name)

    def run_on_pieces(self, name: str, rows: Any, piece: int, threads: int) -> None:
        """Run a kernel on `piece` entries at a time of the mask's rows, `threads` to each piece."""
        if not len(rows):
            return
        xp, indptr = device.xp, self.mask.indptr
        begin = indptr[rows].astype(np.int64)
        starts, units = prefix_sum_and_total((indptr[rows + 1] - begin + piece - 1) // piece)
        unit = xp.arange(units)
        row = xp.searchsorted(starts, unit, side="right") - 1
        first = begin[row] + (unit - starts[row]) * piece
        queue = (xp.zeros(1, np.uint64),) if threads == BLOCK else ()
        self.kernel(name)(units * threads, rows[row], first, units, *queue, *self.arguments)

    def result(self) -> CSR:
        """Return the entries of the mask that some product has reached."""
        mask, n = self.mask, self.mask.nrows
        lengths = device.xp.empty(n, np.int64)
        text = typedefs(MOffset=mask.indptr.dtype, MIndex=mask.indices.dtype, Value=self.zdtype)
        count = kernel("csr_compact", text + typedefs(COffset=np.int64), "compact_count")
        count(n * WARP, n, mask.indptr, self.hit, lengths)
        indptr, nvals = row_offsets(lengths)
        if nvals == mask.nvals:
            indptr = mask.indptr.astype(kernel_index_dtype(nvals), copy=False)
            return CSR(indptr, mask.indices, self.values, mask.ncols)
        C = allocate(indptr, nvals, mask.indices.dtype, mask.ncols, self.zdtype)
        write = kernel("csr_compact", text + typedefs(COffset=indptr.dtype), "compact_write")
        write(n * WARP, n, mask.indptr, mask.indices, self.hit, self.values, *C.arrays)
        return C
