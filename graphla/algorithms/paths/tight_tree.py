"""The tree of shortest paths, out of their lengths: d is given, the parents are looked for.

    E = D min.plus A        E(u, v) = d(u) + w(u, v), D being the diagonal matrix of d
    T = E any.<= D          the tight edges: d(u) + w(u, v) <= d(v)
    parent = any.secondi T

A product with a diagonal matrix scales rows or columns. Where d grows along all tight
edges any of them leads towards the source. Where it does not, an edge or a cycle has
length zero, two vertices may be tight to each other, and a breadth-first search over T
from the source keeps out of such cycles.
"""

from __future__ import annotations

from typing import Any

from graphblas import binary, monoid, select, semiring
from graphblas.dtypes import BOOL

from graphla.algorithms.traversal.bfs import bfs
from graphla.core.graph import Graph


def tight_tree(G: Graph, d: Any, reached: Any, source: int) -> Any:
    """Return a parent for each vertex that tight edges join to the source.

    Parameters
    ----------
    G : Graph
        Weighted.
    d : Vector
        Lengths, of a dtype as wide as `G`'s and with all n entries; more than any length
        where a vertex is not reached.
    reached : Vector
        `d` without those.
    source : int
        Vertex where d is 0.

    Returns
    -------
    Vector
        Parents of dtype ``G.index_dtype``, the source being its own. If `d` holds the
        distances, these are a tree of shortest paths to all that is reached. Before
        that, a reached vertex without a parent lies behind a negative cycle, as the
        edge that set d(v) last has stayed tight.
    """
    T, limit = d.dtype, reached.dup(d.dtype)
    limit(~reached.S) << min(0, G.min_weight or 0) * (G.n + 2)  # no d(u) + w is as low
    ends = d.diag().mxm(G.A, semiring.min_plus[T]).new()
    tight = ends.mxm(limit.diag(), semiring.any_le[T]).new()
    tight << tight.select(select.valueeq[BOOL], True)

    before = d.vxm(tight, semiring.max_first[T]).new()
    if before.ewise_mult(d, binary.ge[T]).new().reduce(monoid.lor).new().value:
        return bfs(Graph(tight, copy=False), source).parent
    parent = d.vxm(tight, semiring.ss.any_secondi[G.index_dtype]).new()
    parent[source] = source
    return parent
