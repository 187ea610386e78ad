"""Parents of a tree of shortest paths, computed from the distances d.

    T = { (u, v): d(u) + w(u, v) <= d(v) }       the tight edges
    parent = any.secondi T

If d grows along all tight edges, any of them leads towards the source. Otherwise an edge or
a cycle has length zero and tight edges may form a cycle; a breadth-first search over T from
the source then finds parents without cycles.

Integer weights > 0 need no T, whose making takes three passes over the matrix. With B a power of
two of at least n, a number holds a length and a vertex, and one product finds the nearest parent:

    p(u) = d(u) B + u        q = p min.plus B A        parent = q mod B,   where q < d B + B

B A is made once, which takes a pass: where few vertices are reached, T is small and made instead.
"""

from __future__ import annotations

from typing import Any

from graphblas import binary, indexunary, monoid, semiring
from graphblas.dtypes import INT64

from graphla.algorithms.paths.tight_edges import find_tight_edges
from graphla.algorithms.traversal.bfs import bfs
from graphla.core.graph import Graph
from graphla.core.properties import derive, is_derived

FEW = 16  # T is small where this many times the reached vertices are at most n


def find_tight_tree(G: Graph, d: Any, reached: Any, source: int) -> Any:
    """Return a parent for each vertex that the source reaches over tight edges.

    Parameters
    ----------
    G : Graph
        Weighted.
    d : Vector
        Lengths, of a dtype as wide as `G`'s and with all n entries; an unreached vertex
        has a value above any length.
    reached : Vector
        `d` without the unreached vertices.
    source : int
        Vertex with d = 0.

    Returns
    -------
    Vector
        Parents of dtype ``G.index_dtype``, the source being its own. If `d` holds the
        distances, they form a tree of shortest paths to all reached vertices. If `d` is
        not final yet, a reached vertex without a parent is behind a negative cycle,
        because the edge that set d(v) last has stayed tight.
    """
    num_reached = reached.nvals
    if num_reached == 1:  # the source alone, as from a vertex without edges
        parent = G.vector(G.index_dtype)
        parent[source] = source
        return parent
    T, limit = d.dtype, reached.dup(d.dtype)
    few = num_reached * FEW <= G.n
    if _can_pack(G, limit) and (not few or is_derived(G, _make_room)):
        return _find_nearest_parents(G, limit, source)
    if few:
        d = limit
    else:
        limit(~reached.S) << min(0, G.min_weight or 0) * (G.n + 2)  # below every d(u) + w
    tight = find_tight_edges(G.A, d, limit, semiring.any_le)

    largest_before = d.vxm(tight, semiring.max_first[T]).new()
    if largest_before.ewise_mult(d, binary.ge[T]).new().reduce(monoid.lor).new().value:
        return bfs(Graph(tight, copy=False), source).parent
    parent = d.vxm(tight, semiring.ss.any_secondi[G.index_dtype]).new()
    parent[source] = source
    return parent


def _can_pack(G: Graph, lengths: Any) -> bool:
    """Return whether weights are integers > 0, and all numbers B (d + w) + u fit INT64."""
    if lengths.dtype.np_type.kind not in "iu" or (G.min_weight or 0) <= 0:
        return False
    longest = lengths.reduce(monoid.max).new().value
    return bool((int(longest) + int(G.max_weight) + 1) * _places(G) < 2**63)


def _places(G: Graph) -> int:
    """Return B, the smallest power of two that is at least n."""
    return 1 << (G.n - 1).bit_length()


def _make_room(G: Graph) -> Any:
    """Return B A', of dtype INT64."""
    return G.AT.apply(binary.times[INT64], right=_places(G)).new(INT64)


def _find_nearest_parents(G: Graph, lengths: Any, source: int) -> Any:
    """Return the parents by one product of numbers that hold a length and a vertex."""
    places = _places(G)
    packed = lengths.apply(binary.times[INT64], right=places).new(INT64)
    limit = packed.apply(binary.plus[INT64], right=places - 1).new()
    packed << packed.ewise_mult(packed.apply(indexunary.rowindex[INT64]).new(), binary.plus[INT64])
    nearest = G.vector(INT64)
    room = derive(G, _make_room)
    nearest(lengths.S, axb_method="dot") << room.mxv(packed, semiring.min_plus[INT64])
    tight = nearest.ewise_mult(limit, binary.le[INT64]).new()
    parent = G.vector(G.index_dtype)
    parent(tight.V) << nearest.apply(binary.band[INT64], right=places - 1)
    parent[source] = source
    return parent
