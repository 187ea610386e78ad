"""Native transitive closure: Warshall's algorithm on rows of bits, up to 512 pivots at a time.

    for each block P of pivots
        D = closure of R[P, P],    R[P, :] |= D R[P, :]
        R |= R[:, P] R[P, :]

A relation of many rows is closed in one cooperative launch. One thread block computes the next D
while the others do the last line. They keep 128 bytes of many rows in registers and use the pivots
16 at a time: the unions of each eight of them are tabulated in shared memory while those of the
last 16 are used, and every row looks up two unions. A block skips 16 pivots if no row of
it has one.

A relation of few rows is closed 64 pivots at a time, one launch for each 64, so that no block waits
for the relation of many pivots.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; tables: V. Arlazarov,
E. Dinic, M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core import memory
from graphla.cuda.device_arrays import csr_of, matrix_from_bits
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import QUAD, BitMatrix, bit_matrix_words
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

FEW = 8192  # most rows of a relation that is closed 64 pivots at a time

# 64 pivots at a time
BLOCK_64 = 1024  # threads
SLAB = 8  # words of a row that a thread block takes
WIDE = 1024  # words of a row from which there are more blocks than run at once

# many pivots at a time
BLOCK = 512  # threads: they have twice the registers of twice as many
TABLES = 2 * 256  # unions of 16 pivots
FIRST = 2  # rows of a thread while the pivots' rows are united
AHEAD = 8  # rows of a thread while the relation of the next pivots is updated


class PivotBlock(NamedTuple):
    """The pivots of a step, a multiple of 128, and the quads of a row that a thread block takes."""

    pivots: int
    slab: int

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory: the tables, the pivots' rows and their relation."""
        return 16 * (2 * TABLES + self.pivots) * self.slab + self.relation_bytes

    @property
    def relation_bytes(self) -> int:
        """Bytes of the relation among the pivots."""
        return self.pivots**2 // 8


# the first that fits in shared memory is used
PIVOT_BLOCKS = (
    PivotBlock(512, 8),
    PivotBlock(256, 8),
    PivotBlock(128, 8),
    PivotBlock(128, 4),
    PivotBlock(128, 2),
)
ROWS_PER_THREAD = (16, 8, 4, 2, 1)  # in the last line; the first that occupies all blocks is used


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm."""
    require_memory(G, max_bytes)
    return matrix_from_bits(close_graph(G))


def require_memory(G: Graph, max_bytes: int | None) -> None:
    """Raise OutOfMemory if the closure does not fit."""
    allowed = memory.budget(max_bytes, "cuda")
    memory.require(closure_bytes(G.n), allowed, f"the closure of {G.n:,} vertices, in bits")


def closure_bytes(n: int) -> int:
    """Return the bytes of a relation while it is closed, with the working memory."""
    by_64_pivots = has_few_rows(n)
    working = 0 if by_64_pivots else PIVOT_BLOCKS[0].relation_bytes
    return 4 * bit_matrix_words(padded_rows(n, by_64_pivots), n) + working


def close_graph(G: Graph) -> BitMatrix:
    """Return the closure of the adjacency matrix of a graph."""
    by_64_pivots = has_few_rows(G.n)
    return close(BitMatrix.from_csr(csr_of(G.A), padded_rows(G.n, by_64_pivots)), by_64_pivots)


def has_few_rows(n: int) -> bool:
    """Return whether a relation is small enough to be closed 64 pivots at a time in any case."""
    return n <= FEW


def padded_rows(n: int, by_64_pivots: bool) -> int:
    """Return the number of rows that :func:`close` expects: padded if `by_64_pivots`."""
    return -(-n // QUAD) * QUAD if by_64_pivots else n


def close(R: BitMatrix, by_64_pivots: bool) -> BitMatrix:
    """Return the closure of a relation: 64 pivots at a time, or a PivotBlock of them.

    R has :func:`padded_rows` rows and is overwritten.
    """
    n = R.ncols
    if by_64_pivots:
        close_by_64_pivots(R.words.view(np.uint64).reshape(R.nrows, 2 * R.row_quads))
        return BitMatrix(R.words[: bit_matrix_words(n, n)], n, n)
    block = next(b for b in PIVOT_BLOCKS if b.shared_bytes <= device.shared_per_block)
    slabs, workers = -(-R.row_quads // block.slab), device.multiprocessors
    tasks = {k: slabs * -(-n * block.slab // (BLOCK * k)) for k in ROWS_PER_THREAD}
    rows_per_thread = next((k for k in ROWS_PER_THREAD if tasks[k] >= workers), ROWS_PER_THREAD[-1])
    if n:
        pivots = device.xp.empty(block.relation_bytes // 4, np.uint32)
        text = definitions(block, rows_per_thread)
        kernel("transitive_closure_warshall", text, cooperative=True)(
            BLOCK * workers, n, R.row_quads, R.words, pivots, zeroed_words(),
            block=BLOCK, shared=block.shared_bytes,
        )  # fmt: skip
    return R


def definitions(block: PivotBlock, rows_per_thread: int) -> str:
    """Return the constants of the kernel for many pivots at a time."""
    sizes = {"PIVOTS": block.pivots, "SLAB": block.slab, "THREADS": BLOCK}
    sizes |= {"MANY": rows_per_thread, "FIRST": FIRST, "AHEAD": AHEAD}
    return f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n"


def close_by_64_pivots(relation: Any, bits: int = 4) -> None:
    """Close a square relation in place, with one launch for each 64 pivots.

    Parameters
    ----------
    relation : array of uint64, shape (n, ceil(n / 64))
        Bit k of row j says that k is related to j.
    bits : int
        Pivots whose unions the kernel tabulates together.
    """
    n, words = relation.shape
    slabs = max(1, -(-words // SLAB))
    blocks = device.multiprocessors * (8 if words > WIDE else 1)
    shares = max(1, min(blocks // slabs, -(-n // 64)))
    kernel("close_pivot_block", definitions_64(bits)).launch_sequence(
        words, BLOCK_64 * slabs * shares, n, shares, relation,
        block=BLOCK_64, shared=64 // bits * 2**bits * SLAB * 8,
    )  # fmt: skip


def definitions_64(bits: int) -> str:
    """Return the constants of the kernel for 64 pivots at a time."""
    return f"enum {{ BITS = {bits}, SLAB = {SLAB} }};\n"
