"""Transitive closure by hand: Warshall's algorithm on rows of bits, 512 pivots at a time.

    for each block P of pivots
        D = closure of R[P, P],    R[P, :] |= D R[P, :]
        R |= R[:, P] R[P, :]

all of it in one cooperative launch. A thread block takes 128 bytes of many rows, which stay in
registers, and goes through the pivots 32 at a time: it tabulates, in shared memory, the unions of
each eight of them, and every row takes four of these. Where none of its rows has any of the 32,
it passes them over.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; tables: V. Arlazarov,
E. Dinic, M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas.dtypes import BOOL

from graphla import memory
from graphla.cuda import Matrix
from graphla.cuda.bits import Bits, words
from graphla.cuda.device import device
from graphla.cuda.storage import zero
from graphla.native.cuda.by_degree import kernel

if TYPE_CHECKING:
    from graphla.graph import Graph

BLOCK = 1024  # threads
TABLES = 4 * 256  # unions of 32 pivots


class Form(NamedTuple):
    """Pivots of a block, a multiple of 128, and quads of a row that a thread block takes."""

    pivots: int
    slab: int

    @property
    def shared(self) -> int:
        """Bytes of shared memory: the tables, the pivots' rows and their relation."""
        return 16 * (TABLES + self.pivots) * self.slab + self.pivots**2 // 8


FORMS = (Form(512, 8), Form(256, 8), Form(128, 8), Form(128, 4), Form(128, 2))
MANY = (8, 4, 2, 1)  # rows of a thread


def definitions(form: Form, many: int) -> str:
    """Return what the kernel takes as given."""
    sizes = f"PIVOTS = {form.pivots}, SLAB = {form.slab}, MANY = {many}, THREADS = {BLOCK}"
    return f"enum {{ {sizes} }};\n"


def transitive_closure_warshall(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm: the kernel."""
    require(G, max_bytes)
    R = Bits.of(G.A._csr())
    close(R)
    return Matrix._of(R, BOOL, G.n, G.n)


def require(G: Graph, max_bytes: int | None) -> None:
    """Refuse a closure that is too large."""
    allowed = memory.budget(max_bytes, "cuda")
    memory.require(4 * words(G.n, G.n), allowed, f"the closure of {G.n:,} vertices, in bits")


def close(R: Bits) -> None:
    """Close a square relation, in place; it was made for this."""
    form = next(f for f in FORMS if f.shared <= device.shared_per_block)
    slabs, workers = -(-R.across // form.slab), device.multiprocessors
    tasks = {many: slabs * -(-R.nrows * form.slab // (BLOCK * many)) for many in MANY}
    many = next((m for m in MANY if tasks[m] >= workers), MANY[-1])
    if R.nrows:
        kernel("transitive_closure_warshall", definitions(form, many), cooperative=True)(
            BLOCK * workers, R.nrows, R.across, R.words, zero(), block=BLOCK, shared=form.shared
        )
