"""Verify results by the properties that a correct result must have.

Each function returns None if the result is correct. Otherwise it raises
:class:`VerificationError` with the first bad vertex or edge and the values there; bad arguments
raise the errors of the algorithm. Results may come from any implementation and engine: values
are checked, dtypes are not. A check runs on the graph's engine; those of strong components,
closures, betweenness, subgraphs and communities use SciPy and need engine "cpu". Memory is a few
arrays of length n and a block of edges, unless stated otherwise.
"""

from __future__ import annotations

from math import isclose, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import agg, binary, monoid

from graphla.core import validation
from graphla.core.engines import array_module, on_host
from graphla.core.results import Forest
from graphla.errors import DomainMismatch, InvalidValue, VerificationError
from graphla.verify import assertions, edge_passes, path_passes, subgraph_passes
from graphla.verify.assertions import fail_where
from graphla.verify.edge_passes import Share, edge_blocks, share_of

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PRODUCTS = 20_000_000  # triangle_count is exact up to this number of products,
PAIRS = 1_000_000  # and beyond it samples this number of pairs of neighbours


@validation.explains_wrong_calls
def bfs(G: Graph, source: int, level: Any = None, parent: Any = None) -> None:
    """Check the levels, the parents, or both, of a breadth-first search.

    The levels are the distances if and only if the source has level 0, no edge leads more than
    one level up, and every other reached vertex has an edge from the previous level. With
    `parent`, that edge must come from the parent, and levels must be depths in the tree.

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
    source = validation.check_vertex(G, source)
    if level is None and parent is None:
        raise InvalidValue("verify.bfs needs level, parent or both")
    share = share_of(G)
    share.agreed("verify.bfs", lambda: _check_bfs(G, share, source, level, parent))


def _check_bfs(G: Graph, share: Share, source: int, level: Any, parent: Any) -> None:
    if level is None:
        parent, level = assertions.read_tree(G, source, parent)
    else:
        level = assertions.read_vertices(G, "level", level)
        if parent is not None:
            parent = assertions.read_vertices(G, "parent", parent)
            assertions.check_levels_of_parents(source, level, parent)
    if level[source] != 0:
        raise VerificationError(f"the source {source} has level {level[source]}, not 0")
    justified = level < 0
    justified[source] = True
    share.leave_to_others(justified)
    text = "edge {1} -> {2} leads from level {3} to level {4}"
    for src, dst in share.edges():
        low, high = level[src], level[dst]
        leaves = low >= 0
        fail_where(leaves & (high < 0), "edge {1} -> {2} leads to an unreached vertex", src, dst)
        fail_where(leaves & (high - low > 1), text, src, dst, low, high)
        justifies = leaves & (high - low == 1) if parent is None else src == parent[dst]
        justified[dst[justifies]] = True
    fail_where(~justified, "no edge from the previous level leads to vertex {} at level {}", level)


@validation.explains_wrong_calls
def sssp(
    G: Graph, source: int, distance: Any, parent: Any = None, *, rtol: float | None = None
) -> None:
    """Check shortest distances from one vertex, and a tree of shortest paths if given.

    The distances are correct if and only if the source has 0, no edge is shorter than the
    difference of its ends' distances, and the source reaches every other vertex with an entry
    along tight edges, which are exactly as long as that difference: the edges from the parents
    if given, else all tight edges are stored, 8 to 28 bytes each. Weights may be negative or zero.

    Parameters
    ----------
    G : Graph
    source : int
    distance : Vector, length n
        No entry = unreached.
    parent : Vector of integers, length n, optional
        The source is its own parent.
    rtol : float, optional
        Tolerance for one edge, relative to its weight and the distance at its start: by default
        1e-6 with FP32 (plus its least normal number), 1e-12 with FP64 alone. Integers are exact.
    """
    source = validation.check_vertex(G, source)
    validation.refuse_nan(G, "verify.sssp")
    G, d, reached, rtol, atol = assertions.read_distances(G, distance, rtol)
    if not bool(reached[source] & (d[source] == 0)):
        raise VerificationError(f"the distance of the source {source} is not 0")
    if parent is not None:
        parent, _ = assertions.read_tree(G, source, parent)
        fail_where((parent >= 0) != reached, "vertex {} has a parent or a distance, not both")
    justified = ~reached
    justified[source] = True
    edge = "edge {1} -> {2} of weight {3} leads from distance {4} to {5}"
    tight_edges = []
    for src, dst, w in edge_blocks(G):
        relevant = reached[src]
        src, dst, w = src[relevant], dst[relevant], w[relevant].astype(d.dtype)
        fail_where(~reached[dst], "edge {1} -> {2} leads to an unreached vertex", src, dst)
        d_src, d_dst = d[src], d[dst]
        slack = rtol and rtol * (abs(d_src) + abs(w)) + atol
        fail_where(~(d_dst <= d_src + w + slack), edge, src, dst, w, d_src, d_dst)
        with np.errstate(invalid="ignore"):  # infinite weights
            tight = (d_dst >= d_src + w - slack) | (d_dst == d_src + w)
        if parent is None:
            tight_edges.append((src[tight], dst[tight]))
        else:
            used = (src == parent[dst]) & (dst != source)
            fail_where(used & ~tight, "tree " + edge, src, dst, w, d_src, d_dst)
            justified[dst[used]] = True
    if parent is None:
        justified |= edge_passes.reachable(array_module(G.engine), source, reached, tight_edges)
    fail_where(~justified, "no shortest path leads to vertex {} at distance {}", d)


@validation.explains_wrong_calls
def minimum_spanning_forest(G: Graph, forest: Forest, *, rtol: float = 1e-6) -> None:
    """Check a minimum spanning forest.

    Its edges must be edges of the graph, src < dst, with the same weights, and have no cycle.
    They must connect the ends of every edge of the graph by a path without a heavier edge, so
    that no spanning forest is lighter. The total weight and the components, labelled by their
    smallest vertices, must be those of the edges.

    Parameters
    ----------
    G : Graph
        Symmetric.
    forest : Forest
        Or one whose fields are computed on first use, of a renumbered graph. A total weight or
        components that are None are not checked.
    rtol : float
        Tolerance for a floating-point total weight.
    """
    validation.require_symmetric(G, "minimum_spanning_forest")
    validation.refuse_nan(G, "verify.minimum_spanning_forest")
    if getattr(forest, "_fields", None) != Forest._fields:
        raise DomainMismatch(f"forest must be a Forest, not {validation.full_name(forest)}")
    xp, (src, dst, weight) = array_module(G.engine), assertions.read_forest_edges(G, forest.edges)
    root = edge_passes.smallest_in_component(xp, G.n, [(src, dst)])
    surplus = xp.bincount(root[src], minlength=G.n) - xp.bincount(root, minlength=G.n)  # tree: -1
    fail_where((surplus >= 0) & (root == xp.arange(G.n)), "the tree of vertex {} has a cycle")
    assertions.check_no_lighter_edge(G, root, edge_passes.boruvka_rounds(xp, G.n, src, dst, weight))
    if forest.component is not None:
        assertions.check_labels(G, forest.component, root)
    assertions.check_total_weight(weight, forest.weight, rtol)


@validation.explains_wrong_calls
def connected_components(G: Graph, component: Any) -> None:
    """Check that each vertex is labelled with the smallest vertex of its weak component.

    Parameters
    ----------
    G : Graph
    component : Vector of integers, length n, with all entries
    """
    share = share_of(G)

    def check() -> None:
        smallest = edge_passes.smallest_in_component(share.xp, G.n, share.edges())
        if share.communicator is not None:  # vertices that are connected by edges of one rank
            found = share.communicator.gather_arrays("roots", G.n, lambda _: (smallest, "roots"))[0]
            pairs = ((share.xp.arange(G.n), roots) for roots in found.reshape(-1, G.n))
            smallest = edge_passes.smallest_in_component(share.xp, G.n, pairs)
        assertions.check_labels(G, component, smallest)

    share.agreed("verify.connected_components", check)


@validation.explains_wrong_calls
def strongly_connected_components(G: Graph, component: Any) -> None:
    """Check that each vertex is labelled with the smallest vertex of its strong component.

    Parameters are those of :func:`connected_components`. SciPy computes the components to
    compare with, in 12 bytes an edge.
    """
    smallest, _ = edge_passes.strong_components(edge_passes.scipy_pattern(G))
    assertions.check_labels(G, component, smallest)


@validation.explains_wrong_calls
def transitive_closure(G: Graph, C: Any, *, samples: int = 32, seed: int = 0) -> None:
    """Check that `C` has the entry (i, j) if and only if a path of >= 1 edge leads from i to j.

    The rows of `samples` random vertices are compared with breadth-first searches; the check is
    complete if `samples` >= n. Every other row must contain its vertex's edges and have at least
    as many entries as the rows of its successors. SciPy's search takes 12 bytes an edge.

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
        row, expected = np.zeros((2, G.n), bool)
        row[C[i, :].new().to_coo()[0]] = True
        expected[edge_passes.bfs_order_and_depths(S, i)[0]] = True
        expected[i] = cyclic[i]
        text = f"the closure has ({i}, {{}}): {{}}; a path exists: {{}}"
        fail_where(row != expected, text, row, expected)


@validation.explains_wrong_calls
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
        As given to the algorithm. The bound on the L1 change, and on the difference of the sum
        from 1, is `tol` plus 64 machine epsilons of the ranks' dtype.
    dangling : bool
        Whether a vertex without out-edges gives its rank to all vertices. If not, the rank is
        lost, as in the GAP benchmark, and the sum may be below 1.
    """
    share = share_of(G)
    share.agreed("verify.pagerank", lambda: _check_pagerank(G, share, rank, damping, tol, dangling))


def _check_pagerank(
    G: Graph, share: Share, rank: Any, damping: float, tol: float, dangling: bool
) -> None:
    r, _ = assertions.read_vector(G, "rank", rank, complete=True)
    fail_where(~(share.xp.isfinite(r) & (r >= 0)), "rank[{}] is {}", r)
    bound = tol + 64 * np.finfo(np.result_type(r.dtype, np.float32)).eps
    r = r.astype(np.float64)
    following = edge_passes.pagerank_step(G, r, damping, dangling)
    change = abs(following - r)[share.first : share.last]
    if not (l1_change := share.total("change", float(change.sum()))) <= bound:
        text = f"an iteration moves ranks by {l1_change} > {bound}, most rank[{{}}]: {{}}, {{}}"
        most = share.xp.zeros(G.n, bool)
        most[share.first : share.last] = change == change.max()
        fail_where(most, text, r, following)
    if G.n and not (1 - bound if dangling else 0) <= (total := float(r.sum())) <= 1 + bound:
        raise VerificationError(f"the ranks sum to {total}")


@validation.explains_wrong_calls
def triangle_count(G: Graph, count: int, *, seed: int = 0) -> None:
    """Check a number of triangles: exactly if that takes few products, else by sampling.

    The exact count is SciPy's sum of (U U) * U, where U directs each edge to the end of higher
    degree; it takes 12 bytes of host memory an edge. Above 2 10^7 products, a million pairs of
    entries in one row of U are drawn, and the fraction of adjacent pairs must be within
    Bernstein's bound of count / pairs: a correct count fails with probability below 1e-9.

    Parameters
    ----------
    G : Graph
        Symmetric.
    count, seed : int
    """
    validation.require_symmetric(G, "triangle_count")
    validation.check_real(count, "count")
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


@validation.explains_wrong_calls
def betweenness_centrality(G: Graph, sources: Any, scores: Any, *, rtol: float = 1e-6) -> None:
    """Check raw betweenness scores over the given sources and all targets.

    Each score must be the sum of Brandes's dependencies, and all scores must sum to the number
    of inner vertices on one shortest path from each source to each vertex that it reaches.
    The check takes up to 50 bytes an edge. It raises InvalidValue if a number of shortest paths
    exceeds NumPy's longest float (2^16384, or 1e308 on machines without extended precision).

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    sources : sequence of int
    scores : Vector, length n, with all entries
    rtol : float
    """
    score, _ = assertions.read_vector(G, "score", scores, complete=True)
    fail_where(~(np.isfinite(score) & (score >= 0)), "score[{}] is {}", score)
    expected, inner = path_passes.brandes_dependencies(G, validation.check_vertices(G, sources))
    wrong = ~(abs(score - expected) <= rtol * (1 + expected))
    fail_where(wrong, "score[{}] is {}; the dependencies sum to {}", score, expected)
    if not isclose(score.sum(dtype=np.float64), inner, rel_tol=rtol, abs_tol=rtol):
        raise VerificationError(f"the scores sum to {score.sum()}, the inner vertices to {inner}")


@validation.explains_wrong_calls
def closeness_centrality(
    G: Graph,
    score: Any,
    *,
    wf_improved: bool = True,
    rtol: float = 1e-9,
    samples: int = 32,
    seed: int = 0,
) -> None:
    """Check closeness by searches from some vertices, against the edges.

    All scores must be from 0 to 1; those of `samples` random vertices are compared with searches by
    SciPy. The check is complete if `samples` >= n. It takes 24 bytes an edge.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    score : Vector, length n, with all entries
    wf_improved : bool
        As given to the algorithm.
    rtol : float
    samples, seed : int

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.closeness_centrality(G, gl.closeness_centrality(G))
    """
    found, _ = assertions.read_vector(G, "score", score, complete=True)
    fail_where(~((found >= 0) & (found <= 1 + rtol)), "score[{}] is {}", found)
    S = edge_passes.scipy_pattern(G).T.tocsr()
    for v in np.random.default_rng(seed).permutation(G.n)[:samples].tolist():
        order, depth = edge_passes.bfs_order_and_depths(S, v)
        others, total = order.size - 1, int(depth[order].sum())
        expected = others / max(total, 1)
        if wf_improved:
            expected *= others / max(G.n - 1, 1)
        if not isclose(found[v], expected, rel_tol=rtol):
            text = f"{others} vertices reach it, at distances that sum to {total}"
            raise VerificationError(f"score[{v}] is {found[v]}; {text}: {expected}")


@validation.explains_wrong_calls
def triangles(G: Graph, count: Any) -> None:
    """Check the number of triangles at each vertex, by counting all of them in one thread.

    The check takes 28 bytes an edge.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    count : Vector, length n, with all entries

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.triangles(G, gl.triangles(G))
    """
    validation.require_symmetric(G, "triangles")
    found, _ = assertions.read_vector(G, "count", count, complete=True)
    expected = subgraph_passes.vertex_triangles(subgraph_passes.neighbors(G, directions=1))
    fail_where(found != expected, "count[{}] is {}; the vertex is on {} triangles", found, expected)


@validation.explains_wrong_calls
def clustering_coefficient(G: Graph, coefficient: Any, *, rtol: float = 1e-9) -> None:
    """Check clustering coefficients, by counting all triangles in one thread.

    With W = A + A' and d = W 1, the coefficient of v is the number of its closed walks of three
    steps, (W^3)(v, v), over 2 (d(v) (d(v) - 1) - 2 b(v)), where b(v) is the number of its
    neighbours with edges in both directions; 0 if that is 0. The check takes 28 bytes an edge.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored.
    coefficient : Vector, length n, with all entries
    rtol : float

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.clustering_coefficient(G, gl.clustering_coefficient(G))
    """
    found, _ = assertions.read_vector(G, "coefficient", coefficient, complete=True)
    W = subgraph_passes.neighbors(G, directions=2)
    walks = 2 * subgraph_passes.vertex_triangles(W)
    degree, mutual = W.sum(axis=1), (W == 2).sum(axis=1)
    pairs = degree * (degree - 1) - 2 * mutual
    expected = walks / np.maximum(2 * pairs, 1)
    wrong = ~(abs(found - expected) <= rtol * expected)
    fail_where(wrong, "coefficient[{}] is {}; the triangles give {}", found, expected)


@validation.explains_wrong_calls
def core_number(G: Graph, core: Any) -> None:
    """Check core numbers.

    They are correct if and only if each vertex v has at least core(v) neighbours whose number is
    at least core(v), so that it is in that core, and no larger one: vertices can be removed in
    the order of their numbers so that none has more than core(v) neighbours left. The check takes
    36 bytes an edge.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored. An edge of a directed graph adds to the degrees of
        both its ends.
    core : Vector, length n, with all entries

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.core_number(G, gl.core_number(G))
    """
    core, _ = assertions.read_vector(G, "core", core, complete=True)
    fail_where(~(core >= 0), "core[{}] is {}", core)
    core = core.astype(np.float64 if core.dtype.kind == "f" else np.int64)
    S = subgraph_passes.neighbors(G, directions=1 if G.kind == "undirected" else 2)
    degree, removed = subgraph_passes.degrees_in_cores(S, core)
    text = "core[{}] is {}; only {} neighbours have at least that number"
    fail_where(degree < core, text, core, degree)
    fail_where(~removed, "core[{}] is {}; the vertex is in a core of a higher number", core)


@validation.explains_wrong_calls
def k_truss(G: Graph, k: int, truss: Any) -> None:
    """Check a k-truss, by removing edges in one thread until each is on k - 2 triangles.

    Each round of removals counts all triangles that are left. The check takes 60 bytes an edge.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    k : int
        At least 1.
    truss : Matrix, n x n
        An entry for each edge of the truss, in both directions: its number of triangles.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.k_truss(G, 4, gl.k_truss(G, 4))
    """
    validation.require_symmetric(G, "k_truss")
    k, truss = validation.check_count(k, "k"), on_host(truss)
    if truss.shape != (G.n, G.n):
        raise VerificationError(f"a truss of shape {truss.shape} for {G.n} vertices")
    src, dst, support = truss.to_coo()
    S = subgraph_passes.neighbors(G, directions=1)
    expected_src, expected_dst, expected = subgraph_passes.entries(subgraph_passes.truss(S, k))
    assertions.check_same_entries("truss", G.n, (src, dst), (expected_src, expected_dst))
    text = "edge {1} -- {2} has {3}; it is on {4} triangles of the truss"
    fail_where(support != expected, text, src, dst, support, expected)


@validation.explains_wrong_calls
def greedy_color(G: Graph, color: Any) -> None:
    """Check that neighbours differ and that no vertex could have a smaller colour.

    These are the colourings that a greedy algorithm finds in any order of the vertices: each
    vertex has a neighbour of every colour below its own. The check takes 36 bytes an edge.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    color : Vector of integers, length n, with all entries

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.greedy_color(G, gl.greedy_color(G))
    """
    validation.require_symmetric(G, "greedy_color")
    color = assertions.read_vertices(G, "color", color)  # a colour is below n
    fail_where(color < 0, "color[{}] has no entry")
    S = subgraph_passes.neighbors(G, directions=1)
    src, dst, _ = subgraph_passes.entries(S)
    equal = color[src] == color[dst]
    fail_where(equal, "the neighbours {1} and {2} have the same colour, {3}", src, dst, color[src])
    v, c, _ = subgraph_passes.entries(subgraph_passes.neighbor_labels(S, color))
    smaller = np.bincount(v[c < color[v]], minlength=G.n)
    text = "color[{}] is {}; its neighbours have only {} smaller colours"
    fail_where(smaller != color, text, color, smaller)


@validation.explains_wrong_calls
def label_propagation(G: Graph, community: Any) -> None:
    """Check that labels are stable: none is more frequent among a vertex's neighbours than its own.

    A label must be the smallest vertex that has it, and be in the component of each vertex that
    has it. A graph has many stable labellings, and all are accepted. The check takes up to 60
    bytes an edge.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    community : Vector of integers, length n, with all entries

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.label_propagation(G, gl.label_propagation(G))
    """
    validation.require_symmetric(G, "label_propagation")
    label = assertions.read_communities(G, community)
    S = subgraph_passes.neighbors(G, directions=1)
    v, x, count = subgraph_passes.entries(subgraph_passes.neighbor_labels(S, label))
    own, most = np.zeros((2, G.n), np.int64)
    own[v[x == label[v]]] = count[x == label[v]]
    np.maximum.at(most, v, count)
    text = "community[{}] is {}, that of {} neighbours; another one is that of {}"
    fail_where(own < most, text, label, own, most)


@validation.explains_wrong_calls
def louvain(
    G: Graph,
    community: Any,
    modularity: float | None = None,
    *,
    resolution: float = 1.0,
    atol: float = 1e-9,
) -> None:
    """Check communities and their modularity, which is at least that of single vertices.

    A label must be the smallest vertex that has it, and be in the component of each vertex that
    has it. How large the modularity is beyond that is not checked: no bound is known.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    community : Vector of integers, length n, with all entries
    modularity : float, optional
        That of the communities, with :func:`graphla.modularity`'s definition; 0 if all weights
        are 0.
    resolution : float
        As given to the algorithm.
    atol : float
        Absolute tolerance of modularities.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.karate()
    >>> gl.verify.louvain(G, *gl.louvain(G))
    """
    validation.require_finite_nonnegative(G, "verify.louvain")
    resolution = validation.check_finite(resolution, "resolution")
    label, single = assertions.read_communities(G, community), np.arange(G.n)
    expected, least = (edge_passes.modularity(G, x, resolution) for x in (label, single))
    if modularity is not None and not abs(modularity - expected) <= atol:
        raise VerificationError(f"the modularity is {modularity}; the communities have {expected}")
    if expected < least - atol:
        raise VerificationError(f"a modularity of {expected}; single vertices have {least}")
