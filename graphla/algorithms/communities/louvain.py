"""Communities of large modularity by Louvain's method: move vertices, merge communities, repeat.

With P = A / sum A, W = (P + P') / 2, k = P 1, h = P' 1 and the membership S of the communities,

    V = W S - resolution (k (S' h)' + h (S' k)') / 2     on the entries of W S, without the vertex
    label(i) = argmax_c V(i, c)                          if that is more than V(i, label(i))
    P = S' P S                                           when no move pays any more

V(i, c) is half of what modularity gains when i, taken out, joins c. Where A is symmetric, W is
P and h is k. Vertices of one colour move at once: they are not joined. As they may still crowd
into one community, a sweep that does not raise the modularity is taken back.

Source: V. Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech.
(2008) P10008; by colours H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for
scalable community detection", Parallel Computing 47 (2015); directed N. Dugue, A. Perez,
"Directed Louvain", hal-01231784 (2015).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, select, semiring
from graphblas.dtypes import BOOL, FP64

from graphla.algorithms._shared.vectors import make_index_vector
from graphla.algorithms.communities.greedy_color import greedy_color
from graphla.algorithms.communities.membership import find_smallest_members, make_membership
from graphla.algorithms.communities.modularity import quality, shares_of_weight
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import Communities

if TYPE_CHECKING:
    from graphla.core.graph import Graph

LEAST = 1e-13  # gain below which a vertex stays
SWEEP = 1e-4  # modularity that a sweep must add for another one to follow

plus, minus, times = binary.plus[FP64], binary.minus[FP64], binary.times[FP64]
plus_times, plus_first = semiring.plus_times[FP64], semiring.plus_first[FP64]
plus_second = semiring.plus_second[FP64]


def louvain(
    G: Graph,
    *,
    resolution: float = 1.0,
    tol: float = 1e-7,
    max_levels: int | None = None,
    progress: bool = False,
) -> Communities:
    """Find communities of large modularity.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1. A directed edge counts for its
        direction, as in :func:`modularity`.
    resolution : float
        Above 1 it favours smaller communities, below larger ones.
    tol : float
        Stop when a level raises the modularity by less than `tol` > 0.
    max_levels : int, optional
        Merge no more often than this, at least once.
    progress : bool
        Show a bar of the levels.

    Returns
    -------
    Communities
        `community`, of dtype ``G.index_dtype`` with all n entries: the smallest vertex of
        each vertex's community; and `modularity`, theirs, 0 without edges. The result is
        deterministic.

    Raises
    ------
    InvalidValue
        `tol` is not positive, `resolution` not finite, `max_levels` below 1, or a weight
        is negative, NaN or infinite.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], kind="undirected")
    >>> r = gl.louvain(G)
    >>> r.community.to_dense().tolist(), round(r.modularity, 4)
    ([0, 0, 0, 3, 3, 3], 0.3571)
    """
    limit = None if max_levels is None else validation.check_count(max_levels, "max_levels")
    levels = louvain_levels(G, resolution=resolution, tol=tol, progress=progress)
    return deque(islice(levels, limit), maxlen=1).pop()


def louvain_levels(
    G: Graph, *, resolution: float = 1.0, tol: float = 1e-7, progress: bool = False
) -> Iterator[Communities]:
    """Find the communities of every level, the finest first.

    Parameters, errors and meaning are those of :func:`louvain`.

    Yields
    ------
    Communities
        Those of a level, each of which is a union of some of the level before.

    Examples
    --------
    >>> import graphla as gl
    >>> ring = gl.generate.cycle(20)
    >>> [len(set(r.community.to_dense().tolist())) for r in gl.louvain_levels(ring)]
    [9, 4]
    """
    validation.check_graph(G)
    resolution = validation.check_finite(resolution, "resolution")
    tol = validation.check_positive(tol, "tol")
    return _levels(G, shares_of_weight(G, "louvain"), resolution, tol, progress)


def _levels(
    G: Graph, P: Any, resolution: float, tol: float, progress: bool
) -> Iterator[Communities]:
    if P is None:
        yield Communities(make_index_vector(G, G.n), 0.0)
        return
    members = make_membership(G, make_index_vector(G, G.n))
    before, reached = -float("inf"), quality(P, members, resolution)
    with Progress(progress, "louvain") as bar:
        while reached - before >= tol:
            S = _moved(G, P, resolution)
            if S.ncols == P.nrows and isfinite(before):  # of the first level alone it is said
                break
            P = S.T.mxm(P, plus_second).new().mxm(S, plus_first).new()
            members = members.mxm(S, semiring.any_pair[BOOL]).new()
            merged = make_membership(G, make_index_vector(G, P.nrows), P.nrows)
            before, reached = reached, quality(P, merged, resolution)
            bar.step()
            yield Communities(find_smallest_members(G, members), reached)


def _moved(G: Graph, P: Any, resolution: float) -> Any:
    """Move vertices while it pays; return the membership, without empty communities."""
    n = P.nrows
    label = make_index_vector(G, n)
    W, ends = _both_ways(G, P)
    others = W.select(select.offdiag, 0).new()
    pattern = others.dup(BOOL)
    pattern(others.S) << True
    color = greedy_color(type(G)(pattern, kind="undirected", copy=False))
    classes = []
    for c in range(1 + color.reduce(monoid.max).new().get(-1)):
        vertices = color.select("==", c).new().to_coo(values=False)[0]
        classes.append((vertices, others[vertices, :].new()))
    S = make_membership(G, label, n)
    reached, best = quality(P, S, resolution), S
    while True:
        for vertices, rows in classes:
            if _move(S, ends, label, vertices, rows, resolution / len(ends)):
                S = make_membership(G, label, n)
        found = quality(P, S, resolution)
        if found <= reached:
            break
        gain, reached, best = found - reached, found, S
        if gain < SWEEP:
            break
    used = best.reduce_columnwise(monoid.any).new().to_coo(values=False)[0]
    return best[:, used].new()


def _both_ways(G: Graph, P: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """Return W, and the pairs (k, h) and (h, k), or (k, k) alone where P is symmetric."""
    k = _full(G, P.reduce_rowwise(monoid.plus).new())
    if G.is_symmetric:
        return P, [(k, k)]
    h = _full(G, P.reduce_columnwise(monoid.plus).new())
    W = P.ewise_add(P.T, plus).new()
    W << W.apply(times, right=0.5)
    return W, [(k, h), (h, k)]


def _full(G: Graph, x: Any) -> Any:
    full = G.vector(FP64, x.size)
    full << 0.0
    full(plus) << x
    return full


def _move(S: Any, ends: Any, label: Any, vertices: Any, rows: Any, resolution: float) -> bool:
    """Let vertices that are not joined choose a community; return whether any moved."""
    own = S[vertices, :].new()
    V = rows.mxm(S, plus_first).new()
    V(plus) << own.apply(binary.second[FP64], right=0.0)
    for k, h in ends:
        mine = k[vertices].new()
        weights = V.mxm(S.T.mxv(h, plus_second).new().diag(), plus_second).new()
        chance = mine.diag().mxm(weights, plus_times).new()
        itself = mine.ewise_mult(h[vertices].new(), times).new()
        chance(minus) << itself.diag().mxm(own, plus_first)
        chance << chance.apply(times, right=resolution)
        V << V.ewise_mult(chance, minus)

    stay = V.ewise_mult(own, binary.first[FP64]).new().reduce_rowwise(monoid.plus).new()
    most = V.reduce_rowwise(monoid.max).new()
    gain = most.ewise_mult(stay, minus).new().select(">", LEAST).new()
    if not gain.nvals:
        return False
    top = V.ewise_mult(most.diag().mxm(V, plus_first).new(), binary.ge).new()
    top << top.select(select.valueeq[BOOL], True)
    found = top.apply(indexunary.colindex[label.dtype]).new().reduce_rowwise(monoid.min).new()
    current = label[vertices].new()
    current(gain.S) << found
    label[vertices] << current
    return True
