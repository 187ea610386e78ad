"""Parents of a tree of shortest paths, computed from the distances d.

    T = { (u, v): d(u) + w(u, v) <= d(v) }       the tight edges
    parent = any.secondi T

If d grows along all tight edges, any of them leads towards the source. Otherwise an edge or
a cycle has length zero and tight edges may form a cycle; a breadth-first search over T from
the source then finds parents without cycles.
"""

from __future__ import annotations

from typing import Any

from graphblas import binary, monoid, semiring

from graphla.algorithms.paths.tight_edges import find_tight_edges
from graphla.algorithms.traversal.bfs import bfs
from graphla.core.graph import Graph


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
    T, limit = d.dtype, reached.dup(d.dtype)
    limit(~reached.S) << min(0, G.min_weight or 0) * (G.n + 2)  # below every d(u) + w
    tight = find_tight_edges(G.A, d, limit, semiring.any_le)

    largest_before = d.vxm(tight, semiring.max_first[T]).new()
    if largest_before.ewise_mult(d, binary.ge[T]).new().reduce(monoid.lor).new().value:
        return bfs(Graph(tight, copy=False), source).parent
    parent = d.vxm(tight, semiring.ss.any_secondi[G.index_dtype]).new()
    parent[source] = source
    return parent
