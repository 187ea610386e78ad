"""Transitive closure by hand: Warshall's algorithm on rows of bits, 64 pivots at a time.

    for each block of 64 pivots
        for pivot k: row i |= row k for the rows i of the block that have bit k
        for all other rows i: row i |= row k for the pivots k in row i

After the first step row k contains the rows of all pivots in it, so a pivot that lies in
the row of another one of row i is passed over. Where many are left all the same, the
unions for each byte of pivots are put in a table, and a row takes 8 of them.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; on rows of bits:
T. Snytnikova, A. Nepomniaschaya, 2016, for a GPU; tables: V. Arlazarov, E. Dinic,
M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from graphla.native.cpu.relation import matrix, rows_of_bits
from graphla.numba_support.bits import lowest

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ROWS = 64  # that a thread takes at a time, the size of a block
SAMPLE = 16  # one row in so many is asked whether tables are worth their price


@njit(cache=True, nogil=True)
def set_edges(indptr: Any, indices: Any, bits: Any) -> None:
    """Set bit j of row i for each entry of compressed sparse rows."""
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            bits[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)


@njit(cache=True, nogil=True)
def _close_block(bits, b, low, high):
    """Run Warshall's algorithm with the pivots of a block on their own rows."""
    for k in range(low, high):
        for i in range(low, high):
            if i != k and bits[i, b] >> np.uint64(k - low) & np.uint64(1):
                for w in range(bits.shape[1]):
                    bits[i, w] |= bits[k, w]


@njit(parallel=True, cache=True, nogil=True)
def _tabulate(bits, low, high, table):
    """Set table[t, m] to the union of the pivots 8 t + j over the bits j of m."""
    for t in prange(8):
        for m in range(1, 256):
            rest = m & (m - 1)
            k = min(low + 8 * t + lowest(np.uint64(m)), high - 1)  # beyond it no row has bits
            for w in range(bits.shape[1]):
                table[t, m, w] = table[t, rest, w] | bits[k, w]


@njit(cache=True, nogil=True)
def _unite_by_bytes(bits, i, word, table):
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
def _unions(bits, b, low):
    """Estimate how many unions the rows need with the pivots of a block."""
    count = 0
    for i in range(0, bits.shape[0], SAMPLE):
        left = bits[i, b]
        while left:
            left &= ~bits[low + lowest(left), b] & (left - np.uint64(1))
            count += 1
    return SAMPLE * count


@njit(parallel=True, cache=True, nogil=True)
def _close_others(bits, b, low, table, tabulated):
    """Unite all rows outside the block with their pivots."""
    n = bits.shape[0]
    for part in prange((n + ROWS - 1) // ROWS):
        if part != b:
            for i in range(part * ROWS, min((part + 1) * ROWS, n)):
                left = bits[i, b]
                if tabulated and left:
                    _unite_by_bytes(bits, i, left, table)
                    continue
                while left:
                    k = low + lowest(left)
                    left &= ~bits[k, b] & (left - np.uint64(1))
                    for w in range(bits.shape[1]):
                        bits[i, w] |= bits[k, w]


@njit(cache=True, nogil=True)
def close_rows(bits: Any) -> None:
    """Close a square relation, a row of bits for each row."""
    n, words = bits.shape
    table = np.zeros((8, 256, words), np.uint64)
    for b in range(words):
        low, high = 64 * b, min(64 * b + 64, n)
        _close_block(bits, b, low, high)
        tabulated = _unions(bits, b, low) > 8 * 256 + 8 * n
        if tabulated:
            _tabulate(bits, low, high, table)
        _close_others(bits, b, low, table, tabulated)


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm: the kernel."""
    bits = rows_of_bits(G.n, max_bytes, "vertices")
    set_edges(G.csr.indptr, G.csr.indices, bits)
    close_rows(bits)
    return matrix(G, bits, np.arange(G.n), max_bytes)
