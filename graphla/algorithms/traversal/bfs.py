"""Breadth-first search: levels and parents by masked sparse matrix-vector products.

    q<~visited, replace> = A' any.secondi q          (pull)
                         = q' any.secondi A          (push)

The frontier q stores the parent of each of its vertices. The complemented mask keeps
visited vertices out of the product. :mod:`graphla.execution.push_pull` chooses between
push and pull at every level.

Cost: O(n + m) at most, and one product for each level; with pulls a fraction of the edges.

Source: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first
search", SC 2012; A. Buluc, J. Gilbert, ch. 3 of Kepner and Gilbert (eds.), "Graph
algorithms in the language of linear algebra", SIAM 2011.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring, unary
from graphblas.dtypes import BOOL

from graphla.core import validation
from graphla.core.results import BFS
from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import DirectionOptimizer

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]


@validation.explains_wrong_calls
def bfs(G: Graph, source: int, *, progress: bool = False) -> BFS:
    """Search breadth-first from one vertex, along the edges' direction.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    source : int
        Vertex in 0..n-1.
    progress : bool
        Show a bar of the vertices reached.

    Returns
    -------
    BFS
        `level` and `parent`, Vectors of length n and of dtype ``G.index_dtype``. An
        unreached vertex has no entry; the source has level 0 and is its own parent.
        Of several valid parents any may be returned. ``level, parent = gl.bfs(G, s)`` takes
        them apart. ``to_numpy()`` returns arrays as SciPy's: levels are floats, infinite where
        nothing was reached, and -9999 is the parent there and at the source.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> gl.bfs(G, 0).level.to_dense(fill_value=-1).tolist()
    [0, 1, 2, 1, -1]
    """
    source = validation.check_vertex(G, source)
    T = G.index_dtype
    level, parent, q = G.vector(T), G.vector(T), G.vector(T)
    set_storage_hint(level, parent, form="bitmap")
    level[source] = 0
    parent[source] = q[source] = source

    direction, depth = DirectionOptimizer(G, q), G.scalar(T)
    any_secondi, second = semiring.ss.any_secondi[T], binary.second[T]
    discover = q(~parent.S, replace=True)
    set_parent = parent(second), q.apply(unary.identity[T])
    set_level = level(second), q.apply(second, right=depth)
    push = fuse((discover, q.vxm(G.A, any_secondi)), set_parent, set_level)
    pull = fuse((discover, G.AT.mxv(q, any_secondi)), set_parent, set_level)
    direction.traverse(push, pull, depth, size=1, progress=progress)
    return BFS(level, parent)


@validation.explains_wrong_calls
def bfs_levels(G: Graph, source: int, *, progress: bool = False) -> Any:
    """Search breadth-first from one vertex for the levels, without parents.

    It takes the arguments of :func:`bfs` and raises the same errors.

    Returns
    -------
    Vector
        Levels of length n and of dtype ``G.index_dtype``; an unreached vertex has no entry.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=4)
    >>> gl.bfs_levels(G, 0).to_dense(fill_value=-1).tolist()
    [0, 1, 2, -1]
    """
    source = validation.check_vertex(G, source)
    T = G.index_dtype
    level, q = G.vector(T), G.vector(BOOL)
    set_storage_hint(level, form="bitmap")
    level[source] = 0
    q[source] = True

    direction, depth, second = DirectionOptimizer(G, q), G.scalar(T), binary.second[T]
    discover = q(~level.S, replace=True)
    set_level = level(second), q.apply(second, right=depth)
    push = fuse((discover, q.vxm(G.A, any_pair)), set_level)
    pull = fuse((discover, G.AT.mxv(q, any_pair)), set_level)
    direction.traverse(push, pull, depth, size=1, progress=progress)
    return level
