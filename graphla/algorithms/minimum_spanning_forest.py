"""Minimum spanning forest: Boruvka's rounds, each a minimum over rows and a contraction.

    r(i) = min over j of R(i, j)                the lightest edge of each vertex
    parent(i) = j where R(i, j) = r(i)          hook each vertex to its other end
    parent <- parent(parent) until it stays     pointer jumping to the roots
    S(i, root of i) = 1,  R <- S' R S           the trees become the vertices

R holds the rank of each edge. Ranks are distinct, so every lightest edge is in the
forest, and hooks close no cycle but that of two vertices which chose each other.
S' R S is min.second, then min.first, without its diagonal; the recursion solves it
and one gather carries the answer back.

Light edges first: the 2n of lowest rank join most vertices into one component, and
an edge inside a component is never chosen. Of the others only those with an end
outside the largest component are read.

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
    chosen = G.vector(BOOL, R.nvals // 2)
    store(chosen, form="bitmap")

    few = R.nvals <= 2 * bound
    light = R if few else R.select("<", bound).new()
    bar = Progress(progress, "minimum_spanning_forest")
    root = _span(light, chosen, bar)
    edges = light.select(select.triu).new()
    if not few:
        outside = root.select("!=", _largest(root)).new()
        heavy = semiring.any_second[R.dtype](outside.diag() @ R).new()
        heavy = binary.any(heavy | heavy.T.new()).new().select(select.triu).new()
        root = _merge(heavy, root, root, chosen, bar)
        edges(binary.any) << heavy
    bar.close()

    i, j, rank = edges.to_coo()
    hit, _ = chosen[rank].new().to_coo()
    forest = G.matrix(R.dtype)
    forest.build(i[hit], j[hit], rank[hit])
    i, j, w = forest.ewise_mult(G.A, binary.second[G.dtype]).new().to_coo()
    src, dst, weight = (G.vector(dtype, i.size) for dtype in (INT64, INT64, G.dtype))
    src[:], dst[:], weight[:] = i, j, w
    return Forest(Edges(src, dst, weight), w.sum(dtype=total).item(), _smallest(root))


def _span(R: Any, chosen: Any, bar: Progress) -> Any:
    """Choose the ranks of R's forest; return the root of the tree of each vertex."""
    nearest = R.reduce_rowwise(monoid.min).new()
    index = _index(nearest)
    bar.step()
    if not R.nvals:
        return index
    _, ranks = nearest.to_coo()
    chosen[ranks] << True
    lightest = semiring.any_eq[R.dtype](nearest.diag() @ R).new().select("==", True).new()
    parent = index.dup()
    parent(binary.second) << lightest.mxv(index, semiring.ss.any_secondi[INT64])
    # of two that chose each other the smaller is a root
    mutual = _at(parent, parent).ewise_mult(index, binary.eq).new()
    parent(mutual.V, binary.min) << index
    above = _at(parent, parent)
    while not above.isequal(parent):
        parent, above = above, _at(above, above)
    return _merge(R.select(select.triu).new(), parent, nearest, chosen, bar)


def _merge(R: Any, parent: Any, active: Any, chosen: Any, bar: Progress) -> Any:
    """Contract R (each edge once) to its active roots, and span what is left."""
    index = _index(parent)
    is_root = parent.dup(dtype=BOOL, clear=True)
    is_root(active.S) << parent.ewise_mult(index, binary.eq)
    roots, _ = is_root.select("==", True).new().to_coo()
    S = _ones(parent).diag()[roots, :].new().T.new()[parent.to_dense(), :].new()
    R = semiring.min_second[R.dtype](S.T.new() @ R).new()
    R = semiring.min_first[R.dtype](R @ S).new().select(select.offdiag).new()
    R = binary.min(R | R.T.new()).new()
    parent[roots] << _at(index[roots].new(), _span(R, chosen, bar))
    return _at(parent, parent)


def _at(v: Any, u: Any) -> Any:
    """Return v(u(i)) for every i."""
    return v[u.to_dense()].new()


def _index(like: Any) -> Any:
    """Return the Vector 0, 1, 2, ..."""
    return _ones(like).apply(indexunary.rowindex).new()


def _ones(like: Any) -> Any:
    ones = like.dup(dtype=BOOL, clear=True)
    ones << True
    return ones


def _members(root: Any) -> Any:
    """Return the Boolean Matrix of entries (i, root of i)."""
    return _ones(root).diag()[root.to_dense(), :].new()


def _largest(root: Any) -> int:
    """Return the root that most vertices have."""
    size = root.vxm(_members(root), semiring.plus_pair[INT64]).new()
    largest, _ = size.select("==", size.reduce(monoid.max).new()).new().to_coo()
    return largest[0].item()


def _smallest(root: Any) -> Any:
    """Return, for each vertex, the smallest vertex with the same root."""
    member = _members(root)
    least = _index(root).vxm(member, semiring.min_first[INT64]).new()
    return member.mxv(least, semiring.any_second[INT64]).new()
