"""Minimum spanning forest: Boruvka's rounds on a list of edges, each a minimum by tree.

    best(t) = min of rank(k) over edges k with tail(k) = t     the lightest edge out of each tree
    parent(tail(k)) = head(k) where rank(k) = best(tail(k))    hook the tree to the other end
    parent <- parent(parent) until it stays                    pointer jumping to the roots
    tail, head <- parent(tail), parent(head)                   relabel the edges by trees

Each edge is listed from both ends by the trees that they lie in; it leaves the list
once that is one tree. Ranks are distinct, so every lightest edge is in the forest, and
hooks close no cycle but that of two trees which chose each other.

Any trees may wait. That of a vertex of largest degree does, as it soon is the
largest: edges that it is the tail of are not read. Light edges come first, the
2n of lowest rank; they join most vertices to it, and the others are then read only
from vertices outside of it.

Source: O. Boruvka, 1926; the rounds: A. Kolganov's for a GPU, 2015; light edges first:
V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum spanning tree
algorithm", ALENEX 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, select, semiring
from graphblas.dtypes import BOOL, INT64

from graphla import checks
from graphla.direction import store
from graphla.progress import Progress
from graphla.results import Edges, Forest

if TYPE_CHECKING:
    from graphla.graph import Graph

LIGHT = 2  # edges a vertex


def minimum_spanning_forest(G: Graph, *, progress: bool = False) -> Forest:
    """Find a spanning tree of least total weight in every component.

    Parameters
    ----------
    G : Graph
        Symmetric. Any weights but NaN; self-loops are never in the forest.
    progress : bool
        Show a bar of Boruvka's rounds.

    Returns
    -------
    Forest
        `edges`: Vectors `src` and `dst` (INT64, src < dst) and `weight` (dtype of
        the graph; True where unweighted), one entry an edge, sorted by (src, dst).
        `weight`: their sum, an exact int for integer weights, else a float summed
        in FP64; an unweighted edge counts 1. `component`: INT64 Vector of length n
        with the smallest vertex of each vertex's component.

    Raises
    ------
    SymmetricStructureRequired
        The matrix is not symmetric.
    InvalidValue
        A weight is NaN, or n - 1 edges of the largest magnitude would leave INT64
        (UINT64 for unsigned weights).

    Notes
    -----
    Of edges of equal weight the one that comes first by (src, dst) is preferred, so
    that the forest is unique. Works on ``G.ranks``, computed once for a graph.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 4], [5, 2, 3, 7], kind="undirected")
    >>> forest = gl.minimum_spanning_forest(G)
    >>> forest.weight
    12
    >>> forest.edges.src.to_dense().tolist(), forest.edges.dst.to_dense().tolist()
    ([0, 1, 3], [2, 2, 4])
    >>> forest.component.to_dense().tolist()
    [0, 0, 0, 3, 3]
    """
    checks.symmetric(G, "minimum_spanning_forest")
    checks.no_nan(G, "minimum_spanning_forest")
    total = checks.total_weight(G, "minimum_spanning_forest")
    R, bound = G.ranks, LIGHT * G.n
    parent = G.vector(G.index_dtype)
    parent << 0
    parent << parent.apply(indexunary.rowindex[G.index_dtype])
    forest = G.matrix(R.dtype)
    bar = Progress(progress, "minimum_spanning_forest")
    if R.nvals:
        few = R.nvals <= 2 * bound
        light = R if few else R.select("<", bound).new()
        i, j, rank = light.to_coo()
        nearest = light.reduce_rowwise(monoid.min).new()
        forest << _span(G, i, j, rank, nearest, parent, bar)
        if not few:
            root = parent.to_dense()
            outside = (root != root[_hub(G)]).nonzero()[0]
            i, j, rank = R[outside, :].new().to_coo()
            forest(binary.any) << _span(G, outside[i], j, rank, None, parent, bar)
    bar.close()

    forest = binary.any(forest | forest.T.new()).new().select(select.triu).new()
    i, j, w = forest.ewise_mult(G.A, binary.second[G.dtype]).new().to_coo()
    src, dst, weight = (G.vector(dtype, i.size) for dtype in (INT64, INT64, G.dtype))
    src[:], dst[:], weight[:] = i, j, w
    return Forest(Edges(src, dst, weight), w.sum(dtype=total).item(), _smallest(parent))


def _span(G: Any, i: Any, j: Any, rank: Any, best: Any, parent: Any, bar: Progress) -> Any:
    """Join the trees by edges (i, j) of these ranks; return the Matrix of those chosen."""
    chosen, hub, order = G.vector(BOOL, i.size), _hub(G), G.ranks.dtype
    store(chosen, form="bitmap")
    place, tail, head, r = slice(None), i, j, rank
    while True:
        if best is not None:
            hit = (best.to_dense(fill_value=-1)[tail] == r).nonzero()[0]
            chosen[hit if isinstance(place, slice) else place[hit]] << True
            _hook(parent, tail[hit], head[hit])
            bar.step()
        root = parent.to_dense()
        tail, head = root[tail], root[head]
        live = ((tail != head) & (tail != root[hub])).nonzero()[0]
        if not live.size:
            break
        tail, head, r = tail[live], head[live], r[live]
        place = live if isinstance(place, slice) else place[live]
        starts = G.vector(INT64, live.size + 1)
        starts << 0
        starts << starts.apply(indexunary.rowindex)
        T = G.ranks.from_csr(starts.to_dense(), tail, True, ncols=G.n)
        ranks = G.vector(order, live.size)
        ranks[:] = r
        best = ranks.vxm(T, semiring.min_first[order]).new()
    hits, _ = chosen.to_coo(values=False)
    found = G.matrix(order)
    found.build(i[hits], j[hits], rank[hits])
    while True:
        above = _at(parent, parent)
        if above.isequal(parent):
            return found
        parent << above


def _hook(parent: Any, tree: Any, other: Any) -> None:
    """Make the root of each tree a child of the other, and shorten the paths to their ends."""
    up = parent[other].new()
    up[:] = other
    down = up.dup()
    down[:] = tree
    parent[tree] << up
    mutual = _at(parent, up).ewise_mult(down, binary.eq).new()
    up(mutual.V, binary.min) << down  # of two that chose each other the smaller is a root
    while True:
        parent[tree] << up
        above = _at(parent, up)
        if above.isequal(up):
            return
        up = above


def _hub(G: Any) -> int:
    """Return a vertex of largest degree."""
    hubs, _ = G.out_degree.select("==", G.max_out_degree).new().to_coo(values=False)
    return hubs[0]


def _at(v: Any, u: Any) -> Any:
    """Return v(u(i)) for every i."""
    return v[u.to_dense()].new()


def _smallest(root: Any) -> Any:
    """Return, for each vertex, the smallest vertex with the same root."""
    index = root.dup(INT64)
    index << index.apply(indexunary.rowindex[INT64])
    least = index.dup(clear=True)
    store(least, form="bitmap")
    roots = root.to_dense()
    least.build(roots, index.to_dense(), dup_op=binary.min)
    return least[roots].new()
