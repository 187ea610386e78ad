"""Rows sorted by weight: each row of a CSR matrix by (weight, column), many rows at once.

Weights become unsigned integers of the same order. A short row is sorted by
insertion, a long one by a radix sort over bytes, which passes over a byte that is
the same in the whole row. Both are stable: equal weights stay in the order of columns.

Source: D. Knuth, The Art of Computer Programming 3, 5.2.1 and 5.2.5; such rows as
preparation for Boruvka's algorithm: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import get_num_threads, get_thread_id, njit, prange

from graphla.core.properties import CSR

SHORT = 48  # entries up to which insertion is faster
PARTS = 16  # a thread: parts have about equal numbers of entries


@njit(cache=True, nogil=True)
def _key(bits, low, sign, mask):
    """Return an unsigned integer in the order of a weight; sign is 0 where it is an integer."""
    word = np.uint64(bits)
    if not sign:
        return (word - low) & mask  # modulo 2^bits, so negative weights come out right
    if word == sign:  # -0.0 is 0.0
        return sign
    return ~word & mask if word & sign else word | sign


@njit(cache=True, nogil=True)
def _insertion(cols, bits, start, end, low, sign, mask, to_cols, to_bits):
    for k in range(start, end):
        col, bit = cols[k], bits[k]
        key = _key(bit, low, sign, mask)
        at = k
        while at > start and _key(to_bits[at - 1], low, sign, mask) > key:
            to_cols[at], to_bits[at] = to_cols[at - 1], to_bits[at - 1]
            at -= 1
        to_cols[at], to_bits[at] = col, bit


@njit(cache=True, nogil=True)
def _distribute(cols, bits, low, sign, mask, shift, to_cols, to_bits, place):
    """Sort by one byte of the keys; return False, with nothing moved, where all have the same."""
    byte = np.uint64(255)
    place[:] = 0
    for k in range(bits.size):
        place[(_key(bits[k], low, sign, mask) >> shift) & byte] += 1
    if place[(_key(bits[0], low, sign, mask) >> shift) & byte] == bits.size:
        return False
    before = 0
    for digit in range(256):
        before, place[digit] = before + place[digit], before
    for k in range(bits.size):
        digit = (_key(bits[k], low, sign, mask) >> shift) & byte
        at = place[digit]
        to_cols[at], to_bits[at] = cols[k], bits[k]
        place[digit] = at + 1
    return True


@njit(parallel=True, cache=True, nogil=True)
def _sort_rows(indptr, cols, bits, low, sign, mask, nbytes, parts, to_cols, to_bits, threads):
    longest = 0
    for i in range(indptr.size - 1):
        longest = max(longest, indptr[i + 1] - indptr[i])
    spare_cols = np.empty((threads, longest), cols.dtype)
    spare_bits = np.empty((threads, longest), bits.dtype)
    places = np.empty((threads, 256), np.int64)
    for p in prange(parts.size - 1):
        me = get_thread_id()
        for i in range(parts[p], parts[p + 1]):
            start, end = indptr[i], indptr[i + 1]
            if end - start <= SHORT:
                _insertion(cols, bits, start, end, low, sign, mask, to_cols, to_bits)
                continue
            ours_cols, ours_bits = to_cols[start:end], to_bits[start:end]
            other_cols, other_bits = spare_cols[me, : end - start], spare_bits[me, : end - start]
            at_cols, at_bits = cols[start:end], bits[start:end]
            ours = False  # whether the row, as sorted so far, lies in `ours`
            for byte in range(nbytes):
                shift = np.uint64(8 * byte)
                if ours:
                    moved = _distribute(
                        ours_cols, ours_bits, low, sign, mask, shift, other_cols, other_bits,
                        places[me],
                    )  # fmt: skip
                    at_cols, at_bits = other_cols, other_bits
                    ours = not moved
                else:
                    ours = _distribute(
                        at_cols, at_bits, low, sign, mask, shift, ours_cols, ours_bits, places[me]
                    )
            if not ours:
                ours_cols[:] = at_cols
                ours_bits[:] = at_bits


def rows_by_weight(csr: CSR, low: Any, high: Any) -> CSR:
    """Return the matrix with each row sorted by (weight, column), given the range of weights."""
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
