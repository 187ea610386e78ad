"""Shortest paths from a batch of sources at once, by Bellman and Ford's iteration.

    D' = D min (Q min.plus A),    Q = D' where D' < D         until Q is empty

Row s of the k x n matrices belongs to the s-th source. Q holds the distances that the last
round lowered. After r rounds D is at most the length of any walk of r edges, so round n
lowers a distance only behind a negative cycle.

Source: see :mod:`~graphla.algorithms.paths.bellman_ford`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.core import validation
from graphla.errors import NegativeCycle
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]
COLLECTED_SIZE = 1 << 20  # entries of a batch from which garbage is collected after it


def find_distances_in_batches(
    G: Graph, sources: Any, batch: int, algorithm: str, progress: bool, infinity: Any = None
) -> Iterator[tuple[slice, Any]]:
    """Yield, for `batch` sources at a time, their positions and the Matrix of their distances.

    Arguments are checked on the call, not on the first iteration; messages name the
    `algorithm`. A caller that knows a bound above all distances passes it as `infinity`, in
    the dtype of the weights.
    """
    batch = validation.check_count(batch, "batch")
    validation.refuse_nan(G, algorithm)
    find: Callable[[list[int]], Any] = partial(find_levels, G)
    if G.weighted:
        if infinity is None:
            T, infinity = validation.distance_dtype(G, algorithm)
            G = G.astype(T)
        find = partial(find_distances, G, infinity)

    def iterate() -> Iterator[tuple[slice, Any]]:
        first = 0
        for part in iterate_batches(sources, batch, algorithm, progress):
            rows = slice(first, first + len(part))
            first = rows.stop
            yield rows, find(list(part))
            if len(part) * G.n > COLLECTED_SIZE:  # expressions and objects form reference cycles
                gc.collect()

    return iterate()


def find_distances(G: Graph, infinity: Any, sources: list[int]) -> Any:
    """Find the distances from each of the sources.

    Parameters
    ----------
    G : Graph
        With weights of the distances' dtype, none NaN.
    infinity
        More than any distance (see :func:`graphla.core.validation.distance_dtype`).
    sources : list of int
        Vertices.

    Returns
    -------
    Matrix
        k x n, of the dtype of `G`; no entry for an unreached vertex.

    Raises
    ------
    NegativeCycle
        A cycle of negative weight can be reached from one of the sources.
    """
    T = G.dtype
    D, Q = (G.matrix(T, len(sources), G.n) for _ in range(2))
    better = G.matrix(BOOL, len(sources), G.n)
    set_storage_hint(D, form="full")
    D << infinity
    Q.build(range(len(sources)), sources, [0] * len(sources))
    D(Q.S) << 0
    before = D.dup()
    lower, step = D(binary.min[T]), Q.mxm(G.A, semiring.min_plus[T])
    lowered, keep = D.ewise_mult(before, binary.lt[T]), Q(better.S, replace=True)
    rounds = 0
    while Q.nvals:
        if rounds == G.n:
            raise NegativeCycle("one of the sources reaches a cycle of negative weight")
        before << D
        lower << step
        # a new object: SuiteSparse 9.4.5 writes beyond a full output of one value
        better << lowered.new().select(select.valueeq[BOOL], True)
        keep << D
        rounds += 1
    return D.select(select.valuelt[T], infinity).new()


def find_levels(G: Graph, sources: list[int]) -> Any:
    """Find the distances in edges from each of the sources, by breadth-first search.

        F<~L, replace> = F any.pair A,    L<F> = level

    Returns
    -------
    Matrix
        k x n, INT64; no entry for an unreached vertex.
    """
    L, F = G.matrix(INT64, len(sources), G.n), G.matrix(BOOL, len(sources), G.n)
    set_storage_hint(L, form="bitmap")
    F.build(range(len(sources)), sources, [True] * len(sources))
    discover, step, write = F(~L.S, replace=True), F.mxm(G.A, any_pair), L(F.S)
    level = 0
    while F.nvals:
        write << level
        level += 1
        discover << step
    return L
