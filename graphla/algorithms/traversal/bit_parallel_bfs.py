"""Breadth-first search from 64 vertices at once: bit s of a word says that search s saw the vertex.

    seen' = seen bor q' bor.first A,    q = seen' xor seen        until q is empty

One product over 64-bit words advances 64 searches by a level.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal",
PVLDB 8 (2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring
from graphblas.dtypes import INT64, UINT64

if TYPE_CHECKING:
    from graphla.core.graph import Graph

WORD = 64  # searches in a batch

bor, band, bxor, shift = (getattr(binary, op)[UINT64] for op in ("bor", "band", "bxor", "bshift"))
plus, minus, times = binary.plus[UINT64], binary.minus[UINT64], binary.times[UINT64]
bor_bor = semiring.bor_bor[UINT64]  # with a matrix of zeros: bor.first


def zeros(G: Graph) -> Any:
    """Return the edges of a graph as a matrix of zero words."""
    A = G.matrix(UINT64)
    A(G.A.S) << 0
    return A


def new_searches(G: Graph, A: Any, sources: list[int]) -> Iterator[Any]:
    """Yield, level by level from 1 on, which of the searches see a vertex first.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    A : Matrix
        Its edges, as :func:`zeros` makes them, once for many calls.
    sources : list of int
        At most 64 vertices; search s starts at the s-th.

    Yields
    ------
    Vector
        UINT64 words; a vertex that no search sees first at this level has no
        entry. It is overwritten by the next level.
    """
    q, seen = G.vector(UINT64), G.vector(UINT64)
    seen << 0
    q.build(sources, [1 << s for s in range(len(sources))], dup_op=bor)
    seen(bor) << q
    before = seen.dup()
    spread, step, change = seen(bor), q.vxm(A, bor_bor), seen.ewise_mult(before, bxor)
    while q.nvals:
        before << seen
        spread << step
        q << change
        q << q.select("!=", 0)
        if q.nvals:
            yield q


def count_bits(words: Any) -> Any:
    """Count the bits of each word that are set, by sums of neighbouring fields; INT64."""
    x = words.dup()
    y = x.apply(shift, right=-1).new()
    y << y.apply(band, right=0x5555555555555555)
    x << x.ewise_mult(y, minus)
    y << x.apply(shift, right=-2)
    y << y.apply(band, right=0x3333333333333333)
    x << x.apply(band, right=0x3333333333333333)
    x << x.ewise_mult(y, plus)
    y << x.apply(shift, right=-4)
    x << x.ewise_mult(y, plus)
    x << x.apply(band, right=0x0F0F0F0F0F0F0F0F)
    x << x.apply(times, right=0x0101010101010101)
    return x.apply(shift, right=-56).new(INT64)
