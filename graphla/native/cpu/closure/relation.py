"""A relation between classes of vertices, stored as rows of bits, expanded to a Boolean Matrix.

Bit d % 64 of word d / 64 of row c is set if the vertices of class c are related to the vertices
of class d. The entries are counted before the Matrix is built, to choose its smallest form: a
bitmap of n x n bytes, sparse rows with 8 bytes for each entry, or a full matrix with one value if
all pairs are related.

Parallel split: a thread fills a range of the vertices sorted by class. The first row of a class is
expanded from its bits; the other rows of the class are copies. Conflicts: none.
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

PARTS = 4  # ranges of vertices for each thread
# BYTE_BITS[b] is the eight bits of b, as eight bytes of a word
BYTE_BITS = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view(np.uint64)


def empty_bit_rows(count: int, max_bytes: int | None, classes: str) -> Any:
    """Return `count` rows of `count` bits, all 0; raise OutOfMemory if they exceed the budget.

    `classes` names them in the message: "vertices" or "components".
    """
    words = (count + 63) // 64
    allowed = max(memory.budget(max_bytes), memory.budget())
    memory.require(8 * words * count, allowed, f"the closure of {count:,} {classes}, in bits")
    return np.zeros((count, words), np.uint64)


def expand_classes(G: Graph, bits: Any, class_of: Any, max_bytes: int | None) -> Any:
    """Return the relation of the vertices as a Matrix; class_of[v] is the class of v."""
    n = G.n
    class_of = class_of.astype(np.int64, copy=False)  # of one dtype: kernels are compiled once
    order = np.argsort(class_of, kind="stable")
    size = np.bincount(class_of, minlength=bits.shape[0])
    length = _row_lengths(bits, size, np.flatnonzero(size > 1))
    entries = int(length @ size)
    if not entries:
        return G.matrix(BOOL)
    if entries == n * n:
        return Matrix.ss.import_fullr(
            np.ones(1, bool), nrows=n, ncols=n, is_iso=True, take_ownership=True
        )
    what = f"the closure of {n:,} vertices, {entries:,} entries"
    memory.require(min(n * n, 8 * entries), memory.budget(max_bytes), what)
    if n * n <= 8 * entries:
        present = np.empty((n, n), bool)
        _fill_bitmap(bits, class_of, order, present, get_num_threads(), BYTE_BITS)
        return Matrix.ss.import_bitmapr(
            bitmap=present, values=np.ones(1, bool), nvals=entries, nrows=n, ncols=n,
            is_iso=True, take_ownership=True,
        )  # fmt: skip
    indptr = np.zeros(n + 1, np.uint64)
    np.cumsum(length[class_of], out=indptr[1:])
    columns = np.empty(entries, np.uint64)
    _fill_sparse(bits, class_of, order, np.cumsum(size) - size, indptr, columns, get_num_threads())
    return Matrix.ss.import_csr(
        nrows=n, ncols=n, indptr=indptr, col_indices=columns, values=np.ones(1, bool),
        is_iso=True, sorted_cols=True, take_ownership=True,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _row_lengths(bits, size, large_classes):
    """Return how many vertices each class is related to; large classes have two or more."""
    length = np.zeros(bits.shape[0], np.int64)
    for c in range(bits.shape[0]):
        total = 0
        for w in range(bits.shape[1]):
            total += popcount(bits[c, w])
        for k in range(large_classes.size):
            d = large_classes[k]
            if bits[c, d >> 6] >> np.uint64(d & 63) & np.uint64(1):
                total += size[d] - 1
        length[c] = total
    return length


@njit(parallel=True, cache=True, nogil=True)
def _fill_bitmap(bits, class_of, order, present, threads, table):
    """Fill an n x n Boolean bitmap; `table` is BYTE_BITS."""
    n, words = class_of.size, bits.shape[1]
    unpacked = np.empty((threads, 8 * words), np.uint64)  # for each thread, bits as bytes
    parts = PARTS * threads
    for part in prange(parts):
        bytes_by_8 = unpacked[get_thread_id()]
        bytes_of_row = bytes_by_8.view(np.uint8)
        previous = -1
        for i in range(part * n // parts, (part + 1) * n // parts):
            v = order[i]
            if previous >= 0 and class_of[previous] == class_of[v]:
                present[v] = present[previous]
                continue
            for w in range(words):
                word = bits[class_of[v], w]
                for k in range(8):
                    bytes_by_8[8 * w + k] = table[word >> np.uint64(8 * k) & np.uint64(255)]
            for j in range(n):
                present[v, j] = bytes_of_row[class_of[j]]
            previous = v


@njit(parallel=True, cache=True, nogil=True)
def _fill_sparse(bits, class_of, order, first, indptr, columns, threads):
    """Fill the column indices; the vertices of class d begin at order[first[d]]."""
    n, words = class_of.size, bits.shape[1]
    parts = PARTS * threads
    for part in prange(parts):
        previous = -1
        for i in range(part * n // parts, (part + 1) * n // parts):
            v = order[i]
            c = class_of[v]
            start, end = np.int64(indptr[v]), np.int64(indptr[v + 1])
            if previous >= 0 and class_of[previous] == c:
                copied = np.int64(indptr[previous])
                columns[start:end] = columns[copied : copied + end - start]
                continue
            position = start
            for w in range(words):
                word = bits[c, w]
                while word:
                    d = 64 * w + lowest(word)
                    word &= word - np.uint64(1)
                    k = first[d]
                    while k < n and class_of[order[k]] == d:
                        columns[position] = order[k]
                        position += 1
                        k += 1
            columns[start:end].sort()
            previous = v
