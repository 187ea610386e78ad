"""w<M> = u' A by push, for a sparse list u (spmspv.cu).

The kernels read the rows of A at the entries of u, skip the columns that the mask excludes, and
append each column that they reach to the list w once. Two variants differ in how a column is
claimed; :meth:`SpMSpV.push_into` chooses by the number of edges:

- few edges: a word for each position holds the number of the last call that claimed it;
- many edges: a bitmap of all positions, set to the mask's complement before the push; a pass
  over its words makes the list.

Sums are accumulated in an array with a word for each position; for the monoid ANY the thread
that claims a column writes its value. Rows of UNIT edges and more are shared by all warps.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.expressions.statement import Mask, probe
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import PlanBuffers, zeroed_words
from graphla.cuda.operations.definitions import (
    WARP,
    constants,
    mask_kind,
    mask_type,
    native_atomic,
    semiring_definitions,
    typedefs,
)
from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Sparse, bitmap_words, cuda_type, kernel_index_dtype

NO_CALL = np.int32(0)
UNIT = 128  # edges that a warp has in flight (spmspv.cu); longer rows are shared among warps
BITMAP_EDGES = 1.0  # edges for each word of the bitmap from which the bitmap is cheaper
UNCOUNTED = 4.0  # times that threshold if the host has only an upper bound of the size of u


class PushKernels(NamedTuple):
    """The kernels of spmspv.cu; of each pair, the second pushes the edges of long rows."""

    clear_accumulators: Kernel
    collect_accumulators: Kernel
    claim_masked_out: Kernel
    list_claimed: Kernel
    to_list: tuple[Kernel, Kernel]
    to_bitmap: tuple[Kernel, Kernel]


@cache
def _kernels(*case: Any) -> PushKernels:
    lists, bits = (partial(_kernel, case, use_bitmap) for use_bitmap in (False, True))
    return PushKernels(
        lists("clear_accumulators"),
        lists("collect_accumulators"),
        bits("claim_masked_out"),
        bits("list_claimed"),
        (lists("spmspv"), lists("spmspv_long_rows")),
        (bits("spmspv"), bits("spmspv_long_rows")),
    )


def _kernel(case: tuple[Any, ...], use_bitmap: bool, name: str) -> Kernel:
    semiring, offset, columns, source, index, mask, kind, is_any, atomic = case
    types = typedefs(Offset=offset, Columns=columns, Source=source, Index=index, Mask=mask)
    flags = constants(MASK=kind, ANY=is_any, BITS=use_bitmap, UNIT=UNIT)
    return kernel("spmspv", types + flags + atomic + semiring, name)


class SpMSpV:
    """The product w<M> = u' A for lists u of one dtype; it may be computed many times.

    Parameters
    ----------
    A : CSR
        The rows to push along, m x n. `transposed`: they are the rows of the operand's transpose.
    u_dtype : dtype
    op : semiring
    flip : bool
        u is the left operand of the semiring's multiplication.
    size : int
        Positions of w: n, or a multiple k n if u and w are k vectors one behind the other.
    mask : Mask or None
    """

    def __init__(
        self,
        A: CSR,
        transposed: bool,
        u_dtype: Any,
        op: Any,
        flip: bool,
        size: int,
        mask: Mask | None,
    ) -> None:
        is_any, self.dtype = tables.is_any(op.monoid), op.return_type
        value_types = cuda_type(A.values.dtype), cuda_type(u_dtype.np_type)
        text = semiring_definitions(op, *value_types, A.iso, flip, transposed)
        vectors = size // max(1, A.ncols)
        source, target = kernel_index_dtype(vectors * A.nrows), kernel_index_dtype(size)
        self.kernels = _kernels(
            text, *map(cuda_type, (A.indptr.dtype, A.indices.dtype, source, target)),
            mask_type(mask), mask_kind(mask), is_any, native_atomic(op.monoid),
        )  # fmt: skip
        self.A, self.mask, self.size, self.definitions = A, mask, size, text
        self.rows = (A.nrows, A.ncols, *A.arrays)
        self.longest = A.max_row_length
        self.monoid = None if is_any else op.monoid
        # an upper bound of the number of entries of u whose rows are long
        long_rows = vectors * min(A.nrows, A.nvals // UNIT)
        self.max_long_rows = long_rows if self.longest >= UNIT else 0
        self.buffers = PlanBuffers()

    def __call__(self, u: Sparse, replaced: Any) -> Sparse:
        """Return u' A as a list; `replaced` is the store whose place it takes."""
        w = self.new_list(u.max_nvals, replaced)
        accumulators = self.push_into(w, u, u.max_nvals)
        if accumulators:
            self.kernels.collect_accumulators(
                self.size, w.count, w.keys, accumulators.array, w.values
            )
            buffer_pool.release(accumulators)
        return w

    def new_list(self, frontier_size: int, replaced: Any = None) -> Sparse:
        """Return an empty list with room for what `frontier_size` entries of u can reach."""
        limit = min(self.size, frontier_size * self.longest)
        return Sparse.allocate(self.size, limit, self.dtype, replaced, self.buffers, True)

    def push_into(self, w: Sparse, u: Sparse, frontier_size: int) -> Any:
        """Fill the empty list w; `frontier_size` is about the number of entries of u.

        Returns
        -------
        Accumulators or None
            None if the values are in w. Otherwise the caller takes the values of the keys in w from
            the accumulators, sets these back to the identity, and releases them.
        """
        _, mask_values, mask_bits = probe(self.mask)
        run, size, stream = self.kernels, self.size, device.active.stream_key
        nwords, accumulators = bitmap_words(size), None
        if self.monoid is not None:
            accumulators = buffer_pool.acquire_accumulators(
                size, self.monoid, run.clear_accumulators
            )
        threshold = BITMAP_EDGES if u.is_counted else UNCOUNTED * BITMAP_EDGES
        if frontier_size * self.longest > threshold * nwords:
            xp = device.active.xp
            claimed = xp.empty(nwords, np.uint32)
            value_dtype = buffer_pool.accumulator_dtype(self.dtype)
            values = accumulators.array if accumulators else xp.empty(size, value_dtype)
            run.claim_masked_out(nwords, nwords, size, mask_values, mask_bits, claimed)
            self._push_edges(
                run.to_bitmap, u, frontier_size, None,
                mask_values, mask_bits, claimed, NO_CALL, values, w.keys, w.values, w.count,
            )  # fmt: skip
            run.list_claimed(
                nwords, nwords, size, mask_values, mask_bits, claimed, values,
                w.keys, w.values, w.count, w.host_count,
            )  # fmt: skip
            if accumulators:
                buffer_pool.release(accumulators)
            return None
        marks = buffer_pool.acquire_marks(size, stream)
        self._push_edges(
            run.to_list, u, frontier_size, w.host_count,
            mask_values, mask_bits, marks.array, marks.call, accumulators and accumulators.array,
            w.keys, w.values, w.count,
        )  # fmt: skip
        buffer_pool.release(marks)
        return accumulators

    def _push_edges(
        self, kernels: Any, u: Sparse, frontier_size: int, host: Any, *output: Any
    ) -> None:
        """Push every edge of u; the last kernel publishes the size of the list to `host`."""
        short, long = kernels
        arguments = (u.keys, u.values, *self.rows, *output)
        if not self.max_long_rows:
            short(WARP * frontier_size, u.count, *arguments, host, None, None, None)
            return
        begins, entries = (
            device.xp.empty(min(self.max_long_rows, u.max_nvals), np.int64) for _ in range(2)
        )
        nlong = zeroed_words()
        short(WARP * frontier_size, u.count, *arguments, None, begins, entries, nlong)
        long(WARP * self.A.nvals // UNIT, nlong, begins, entries, *arguments, host)
