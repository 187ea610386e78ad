"""A relation between classes of vertices, as rows of bits, turned into a Boolean Matrix.

Bit d % 64 of word d / 64 of row c says that the vertices of class c are related to those of
class d. The entries are counted before the Matrix is built, and its form is the smaller one:
a bitmap of n x n bytes, sparse rows at 8 bytes an entry, or nothing where all are related.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from graphblas.dtypes import BOOL
from numba import get_num_threads, get_thread_id, njit, prange

from graphla.core import memory
from graphla.numba_support.bits import lowest, popcount

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PARTS = 4  # a thread
# the eight bits of each byte, as eight bytes
BYTES = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view(np.uint64)


def rows_of_bits(count: int, max_bytes: int | None, of: str) -> Any:
    """Return `count` rows of as many bits, all 0, where they fit in memory."""
    words = (count + 63) // 64
    allowed = max(memory.budget(max_bytes), memory.budget())
    memory.require(8 * words * count, allowed, f"the closure of {count:,} {of}, in bits")
    return np.zeros((count, words), np.uint64)


def matrix(G: Graph, bits: Any, component: Any, max_bytes: int | None) -> Any:
    """Return the relation of the vertices; component[v] is the class of v."""
    n, classes = G.n, bits.shape[0]
    order = np.argsort(component, kind="stable")
    size = np.bincount(component, minlength=classes)
    length = _lengths(bits, size, np.flatnonzero(size > 1))
    entries = int(length @ size)
    if not entries:
        return G.matrix(BOOL)
    what = f"the closure of {n:,} vertices, {entries:,} entries"
    if entries == n * n:
        return Matrix.ss.import_fullr(
            np.ones(1, bool), nrows=n, ncols=n, is_iso=True, take_ownership=True
        )
    memory.require(min(n * n, 8 * entries), memory.budget(max_bytes), what)
    if n * n <= 8 * entries:
        present = np.empty((n, n), bool)
        _fill_bitmap(bits, component, order, present, get_num_threads(), BYTES)
        return Matrix.ss.import_bitmapr(
            bitmap=present, values=np.ones(1, bool), nvals=entries, nrows=n, ncols=n,
            is_iso=True, take_ownership=True,
        )  # fmt: skip
    indptr = np.zeros(n + 1, np.uint64)
    np.cumsum(length[component], out=indptr[1:])
    columns = np.empty(entries, np.uint64)
    _fill_sparse(bits, component, order, np.cumsum(size) - size, indptr, columns, get_num_threads())
    return Matrix.ss.import_csr(
        nrows=n, ncols=n, indptr=indptr, col_indices=columns, values=np.ones(1, bool),
        is_iso=True, sorted_cols=True, take_ownership=True,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _lengths(bits, size, several):
    """Return how many vertices each class is related to, given the classes of several."""
    length = np.zeros(bits.shape[0], np.int64)
    for c in range(bits.shape[0]):
        total = 0
        for w in range(bits.shape[1]):
            total += popcount(bits[c, w])
        for k in range(several.size):
            d = several[k]
            if bits[c, d >> 6] >> np.uint64(d & 63) & np.uint64(1):
                total += size[d] - 1
        length[c] = total
    return length


@njit(parallel=True, cache=True, nogil=True)
def _fill_bitmap(bits, component, order, present, threads, table):
    """Write the rows, class by class: a class's first one from its bits, the others as copies."""
    n, words = component.size, bits.shape[1]
    unpacked = np.empty((threads, 8 * words), np.uint64)
    parts = PARTS * threads
    for p in prange(parts):
        eight = unpacked[get_thread_id()]
        single = eight.view(np.uint8)
        before = -1
        for i in range(p * n // parts, (p + 1) * n // parts):
            v = order[i]
            if before >= 0 and component[before] == component[v]:
                present[v] = present[before]
                continue
            for w in range(words):
                word = bits[component[v], w]
                for k in range(8):
                    eight[8 * w + k] = table[word >> np.uint64(8 * k) & np.uint64(255)]
            for j in range(n):
                present[v, j] = single[component[j]]
            before = v


@njit(parallel=True, cache=True, nogil=True)
def _fill_sparse(bits, component, order, first, indptr, columns, threads):
    n, words = component.size, bits.shape[1]
    parts = PARTS * threads
    for p in prange(parts):
        before = -1
        for i in range(p * n // parts, (p + 1) * n // parts):
            v = order[i]
            c = component[v]
            start, end = np.int64(indptr[v]), np.int64(indptr[v + 1])
            if before >= 0 and component[before] == c:
                again = np.int64(indptr[before])
                columns[start:end] = columns[again : again + end - start]
                continue
            at = start
            for w in range(words):
                word = bits[c, w]
                while word:
                    d = 64 * w + lowest(word)
                    word &= word - np.uint64(1)
                    k = first[d]
                    while k < n and component[order[k]] == d:
                        columns[at] = order[k]
                        at += 1
                        k += 1
            columns[start:end].sort()
            before = v
