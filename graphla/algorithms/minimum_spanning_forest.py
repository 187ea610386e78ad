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
from graphblas.dtypes import BOOL, INT32, INT64

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
    parent, forest = _index(G, G.n), G.matrix(R.dtype)
    if R.nvals:
        bar = Progress(progress, "minimum_spanning_forest")
        few = R.nvals <= 2 * bound
        light = R if few else R.select("<", bound).new()
        i, j, rank = light.to_coo()
        hit = _span(G, i, j, rank, light.reduce_rowwise(monoid.min).new(), parent, bar)
        forest.build(i[hit], j[hit], rank[hit])
        if not few:
            root = parent.to_dense()
            outside = (root != root[_hub(G)]).nonzero()[0]
            i, j, rank = R[outside, :].new().to_coo()
            i = outside[i]
            tail, head = root[i], root[j]
            live = (tail != head).nonzero()[0]
            i, j, rank, tail, head = (x[live] for x in (i, j, rank, tail, head))
            heavy = G.matrix(R.dtype)
            hit = _span(G, tail, head, rank, _lightest(G, tail, rank), parent, bar)
            heavy.build(i[hit], j[hit], rank[hit])
            forest(binary.any) << heavy
        bar.close()

    forest = binary.any(forest | forest.T.new()).new().select(select.triu).new()
    i, j, w = forest.ewise_mult(G.A, binary.second[G.dtype]).new().to_coo()
    src, dst, weight = (G.vector(dtype, i.size) for dtype in (INT64, INT64, G.dtype))
    src[:], dst[:], weight[:] = i, j, w
    return Forest(Edges(src, dst, weight), w.sum(dtype=total).item(), _smallest(G, parent))


def _span(G: Any, tail: Any, head: Any, rank: Any, best: Any, parent: Any, bar: Progress) -> Any:
    """Join trees by edges from tail to head, in no one tree; return the places of those chosen."""
    chosen, hub = G.vector(BOOL, tail.size), _hub(G)
    store(chosen, form="bitmap")
    place = _index(G, tail.size).to_dense()
    while tail.size:
        hit = (best.to_dense(fill_value=-1, dtype=G.ranks.dtype)[tail] == rank).nonzero()[0]
        chosen[place[hit]] << True
        _hook(parent, tail[hit], head[hit])
        root = parent.to_dense()
        tail, head = root[tail], root[head]
        live = ((tail != head) & (tail != root[hub])).nonzero()[0]
        tail, head, rank, place = (x[live] for x in (tail, head, rank, place))
        best = _lightest(G, tail, rank)
        bar.step()
    above = _at(parent, parent)
    while not above.isequal(parent):
        parent << above
        above = _at(above, above)
    return chosen.to_coo(values=False)[0]


def _lightest(G: Any, tail: Any, rank: Any) -> Any:
    """Return the least rank of each tail."""
    ranks = G.vector(G.ranks.dtype, rank.size)
    ranks[:] = rank
    return ranks.vxm(_map(G, tail), semiring.min_first[ranks.dtype]).new()


def _hook(parent: Any, tree: Any, other: Any) -> None:
    """Make the root of each tree a child of the other, and shorten the paths to their ends."""
    down, up = parent[tree].new(), parent[other].new()  # roots: tree and other themselves
    parent[tree] << up
    mutual = _at(parent, up).ewise_mult(down, binary.eq).new()
    up(mutual.V, binary.min) << down  # of two that chose each other the smaller is a root
    above = None
    while above is None or not above.isequal(up):
        up = up if above is None else above
        parent[tree] << up
        above = _at(parent, up)


def _hub(G: Any) -> Any:
    """Return a vertex of largest degree."""
    hubs, _ = G.out_degree.select("==", G.max_out_degree).new().to_coo(values=False)
    return hubs[0]


def _map(G: Any, image: Any) -> Any:
    """Return the Matrix of entries (k, image of k)."""
    return G.ranks.from_csr(_index(G, image.size + 1).to_dense(), image, True, ncols=G.n)


def _at(v: Any, u: Any) -> Any:
    """Return v(u(i)) for every i."""
    return v[u.to_dense()].new()


def _index(G: Any, size: int) -> Any:
    """Return the Vector 0, 1, 2, ..."""
    index = G.vector(INT32 if size < 2**31 else INT64, size)
    index << 0
    return index.apply(indexunary.rowindex[index.dtype]).new()


def _smallest(G: Any, root: Any) -> Any:
    """Return, for each vertex, the smallest vertex with the same root."""
    member = _map(G, root.to_dense())
    least = _index(G, G.n).vxm(member, semiring.min_first[INT64]).new()
    return member.mxv(least, semiring.any_second[INT64]).new()
