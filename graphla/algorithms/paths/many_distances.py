"""Shortest paths from a batch of sources at once, by Bellman and Ford's iteration.

    D' = D min (Q min.plus A),    Q = D' where D' < D         until Q is empty

Row s of the k x n matrices belongs to the s-th source. Q holds the distances that the last
round lowered. After k rounds D is at most the length of any walk of k edges, so that n
rounds lower something only behind a negative cycle.

Source: as of :mod:`~graphla.algorithms.paths.bellman_ford`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.core import validation
from graphla.core.display import Progress
from graphla.errors import NegativeCycle
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]
LARGE = 1 << 20  # entries of a batch that are worth a collection of garbage


def distances_in_batches(
    G: Graph, sources: Any, batch: int, what: str, progress: bool, infinity: Any = None
) -> Iterator[Any]:
    """Yield the distances from `batch` sources after the other, as :func:`many_distances` does.

    What it refuses it refuses at once, in the name of `what`. Who knows more about the
    distances than the weights say gives an `infinity` of the weights' dtype.
    """
    batch = validation.check_count(batch, "batch")
    validation.refuse_nan(G, what)
    H = G
    if G.weighted and infinity is None:
        T, infinity = validation.distance_dtype(G, what)
        H = G.astype(T)

    def batches() -> Iterator[Any]:
        with Progress(progress, what, len(sources)) as bar:
            for first in range(0, len(sources), batch):
                together = list(sources[first : first + batch])
                if G.weighted:
                    yield many_distances(H, together, infinity)
                else:
                    yield many_levels(G, together)
                bar.step(len(together))
                if len(together) * G.n > LARGE:  # a batch would stay for long: objects in cycles
                    gc.collect()

    return batches()


def many_distances(G: Graph, sources: list[int], infinity: Any) -> Any:
    """Find the distances from each of the sources.

    Parameters
    ----------
    G : Graph
        With weights of the distances' dtype, none NaN.
    sources : list of int
        Vertices.
    infinity
        More than any distance (see :func:`graphla.core.validation.distance_dtype`).

    Returns
    -------
    Matrix
        k x n, of the dtype of `G`; no entry where a vertex is not reached.

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
        better << lowered
        better << better.select(select.valueeq[BOOL], True)
        keep << D
        rounds += 1
    return D.select(select.valuelt[T], infinity).new()


def many_levels(G: Graph, sources: list[int]) -> Any:
    """Find the numbers of edges from each of the sources, by breadth-first search.

        F<~L, replace> = F any.pair A,    L<F> = level

    Returns
    -------
    Matrix
        k x n, INT64; no entry where a vertex is not reached.
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
