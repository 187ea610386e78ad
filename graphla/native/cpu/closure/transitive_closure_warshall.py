"""Transitive closure (native): Warshall's algorithm on rows of bits, 64 pivots at a time.

    for each block of 64 pivots
        for each pivot k: row i |= row k for the rows i of the block that have bit k
        for all other rows i: row i |= row k for the pivots k with bit k in row i

After the first step row k includes the rows of all pivots in it, so of the pivots in row i those
that are in the row of another one are skipped. If many unions are left, 8 tables hold the unions
of all subsets of 8 consecutive pivots, and a row takes one union from each table.

Parallel split: a thread takes ROWS rows outside the block. Conflicts: none, pivot rows are read
and other rows are written by one thread each.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; on rows of bits:
T. Snytnikova, A. Nepomniaschaya, 2016, for a GPU; tables: V. Arlazarov, E. Dinic,
M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from graphla.native.cpu.closure.relation import empty_bit_rows, expand_classes
from graphla.numba_support.bits import lowest

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ROWS = 64  # rows that a thread takes at a time: the size of a block
SAMPLE = 16  # every SAMPLE-th row is used to estimate whether the tables pay off


@njit(cache=True, nogil=True)
def set_edges(indptr: Any, indices: Any, bits: Any) -> None:
    """Set bit j of row i for each entry (i, j) of a CSR matrix."""
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            bits[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)


@njit(cache=True, nogil=True)
def _close_block(bits, block, low, high):
    """Run Warshall's algorithm with pivots low..high - 1 on their own rows; block = low / 64."""
    for k in range(low, high):
        for i in range(low, high):
            if i != k and bits[i, block] >> np.uint64(k - low) & np.uint64(1):
                for w in range(bits.shape[1]):
                    bits[i, w] |= bits[k, w]


@njit(parallel=True, cache=True, nogil=True)
def _tabulate(bits, low, high, table):
    """Set table[t, m] to the union of the rows of pivots low + 8 t + j over the set bits j of m."""
    for t in prange(8):
        for m in range(1, 256):
            rest = m & (m - 1)
            k = min(low + 8 * t + lowest(np.uint64(m)), high - 1)  # no row has bits of later pivots
            for w in range(bits.shape[1]):
                table[t, m, w] = table[t, rest, w] | bits[k, w]


@njit(cache=True, nogil=True)
def _unite_from_table(bits, i, word, table):
    """Add to row i the union of the pivots that are set in `word`."""
    byte = np.uint64(255)
    a, b = word & byte, word >> np.uint64(8) & byte
    c, d = word >> np.uint64(16) & byte, word >> np.uint64(24) & byte
    e, f = word >> np.uint64(32) & byte, word >> np.uint64(40) & byte
    g, h = word >> np.uint64(48) & byte, word >> np.uint64(56)
    for w in range(bits.shape[1]):
        bits[i, w] |= ((table[0, a, w] | table[1, b, w]) | (table[2, c, w] | table[3, d, w])) | (
            (table[4, e, w] | table[5, f, w]) | (table[6, g, w] | table[7, h, w])
        )


@njit(cache=True, nogil=True)
def _estimate_unions(bits, block, low):
    """Estimate how many unions the rows need with the pivots of a block."""
    count = 0
    for i in range(0, bits.shape[0], SAMPLE):
        pending = bits[i, block]
        while pending:
            pending &= ~bits[low + lowest(pending), block] & (pending - np.uint64(1))
            count += 1
    return SAMPLE * count


@njit(parallel=True, cache=True, nogil=True)
def _close_others(bits, block, low, table, tabulated):
    """Add to each row outside the block the rows of its pivots."""
    n = bits.shape[0]
    for part in prange((n + ROWS - 1) // ROWS):
        if part != block:
            for i in range(part * ROWS, min((part + 1) * ROWS, n)):
                pending = bits[i, block]
                if tabulated and pending:
                    _unite_from_table(bits, i, pending, table)
                    continue
                while pending:
                    k = low + lowest(pending)
                    pending &= ~bits[k, block] & (pending - np.uint64(1))
                    for w in range(bits.shape[1]):
                        bits[i, w] |= bits[k, w]


@njit(cache=True, nogil=True)
def close_rows(bits: Any) -> None:
    """Replace a square relation, in rows of bits, by its transitive closure."""
    n, words = bits.shape
    table = np.zeros((8, 256, words), np.uint64)
    for block in range(words):
        low, high = 64 * block, min(64 * block + 64, n)
        _close_block(bits, block, low, high)
        tabulated = _estimate_unions(bits, block, low) > 8 * 256 + 8 * n
        if tabulated:
            _tabulate(bits, low, high, table)
        _close_others(bits, block, low, table, tabulated)


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs (u, v) with a path from u to v, by Warshall's algorithm: the native kernel."""
    bits = empty_bit_rows(G.n, max_bytes, "vertices")
    set_edges(G.csr.indptr, G.csr.indices, bits)
    close_rows(bits)
    return expand_classes(G, bits, np.arange(G.n), max_bytes)
