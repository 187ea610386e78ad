"""Minimum spanning forest: Boruvka's rounds on a list of edges, with a minimum for each tree.

    best = rank min.first T            lightest edge of each tree; T(k, tail(k)) = 1
    root(tail(k)) = head(k)            if rank(k) = best(tail(k)): hook tree to tree
    root <- root(root)                 pointer jumping until it is stable
    tail, head <- root(tail), root(head)

An edge is listed from both ends, and is removed from the list once both ends are in one tree.
Ranks are distinct, so every lightest edge is in the forest, and hooks close no cycle except
that of two trees which chose each other.

A tree need not choose an edge in every round. The tree of the hub, a vertex of largest degree,
never does, because it is most often the largest: edges out of it are removed, too. The n edges
of lowest rank are processed first; they join most vertices to the hub's tree, and then only
edges out of the other vertices are read.

Cost: O(m) a round, at most log2 n rounds; weights are ranked once.

Source: O. Boruvka, 1926; the rounds: A. Kolganov's for a GPU, 2015; light edges first:
V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum spanning tree
algorithm", ALENEX 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, select, semiring
from graphblas.dtypes import INT32, INT64

from graphla.algorithms._shared.vectors import make_index_vector
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import Edges, Forest
from graphla.execution.large_arrays import values_at

if TYPE_CHECKING:
    from graphla.core.graph import Graph

LIGHT_EDGES = 1  # processed first, per vertex


@validation.explains_wrong_calls
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
        `edges`: Vectors `src` and `dst` (``G.index_dtype``, src < dst) and `weight` (dtype
        of the graph; True if unweighted), one entry an edge, sorted by (src, dst).
        `weight`: their sum, an exact int for integer weights, else a float summed
        in FP64; an unweighted edge counts 1. `component`: Vector of length n and of
        ``G.index_dtype`` with the smallest vertex of each vertex's component.

    Raises
    ------
    SymmetricStructureRequired
        The matrix is not symmetric.
    InvalidValue
        A weight is NaN, or n - 1 edges of the largest magnitude would leave INT64
        (UINT64 for unsigned weights).

    Notes
    -----
    Among edges of equal weight the first by (src, dst) is preferred, so the forest is
    unique. It is computed from ``G.ranks``, which is cached in the graph.

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
    validation.require_symmetric(G, "minimum_spanning_forest")
    validation.refuse_nan(G, "minimum_spanning_forest")
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")
    R, root, hub, bound = G.ranks, _make_range(G, G.n), _find_hub(G), LIGHT_EDGES * G.n
    with Progress(progress, "minimum_spanning_forest") as bar:
        all_light = R.nvals <= 2 * bound
        light = R if all_light else R.select("<", bound).new()
        lightest = light.reduce_rowwise(monoid.min).new()
        forest = _join_trees(G, light.to_coo(), lightest, root, hub, bar)
        if not all_light:
            outside = (root != root[hub]).nonzero()[0]
            i, j, rank = R[outside, :].new().to_coo()
            edges = values_at(outside, i), j, rank
            forest(binary.any) << _join_trees(G, edges, None, root, hub, bar)

    forest = binary.any(forest | forest.T.new()).new().select(select.triu).new()
    i, j, w = forest.ewise_mult(G.A, binary.second[G.dtype]).new().to_coo()
    T = G.index_dtype
    src, dst, weight = (G.vector(dtype, i.size) for dtype in (T, T, G.dtype))
    src[:], dst[:], weight[:] = i, j, w
    return Forest(Edges(src, dst, weight), w.sum(dtype=total).item(), _label_trees(G, root))


def _join_trees(G: Any, edges: Any, best: Any, root: Any, hub: Any, bar: Progress) -> Any:
    """Join trees by edges (i, j, rank) until none is between trees; return the chosen as a Matrix.

    `best` is the least rank of each i if every vertex is a tree of its own, else None.
    """
    i, j, rank = edges
    R, numbers = G.ranks, _make_range(G, i.size + 1)
    place, tail, head, ranks = numbers[:-1], i, j, rank
    chosen = place < 0
    while True:
        if best is not None:
            least = best.to_dense(fill_value=-1, dtype=R.dtype)
            hit = (values_at(least, tail) == ranks).nonzero()[0]
            chosen[place[hit]] = True
            _hook_trees(root, tail[hit], head[hit])
            bar.step()
        tail, head = values_at(root, tail), values_at(root, head)
        live = ((tail != head) & (tail != root[hub])).nonzero()[0]
        if not live.size:
            break
        place, tail, head, ranks = (values_at(x, live) for x in (place, tail, head, ranks))
        T = R.from_csr(numbers[: live.size + 1], tail, True, ncols=G.n)
        best = G.vector(R.dtype).from_dense(ranks).vxm(T, semiring.min_first[R.dtype]).new()
    _jump_pointers(root, slice(None), root)
    k = chosen.nonzero()[0]
    return R.from_coo(i[k], j[k], True, nrows=G.n, ncols=G.n)


def _hook_trees(root: Any, tree: Any, other: Any) -> None:
    """Hook each tree to the other one; of two that chose each other the smaller stays a root."""
    root[tree] = other
    is_root = (values_at(root, other) == tree) & (tree < other)
    _jump_pointers(root, tree, other + (tree - other) * is_root)


def _jump_pointers(root: Any, tree: Any, parent: Any) -> None:
    """Set the parents of trees, and replace them by their parents until they are roots."""
    while True:
        root[tree] = parent
        grandparent = values_at(root, parent)
        if (grandparent == parent).all().item():
            return
        parent = grandparent


def _find_hub(G: Any) -> Any:
    """Return a vertex of largest degree as an array, which is empty if there is no vertex."""
    hubs, _ = G.out_degree.select("==", G.max_out_degree).new().to_coo(values=False)
    return hubs[:1]


def _make_range(G: Any, size: int) -> Any:
    """Return the array 0, 1, ..., size - 1."""
    return make_index_vector(G, size, INT32 if size < 2**31 else INT64).to_dense()


def _label_trees(G: Any, root: Any) -> Any:
    """Return, for each vertex, the smallest vertex with the same root."""
    T, numbers = G.index_dtype, _make_range(G, G.n + 1)
    member = G.ranks.from_csr(numbers, root, True, ncols=G.n)
    index = G.vector(T).from_dense(numbers[:-1], dtype=T)
    least = index.vxm(member, semiring.min_first[T]).new()
    return member.mxv(least, semiring.any_second[T]).new()
