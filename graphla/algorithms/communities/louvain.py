"""Communities of large modularity by Louvain's method: move vertices, merge communities, repeat.

With P = A / sum A, W = (P + P') / 2, k = P 1, h = P' 1 and the membership S of the communities,

    V = W S - resolution (k (S' h)' + h (S' k)') / 2     on the entries of W S, without i itself
    label(i) = argmax_c V(i, c)                          if that is more than V(i, label(i))
    P = S' P S                                           when no move gains any more

V(i, c) is half of the gain in modularity when i, removed from its community, joins c. If A is
symmetric, W is P and h is k. Vertices of one colour, which are not adjacent, move at once. Too many
of them may still join one community, so a sweep that does not raise the modularity is undone.

Cost: O(m) a pass over the vertices, in one product for each colour; few passes a level, few
levels.

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

from graphla.algorithms._shared.vectors import make_full_vector, make_index_vector
from graphla.algorithms.communities.greedy_color import greedy_color, split_by_color
from graphla.algorithms.communities.membership import find_smallest_members, make_membership
from graphla.algorithms.communities.modularity import compute_modularity, normalize_weights
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import Communities

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MIN_GAIN = 1e-13  # of V, for a vertex to move
MIN_SWEEP_GAIN = 1e-4  # of modularity, for another sweep to follow

plus, minus, times = binary.plus[FP64], binary.minus[FP64], binary.times[FP64]
plus_times, plus_first = semiring.plus_times[FP64], semiring.plus_first[FP64]
plus_second = semiring.plus_second[FP64]


@validation.explains_wrong_calls
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
        Weights >= 0; an unweighted edge has weight 1. Directions count as in
        :func:`modularity`.
    resolution : float
        Above 1 it favours smaller communities, below larger ones.
    tol : float
        Stop when a level raises the modularity by less than `tol` > 0.
    max_levels : int, optional
        Largest number of merges, at least 1.
    progress : bool
        Show a bar of the levels.

    Returns
    -------
    Communities
        `community`, of dtype ``G.index_dtype`` with all n entries: the smallest vertex of
        each vertex's community; and their `modularity`, 0 without edges. The result is
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


@validation.explains_wrong_calls
def louvain_levels(
    G: Graph, *, resolution: float = 1.0, tol: float = 1e-7, progress: bool = False
) -> Iterator[Communities]:
    """Find the communities of every level, the finest first.

    Parameters, errors and meaning are those of :func:`louvain`.

    Yields
    ------
    Communities
        Those of a level; each is a union of communities of the level before.

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
    return _iterate_levels(G, normalize_weights(G, "louvain"), resolution, tol, progress)


def _iterate_levels(
    G: Graph, P: Any, resolution: float, tol: float, progress: bool
) -> Iterator[Communities]:
    """Yield the communities of each level; P is None if all weights are 0."""
    if P is None:
        yield Communities(make_index_vector(G, G.n), 0.0)
        return
    members = make_membership(G, make_index_vector(G, G.n))
    previous, current = -float("inf"), compute_modularity(P, members, resolution)
    with Progress(progress, "louvain") as bar:
        while current - previous >= tol:
            S = _move_vertices(G, P, resolution)
            if S.ncols == P.nrows and isfinite(previous):  # the first level is yielded in any case
                break
            P = S.T.mxm(P, plus_second).new().mxm(S, plus_first).new()
            members = members.mxm(S, semiring.any_pair[BOOL]).new()
            merged = make_membership(G, make_index_vector(G, P.nrows), P.nrows)
            previous, current = current, compute_modularity(P, merged, resolution)
            bar.step()
            yield Communities(find_smallest_members(G, members), current)


def _move_vertices(G: Graph, P: Any, resolution: float) -> Any:
    """Move vertices while modularity rises; return the membership, without empty communities."""
    n = P.nrows
    label = make_index_vector(G, n)
    W, degrees = _symmetrize(G, P)
    off_diagonal = W.select(select.offdiag, 0).new()
    pattern = off_diagonal.dup(BOOL)
    pattern(off_diagonal.S) << True
    color = greedy_color(type(G)(pattern, kind="undirected", copy=False))
    classes = split_by_color(color, off_diagonal)
    S = make_membership(G, label, n)
    highest, best = compute_modularity(P, S, resolution), S
    while True:
        for vertices, rows in classes:
            if _move_class(S, degrees, label, vertices, rows, resolution / len(degrees)):
                S = make_membership(G, label, n)
        current = compute_modularity(P, S, resolution)
        if current <= highest:
            break
        gain, highest, best = current - highest, current, S
        if gain < MIN_SWEEP_GAIN:
            break
    used = best.reduce_columnwise(monoid.any).new().to_coo(values=False)[0]
    return best[:, used].new()


def _symmetrize(G: Graph, P: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """Return W, and the pairs (k, h) and (h, k), or (k, k) alone if P is symmetric."""
    k = _fill_with_zeros(G, P.reduce_rowwise(monoid.plus).new())
    if G.is_symmetric:
        return P, [(k, k)]
    h = _fill_with_zeros(G, P.reduce_columnwise(monoid.plus).new())
    W = P.ewise_add(P.T, plus).new()
    W << W.apply(times, right=0.5)
    return W, [(k, h), (h, k)]


def _fill_with_zeros(G: Graph, x: Any) -> Any:
    """Return x with missing entries 0."""
    full = make_full_vector(G, FP64, 0.0, x.size)
    full(plus) << x
    return full


def _move_class(
    S: Any, degrees: Any, label: Any, vertices: Any, rows: Any, resolution: float
) -> bool:
    """Move each vertex of one colour to its best community; return whether any moved."""
    own = S[vertices, :].new()
    V = rows.mxm(S, plus_first).new()
    V(plus) << own.apply(binary.second[FP64], right=0.0)
    for k, h in degrees:
        class_k = k[vertices].new()
        community_h = V.mxm(S.T.mxv(h, plus_second).new().diag(), plus_second).new()
        expected = class_k.diag().mxm(community_h, plus_times).new()
        self_term = class_k.ewise_mult(h[vertices].new(), times).new()
        expected(minus) << self_term.diag().mxm(own, plus_first)
        expected << expected.apply(times, right=resolution)
        V << V.ewise_mult(expected, minus)

    current_value = V.ewise_mult(own, binary.first[FP64]).new().reduce_rowwise(monoid.plus).new()
    best_value = V.reduce_rowwise(monoid.max).new()
    gain = best_value.ewise_mult(current_value, minus).new().select(">", MIN_GAIN).new()
    if not gain.nvals:
        return False
    is_best = V.ewise_mult(best_value.diag().mxm(V, plus_first).new(), binary.ge).new()
    is_best << is_best.select(select.valueeq[BOOL], True)
    communities = is_best.apply(indexunary.colindex[label.dtype]).new()
    best_label = communities.reduce_rowwise(monoid.min).new()
    current = label[vertices].new()
    current(gain.S) << best_label
    label[vertices] << current
    return True
