"""Transitive closure by hand: Warshall's algorithm on rows of bits, 512 pivots at a time.

    for each block P of pivots
        D = closure of R[P, P],    R[P, :] |= D R[P, :]
        R |= R[:, P] R[P, :]

all of it in one cooperative launch, in which one thread block closes the next D while the others
do the last line. They take 128 bytes of many rows each, which stay in registers, and go through
the pivots 16 at a time: the unions of each eight of them are tabulated in shared memory while
those of the last 16 are used, and every row takes two. Where none of its rows has any of the 16,
a block passes them over. What has few rows is closed as the STAR-machine does it, 64 pivots at a
time, by a launch each: no block waits then for a relation of many pivots.

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

FEW = 8192  # rows that are closed by 64 pivots at a time
BLOCK = 512  # threads: they have twice the registers of twice as many
TABLES = 2 * 256  # unions of 16 pivots
FIRST = 2  # rows of a thread where pivots' rows are united
AHEAD = 8  # where it brings the next pivots' relation up to date

# by 64 pivots
BLOCK_64 = 1024  # threads
SLAB = 8  # words of a row that a thread block takes
WIDE = 1024  # words of a row from which there are more blocks than run at once


class Form(NamedTuple):
    """Pivots of a block, a multiple of 128, and quads of a row that a thread block takes."""

    pivots: int
    slab: int

    @property
    def shared(self) -> int:
        """Bytes of shared memory: the tables, the pivots' rows and their relation."""
        return 16 * (2 * TABLES + self.pivots) * self.slab + self.relation

    @property
    def relation(self) -> int:
        """Bytes of the relation of pivots among themselves."""
        return self.pivots**2 // 8


FORMS = (Form(512, 8), Form(256, 8), Form(128, 8), Form(128, 4), Form(128, 2))
MANY = (16, 8, 4, 2, 1)  # rows of a thread otherwise: the most that leave no block without any


def definitions(form: Form, many: int) -> str:
    """Return what the kernel takes as given."""
    sizes = {"PIVOTS": form.pivots, "SLAB": form.slab, "THREADS": BLOCK}
    sizes |= {"MANY": many, "FIRST": FIRST, "AHEAD": AHEAD}
    return f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n"


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm: the kernel."""
    require(G, max_bytes)
    return matrix_from_bits(closed_graph(G))


def is_small(n: int) -> bool:
    """Return whether a relation is closed by few pivots at a time, whatever is in it."""
    return n <= FEW


def rows(n: int, few: bool) -> int:
    """Return how many rows a relation has while it is closed by few pivots, or by many."""
    return -(-n // QUAD) * QUAD if few else n


def bytes_of(n: int) -> int:
    """Return the bytes of a relation while it is closed, and of what the kernel works in."""
    few = is_small(n)
    return 4 * bit_matrix_words(rows(n, few), n) + (0 if few else FORMS[0].relation)


def require(G: Graph, max_bytes: int | None) -> None:
    """Refuse a closure that is too large."""
    allowed = memory.budget(max_bytes, "cuda")
    memory.require(bytes_of(G.n), allowed, f"the closure of {G.n:,} vertices, in bits")


def closed(R: BitMatrix, few: bool) -> BitMatrix:
    """Return the closure, by few pivots at a time or by many, of a relation with :func:`rows`.

    The relation was made for this and changes.
    """
    n = R.ncols
    if few:
        close_by_64_pivots(R.words.view(np.uint64).reshape(R.nrows, 2 * R.row_quads))
        return BitMatrix(R.words[: bit_matrix_words(n, n)], n, n)
    form = next(f for f in FORMS if f.shared <= device.shared_per_block)
    slabs, workers = -(-R.row_quads // form.slab), device.multiprocessors
    tasks = {many: slabs * -(-n * form.slab // (BLOCK * many)) for many in MANY}
    many = next((m for m in MANY if tasks[m] >= workers), MANY[-1])
    if n:
        pivots = device.xp.empty(form.relation // 4, np.uint32)
        kernel("transitive_closure_warshall", definitions(form, many), cooperative=True)(
            BLOCK * workers, n, R.row_quads, R.words, pivots, zeroed_words(),
            block=BLOCK, shared=form.shared,
        )  # fmt: skip
    return R


def close_by_64_pivots(relation: Any, bits: int = 4) -> None:
    """Close a square relation in place, by one launch for 64 pivots.

    Parameters
    ----------
    relation : array of uint64, shape (n, ceil(n / 64))
        Bit k of row j says that k is related to j.
    bits : int
        The kernel tabulates the unions of so many pivots at a time.
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
    """Return the constants of ``close_pivot_block``."""
    return f"enum {{ BITS = {bits}, SLAB = {SLAB} }};\n"


def closed_graph(G: Graph) -> BitMatrix:
    """Return the closure of a graph as it is."""
    few = is_small(G.n)
    return closed(BitMatrix.from_csr(csr_of(G.A), rows(G.n, few)), few)
