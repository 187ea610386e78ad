"""Triangle count by hand: marks of one vertex's neighbours against its neighbours' neighbours.

    count = sum |N(u) & N(v)| over the edges (u, v),    N(u) = neighbours of u below u

Under the numbers of :mod:`graphla.native.cuda.by_degree` N(u) is short, and hubs have the
lowest numbers. N(v) is bits where it is dense, in whole chunks of columns from 0 on, and a list
beyond. The members of N(u) are marked in shared memory: words of N(v) meet those of the marks
by AND and a count of bits, and each vertex of its list asks for its mark. Marks beyond the
first 2^16 are shared by several vertices, so what they say is looked up. A block takes a long
N(u), a warp a short one.

Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order; M. Bisson,
M. Fatica, "High performance exact triangle counting on GPUs", IEEE TPDS 28 (2017).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.storage import element, zero
from graphla.native.cuda.by_degree import by_degree, kernel

if TYPE_CHECKING:
    from graphla.graph import Graph

BLOCK = 256  # threads
PREFIX = 1 << 13  # columns that may be bits; a multiple of 1024
DENSE = 64  # entries, of 1024 columns, from which they are
EXACT = 1 << 16  # vertices that have a mark of their own where a block counts; a power of 2
SHORT = 32  # vertices of a set that is a warp's
LOWER = 4  # words of what a set is told by


class Sets(NamedTuple):
    """N(v) of each vertex, and the vertices of which that is long, and short, but not of one."""

    ends: Any
    columns: Any
    lower: Any
    bits: Any
    long: Any
    short: Any


def definitions(offset: str) -> str:
    """Return what the kernels take as given."""
    enum = f"enum {{ PREFIX = {PREFIX}, DENSE = {DENSE}, EXACT = {EXACT} }};\n"
    return f"typedef {offset} Offset;\n{enum}"


def prepare(G: Graph) -> Sets:
    """Return the sets of a graph; made once and kept."""
    found: Sets = G._keep("triangle sets", lambda: _sets(G))
    return found


def _sets(G: Graph) -> Sets:
    xp, rows = device.xp, by_degree(G).out
    n, text = int(rows.ends.size) - 1, definitions(element(rows.ends.dtype))
    sizes, chunks = xp.empty(n, np.int32), xp.empty(n, np.int64)
    kernel("triangle_sets", text, "measure")(n, n, rows.ends, rows.indices, sizes, chunks)
    chunks = chunks.cumsum()
    bits = xp.zeros(1 + 32 * (int(device.word(chunks[-1])) if n else 0), np.uint32)
    lower = xp.empty(LOWER * n, np.uint64)
    divide = kernel("triangle_sets", text, "divide")
    divide(32 * n, n, rows.ends, rows.indices, sizes, chunks, lower, bits)
    long, short = (
        xp.flatnonzero(which).astype(np.int32)
        for which in (sizes > SHORT, (sizes > 1) & (sizes <= SHORT))
    )
    return Sets(rows.ends, rows.indices, lower, bits, long, short)


def triangle_count(G: Graph) -> int:
    """Count triangles: the hand-written twin of :func:`graphla.triangle_count`."""
    sets = prepare(G)
    text, total = definitions(element(sets.ends.dtype)), zero()
    for name, vertices, team in (
        ("count_long", sets.long, BLOCK),
        ("count_short", sets.short, 32),
    ):
        if vertices.size:
            run = kernel("triangle_count", text, name)
            run(team * vertices.size, vertices.size, vertices, *sets[:4], total, block=BLOCK)
    return int(device.word(total))
