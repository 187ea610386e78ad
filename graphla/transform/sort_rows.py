"""Sort each row of a CSR matrix by (weight, column).

Weights are mapped to unsigned integers of the same order. Rows of up to SHORT entries are sorted
by insertion, longer ones by a radix sort over bytes, which skips a byte that is equal in the whole
row. Both sorts are stable: entries of equal weight stay in the order of their columns.

Parallel split: threads take parts of consecutive rows with about equal numbers of entries.
Conflicts: none, a row is written by one thread, which has its own scratch memory.

Source: D. Knuth, The Art of Computer Programming 3, 5.2.1 and 5.2.5; such rows as
preparation for Boruvka's algorithm: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, get_thread_id, njit, prange

from graphla.core import validation
from graphla.core.properties import CSR, derive
from graphla.numba_support.compiling import announce_compilation

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SHORT = 48  # entries up to which insertion is faster
PARTS = 16  # parts for each thread


@njit(cache=True, nogil=True)
def _key(bits, low, sign, mask):
    """Return an unsigned integer in the order of the weights; sign is 0 for integer weights."""
    word = np.uint64(bits)
    if not sign:
        return (word - low) & mask  # modulo 2^bits, so negative weights come out right
    if word == sign:  # -0.0 is 0.0
        return sign
    return ~word & mask if word & sign else word | sign


@njit(cache=True, nogil=True)
def _insertion_sort(cols, bits, start, end, low, sign, mask, out_cols, out_bits):
    for k in range(start, end):
        col, bit = cols[k], bits[k]
        key = _key(bit, low, sign, mask)
        slot = k
        while slot > start and _key(out_bits[slot - 1], low, sign, mask) > key:
            out_cols[slot], out_bits[slot] = out_cols[slot - 1], out_bits[slot - 1]
            slot -= 1
        out_cols[slot], out_bits[slot] = col, bit


@njit(cache=True, nogil=True)
def _radix_pass(cols, bits, low, sign, mask, shift, out_cols, out_bits, offset):
    """Sort by one byte of the keys; if it is equal in all of them, write nothing, return False."""
    byte = np.uint64(255)
    offset[:] = 0
    for k in range(bits.size):
        offset[(_key(bits[k], low, sign, mask) >> shift) & byte] += 1
    if offset[(_key(bits[0], low, sign, mask) >> shift) & byte] == bits.size:
        return False
    total = 0
    for digit in range(256):
        total, offset[digit] = total + offset[digit], total
    for k in range(bits.size):
        digit = (_key(bits[k], low, sign, mask) >> shift) & byte
        slot = offset[digit]
        out_cols[slot], out_bits[slot] = cols[k], bits[k]
        offset[digit] = slot + 1
    return True


@njit(parallel=True, cache=True, nogil=True)
def _sort_rows(indptr, cols, bits, low, sign, mask, nbytes, parts, out_cols, out_bits, threads):
    longest = 0
    for i in range(indptr.size - 1):
        longest = max(longest, indptr[i + 1] - indptr[i])
    scratch_cols = np.empty((threads, longest), cols.dtype)
    scratch_bits = np.empty((threads, longest), bits.dtype)
    offsets = np.empty((threads, 256), np.int64)
    for p in prange(parts.size - 1):
        t = get_thread_id()
        for i in range(parts[p], parts[p + 1]):
            start, end = indptr[i], indptr[i + 1]
            if end - start <= SHORT:
                _insertion_sort(cols, bits, start, end, low, sign, mask, out_cols, out_bits)
                continue
            row_cols, row_bits = out_cols[start:end], out_bits[start:end]
            other_cols, other_bits = scratch_cols[t, : end - start], scratch_bits[t, : end - start]
            # the input of the next pass is the output row or, if not in_row, the arrays from_*:
            # the unsorted row at first, later the scratch memory
            from_cols, from_bits = cols[start:end], bits[start:end]
            in_row = False
            for byte in range(nbytes):
                shift = np.uint64(8 * byte)
                if in_row:
                    moved = _radix_pass(
                        row_cols, row_bits, low, sign, mask, shift, other_cols, other_bits,
                        offsets[t],
                    )  # fmt: skip
                    from_cols, from_bits = other_cols, other_bits
                    in_row = not moved
                else:
                    in_row = _radix_pass(
                        from_cols, from_bits, low, sign, mask, shift, row_cols, row_bits, offsets[t]
                    )
            if not in_row:
                row_cols[:] = from_cols
                row_bits[:] = from_bits


def rows_by_weight(csr: CSR, low: Any, high: Any) -> CSR:
    """Return the matrix with each row sorted by (weight, column); weights are in low..high."""
    indptr, cols, weight = csr
    if weight is None or not weight.size:
        return csr
    unsigned = np.dtype(f"u{weight.itemsize}")
    width = 8 * weight.itemsize
    if weight.dtype.kind == "f":
        first, sign, nbytes = 0, 1 << width - 1, weight.itemsize
    else:
        first, sign = int(low) % 2**width, 0
        nbytes = ((int(high) - int(low)).bit_length() + 7) // 8
    threads = get_num_threads()
    parts = np.searchsorted(indptr, np.linspace(0, weight.size, PARTS * threads + 1)[1:-1])
    parts = np.concatenate(([0], parts, [indptr.size - 1])).astype(np.int64)
    columns, weights = np.empty_like(cols), np.empty_like(weight)
    with np.errstate(over="ignore"):
        _sort_rows(
            indptr, cols, weight.view(unsigned), np.uint64(first), np.uint64(sign),
            np.uint64(2**width - 1), nbytes, parts, columns, weights.view(unsigned), threads,
        )  # fmt: skip
    return CSR(indptr, columns, weights)


def csr_by_weight(G: Graph) -> CSR:
    """Return ``G.csr`` with each row sorted by (weight, column), cached with the graph.

    It is ``G.csr`` itself if the graph is unweighted. NaN is refused (InvalidValue).
    """
    return derive(G, _sorted_csr)


def _sorted_csr(G: Graph) -> CSR:
    validation.refuse_nan(G, "csr_by_weight")
    with announce_compilation("csr_by_weight"):
        return rows_by_weight(G.csr, G.min_weight, G.max_weight)
