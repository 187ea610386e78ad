"""Transitive closure by hand: Warshall's algorithm on rows of bits, 64 pivots at a time.

    for each block of 64 pivots
        for pivot k: row i |= row k for the rows i of the block that have bit k
        for all other rows i: row i |= row k for the pivots k in row i

After the first step row k contains the rows of all pivots in it, so a pivot that lies in
the row of another one of row i is passed over: mostly a few of the 64 are left.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; on rows of bits:
T. Snytnikova, A. Nepomniaschaya, 2016, for a GPU; blocks: V. Arlazarov, E. Dinic,
M. Kronrod, I. Faradzev, 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from graphla.native.cpu.bits import lowest
from graphla.native.cpu.relation import matrix, rows_of_bits

if TYPE_CHECKING:
    from graphla.graph import Graph

ROWS = 64  # that a thread takes at a time


@njit(cache=True, nogil=True)
def _set(indptr, indices, bits):
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            bits[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)


@njit(parallel=True, cache=True, nogil=True)
def _close(bits):
    n, words = bits.shape
    one = np.uint64(1)
    for b in range(words):
        low, high = 64 * b, min(64 * b + 64, n)
        for k in range(low, high):
            for i in range(low, high):
                if i != k and bits[i, b] >> np.uint64(k - low) & one:
                    for w in range(words):
                        bits[i, w] |= bits[k, w]
        for part in prange((n + ROWS - 1) // ROWS):
            if part != b:
                for i in range(part * ROWS, min((part + 1) * ROWS, n)):
                    left = bits[i, b]
                    while left:
                        k = low + lowest(left)
                        left &= ~(bits[k, b] | (left & (~left + one)))
                        for w in range(words):
                            bits[i, w] |= bits[k, w]


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm: the kernel."""
    bits = rows_of_bits(G.n, max_bytes, "vertices")
    _set(G.csr.indptr, G.csr.indices, bits)
    _close(bits)
    return matrix(G, bits, np.arange(G.n), max_bytes)
