"""Checks of a result by what must hold of it.

Each function returns None for a right result. For a wrong one it raises
:class:`VerificationError` with the first vertex or edge at fault and the values
there; bad arguments are refused as the algorithm refuses them. Vectors may be of any
implementation and engine: their values are checked, their dtypes are not. A check runs on the
graph's engine; those of strong components, closures and betweenness are by SciPy, for
"cpu" alone. They need a few arrays of length n and a block of edges, or what they say they need.
"""

from __future__ import annotations

from math import isclose, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import agg, binary, monoid

from graphla.core import validation
from graphla.core.engines import array_module, on_host
from graphla.errors import InvalidValue, VerificationError
from graphla.verify import assertions, edge_passes
from graphla.verify.assertions import fail_where
from graphla.verify.edge_passes import edge_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import Forest

PRODUCTS = 20_000_000  # triangle_count forms up to so many,
PAIRS = 1_000_000  # and beyond draws so many pairs of neighbours


def bfs(G: Graph, source: int, level: Any = None, parent: Any = None) -> None:
    """Check the levels, the parents, or both, of a breadth-first search.

    Levels are distances where the source has level 0, no edge climbs by more than
    1, and every other reached vertex has an edge from the level before. With
    `parent`, that edge is the parent's, and a level is the depth in the tree.

    Parameters
    ----------
    G : Graph
    source : int
    level, parent : Vector of integers, length n, optional
        No entry = unreached; the source has level 0 and is its own parent.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> level, parent = gl.bfs(G, 0)
    >>> gl.verify.bfs(G, 0, level, parent)
    >>> level[3] = 2
    >>> gl.verify.bfs(G, 0, level)
    Traceback (most recent call last):
    graphla.errors.VerificationError: edge 0 -> 3 leads from level 0 to level 2
    """
    source = validation.vertex(G, source)
    if level is None and parent is None:
        raise InvalidValue("verify.bfs needs level, parent or both")
    if parent is not None:
        parent, depth = assertions.read_tree(G, source, parent)
    level = depth if level is None else assertions.read_vertices(G, "level", level)
    if parent is not None:
        fail_where(level != depth, "level[{}] is {}, its depth in the tree {}", level, depth)
    found = level < 0
    found[source] = level[source] == 0
    level[level < 0] = G.n + 1
    for src, dst, _ in edge_blocks(G):
        before, at = level[src], level[dst]
        climbs = at > before + 1
        fail_where(climbs & (at > G.n), "edge {1} -> {2} leads to an unreached vertex", src, dst)
        fail_where(
            climbs, "edge {1} -> {2} leads from level {3} to level {4}", src, dst, before, at
        )
        found[dst[at == before + 1 if parent is None else src == parent[dst]]] = True
    fail_where(~found, "no such edge leads to vertex {} at level {}", level)


def sssp(
    G: Graph, source: int, distance: Any, parent: Any = None, *, rtol: float | None = None
) -> None:
    """Check shortest distances from one vertex, and a tree of shortest paths if given.

    Distances are right where the source has 0, no edge is shorter than the
    difference of its ends' distances, and the source reaches every other vertex
    with an entry along edges just as long as that difference (which are kept, at 8 to 28
    bytes each): the edges from parents if given. Weights may be negative or zero.

    Parameters
    ----------
    G : Graph
    source : int
    distance : Vector, length n
        No entry = unreached.
    parent : Vector of integers, length n, optional
        The source is its own parent.
    rtol : float, optional
        Allowed per edge, relative to its weight and the distance at its start: by default 1e-6
        with FP32 (and its least normal number), 1e-12 with FP64 alone. Integers are exact.
    """
    source = validation.vertex(G, source)
    validation.no_nan(G, "verify.sssp")
    G, d, reached, rtol, least = assertions.read_distances(G, distance, rtol)
    if not bool(reached[source] & (d[source] == 0)):
        raise VerificationError(f"the distance of the source {source} is not 0")
    if parent is not None:
        parent, _ = assertions.read_tree(G, source, parent)
        fail_where((parent >= 0) != reached, "vertex {} has a parent or a distance, not both")
    found = ~reached
    found[source] = True
    edge = "edge {1} -> {2} of weight {3} leads from distance {4} to {5}"
    shortest = []
    for src, dst, w in edge_blocks(G):
        on = reached[src]
        src, dst, w = src[on], dst[on], w[on].astype(d.dtype)
        fail_where(~reached[dst], "edge {1} -> {2} leads to an unreached vertex", src, dst)
        before, at = d[src], d[dst]
        slack = rtol and rtol * (abs(before) + abs(w)) + least
        fail_where(~(at <= before + w + slack), edge, src, dst, w, before, at)
        with np.errstate(invalid="ignore"):  # infinite weights
            tight = (at >= before + w - slack) | (at == before + w)
        if parent is None:
            shortest.append((src[tight], dst[tight]))
        else:
            used = (src == parent[dst]) & (dst != source)
            fail_where(used & ~tight, "tree " + edge, src, dst, w, before, at)
            found[dst[used]] = True
    if parent is None:
        found |= edge_passes.reachable(array_module(G.engine), source, reached, shortest)
    fail_where(~found, "no shortest path leads to vertex {} at distance {}", d)


def minimum_spanning_forest(G: Graph, forest: Forest, *, rtol: float = 1e-6) -> None:
    """Check a minimum spanning forest.

    Its edges are edges of the graph, src < dst, with their weights, and have no
    cycle; they connect the ends of every edge of the graph, by a path that has no
    heavier edge (so no spanning forest is lighter); the total weight and the
    components, labelled by their smallest vertices, are those of the edges.

    Parameters
    ----------
    G : Graph
        Symmetric.
    forest : Forest
        A total weight or components that are None are not checked.
    rtol : float
        Allowed in a total weight of floating-point numbers.
    """
    validation.symmetric(G, "minimum_spanning_forest")
    validation.no_nan(G, "verify.minimum_spanning_forest")
    xp, (src, dst, weight) = array_module(G.engine), assertions.read_forest_edges(G, forest.edges)
    root = edge_passes.smallest_in_component(xp, G.n, [(src, dst)])
    surplus = xp.bincount(root[src], minlength=G.n) - xp.bincount(root, minlength=G.n)
    fail_where((surplus >= 0) & (root == xp.arange(G.n)), "the tree of vertex {} has a cycle")
    assertions.check_no_lighter_edge(G, root, edge_passes.boruvka_rounds(xp, G.n, src, dst, weight))
    if forest.component is not None:
        assertions.check_labels(G, forest.component, root)
    assertions.check_total_weight(weight, forest.weight, rtol)


def connected_components(G: Graph, component: Any) -> None:
    """Check that each vertex is labelled with the smallest one of its weak component.

    Parameters
    ----------
    G : Graph
    component : Vector of integers, length n, with all entries
    """
    assertions.check_labels(
        G, component, edge_passes.smallest_in_component(array_module(G.engine), G.n, edge_blocks(G))
    )


def strongly_connected_components(G: Graph, component: Any) -> None:
    """Check that each vertex is labelled with the smallest one of its strong component.

    Parameters are those of :func:`connected_components`. The components are SciPy's,
    which takes 12 bytes an edge.
    """
    smallest, _ = edge_passes.strong_components(edge_passes.scipy_pattern(G))
    assertions.check_labels(G, component, smallest)


def transitive_closure(G: Graph, C: Any, *, samples: int = 32, seed: int = 0) -> None:
    """Check that `C` has the entry (i, j) where a path of at least one edge leads from i to j.

    The rows of `samples` random vertices are compared with searches: `n` or more
    make the check complete. Every other row must hold its vertex's edges and be no
    shorter than the rows of its successors. SciPy's search takes 12 bytes an edge.

    Parameters
    ----------
    G : Graph
    C : Matrix, n x n
        All entries true.
    samples, seed : int
    """
    S, C = edge_passes.scipy_pattern(G), on_host(C)
    if C.shape != (G.n, G.n):
        raise VerificationError(f"a closure of shape {C.shape} for {G.n} vertices")
    if C.nvals and not C.reduce_scalar(monoid.land).new().value:
        raise VerificationError("the closure stores a false entry")
    if G.A.ewise_mult(C, binary.pair).new().nvals < G.A.nvals:
        raise VerificationError("the closure lacks an edge of the graph")
    length, _ = assertions.read_vector(G, "row lengths", C.reduce_rowwise(agg.count).new())
    cyclic = edge_passes.strong_components(S)[1] > 1
    shorter = "edge {1} -> {2}, but their rows have {3} and {4} entries"
    for src, dst, _ in edge_blocks(G):
        fail_where(length[src] < length[dst], shorter, src, dst, length[src], length[dst])
        cyclic[src[src == dst]] = True
    for i in np.random.default_rng(seed).permutation(G.n)[:samples].tolist():
        got, expected = np.zeros((2, G.n), bool)
        got[C[i, :].new().to_coo()[0]] = True
        expected[edge_passes.bfs_order_and_depths(S, i)[0]] = True
        expected[i] = cyclic[i]
        text = f"the closure has ({i}, {{}}): {{}}; a path leads there: {{}}"
        fail_where(got != expected, text, got, expected)


def pagerank(
    G: Graph, rank: Any, *, damping: float = 0.85, tol: float = 1e-4, dangling: bool = True
) -> None:
    """Check that ranks are >= 0, sum to 1, and change by at most `tol` in one more iteration.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    rank : Vector, length n, with all entries
    damping, tol : float
        As given to the algorithm. The bound on the L1 change, and on the sum's
        distance from 1, is `tol` plus 64 units of rounding of the ranks' type.
    dangling : bool
        Whether a vertex without out-edges gives its rank to all. Otherwise the rank
        is lost, as in the GAP benchmark, and the sum may be below 1.
    """
    r, _ = assertions.read_vector(G, "rank", rank, complete=True)
    fail_where(~(array_module(G.engine).isfinite(r) & (r >= 0)), "rank[{}] is {}", r)
    bound = tol + 64 * np.finfo(np.result_type(r.dtype, np.float32)).eps
    r = r.astype(np.float64)
    following = edge_passes.pagerank_step(G, r, damping, dangling)
    change = abs(following - r)
    if not (moves := float(change.sum())) <= bound:
        text = f"an iteration moves ranks by {moves} > {bound}, most rank[{{}}]: {{}}, {{}}"
        fail_where(change == change.max(), text, r, following)
    if G.n and not (1 - bound if dangling else 0) <= (total := float(r.sum())) <= 1 + bound:
        raise VerificationError(f"the ranks sum to {total}")


def triangle_count(G: Graph, count: int, *, seed: int = 0) -> None:
    """Check a number of triangles: exactly where that takes few products, else by a sample.

    Exactly, it is SciPy's sum of (U U) * U, where U has each edge once, to the end of
    higher degree, at 12 bytes an edge of the host. Beyond 2 10^7 products, a million pairs of
    entries in one row of U are drawn, and the share of adjacent ones must be within
    Bernstein's bound of count / pairs: a right count is refused with probability below
    1e-9.

    Parameters
    ----------
    G : Graph
        Symmetric.
    count, seed : int
    """
    validation.symmetric(G, "triangle_count")
    U = indptr, indices = edge_passes.oriented_rows(G)
    if int((indptr[1:] - indptr[:-1])[indices].sum()) <= max(PRODUCTS, indices.size):
        exact = edge_passes.count_triangles(U)
        if count != exact:
            raise VerificationError(f"{count} triangles; the graph has {exact}")
        return
    closed, pairs = edge_passes.sample_closed_pairs(array_module(G.engine), U, PAIRS, seed)
    share, nats = count / pairs, log(2e9) / PAIRS
    margin = sqrt(2 * nats * max(share * (1 - share), 0)) + nats
    if not abs(closed / PAIRS - share) <= margin:
        text = f"{count} triangles would close {share:.4%} +- {margin:.4%} of pairs of neighbours"
        raise VerificationError(f"{text}; {closed / PAIRS:.4%} of {PAIRS} drawn are closed")


def betweenness_centrality(G: Graph, sources: Any, scores: Any, *, rtol: float = 1e-6) -> None:
    """Check raw betweenness scores over the given sources and all targets.

    They sum to the number of inner vertices of one shortest path from each source to
    each vertex that it reaches, and each is the sum of Brandes's dependencies.
    It takes up to 50 bytes an edge; beyond what NumPy's longest float counts of shortest
    paths (2^16384, or 1e308 on machines without it) there is no check (InvalidValue).

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    sources : sequence of int
    scores : Vector, length n, with all entries
    rtol : float
    """
    got, _ = assertions.read_vector(G, "score", scores, complete=True)
    fail_where(~(np.isfinite(got) & (got >= 0)), "score[{}] is {}", got)
    expected, inner = edge_passes.brandes_dependencies(G, validation.vertices(G, sources))
    wrong = ~(abs(got - expected) <= rtol * (1 + expected))
    fail_where(wrong, "score[{}] is {}; the dependencies sum to {}", got, expected)
    if not isclose(got.sum(dtype=np.float64), inner, rel_tol=rtol, abs_tol=rtol):
        raise VerificationError(f"the scores sum to {got.sum()}, the inner vertices to {inner}")
