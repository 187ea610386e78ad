"""Breadth-first search from 64 vertices at once: bit s of a word says that search s saw the vertex.

    seen' = seen bor q' bor.first A,    q = seen' xor seen        until q is empty

One product over 64-bit words advances 64 searches by a level.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal",
PVLDB 8 (2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphblas.dtypes import UINT64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.algorithms._shared.bit_words import WORD_BITS, bor, bor_bor, bxor, count_bits
from graphla.algorithms._shared.edges import make_pattern
from graphla.algorithms._shared.vectors import make_full_vector

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def make_edge_words(G: Graph) -> Any:
    """Return the edges of a graph as a matrix of zero words."""
    return make_pattern(G, UINT64, 0)


def search_by_level(G: Graph, A: Any, sources: list[int]) -> Iterator[Any]:
    """Yield, for each level from 1 on, the vertices that a search reaches at that level.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    A : Matrix
        Result of :func:`make_edge_words`, which many calls can share.
    sources : list of int
        At most 64 vertices; search s starts at the s-th.

    Yields
    ------
    Vector
        UINT64 words: bit s is set if search s reaches the vertex at this level. A vertex
        that no search reaches at this level has no entry. The Vector is overwritten by
        the next level.
    """
    q, seen = G.vector(UINT64), make_full_vector(G, UINT64)
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


def count_searches_by_level(
    G: Graph, sources: Sequence[int], algorithm: str, progress: bool
) -> Iterator[tuple[int, Any]]:
    """Yield a level and an INT64 Vector: how many searches reach each vertex at that level.

    There is one search per source, 64 at a time; levels begin anew with each 64 sources.
    """
    A = make_edge_words(G)
    for batch in iterate_batches(sources, WORD_BITS, algorithm, progress):
        for level, words in enumerate(search_by_level(G, A, list(batch)), start=1):
            yield level, count_bits(words)
