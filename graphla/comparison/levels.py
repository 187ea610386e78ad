"""Breadth-first search level by level: the algebraic implementation beside the hand-written one.

Both choose a direction for each level. A push reads all edges that leave the frontier.
A pull reads, for each unvisited vertex (the mask), its in-edges up to and including
the first from the frontier (early exit), or all of them. The inspected edges follow from the
levels and directions, so they are counted afterwards and the searches count nothing.

The directions and times of the algebraic search come from :func:`graphla.trace`: the time of a
level is the sum of its operations. The hand-written search is run level by level and timed from
outside. Both measurements add a little to every level; compare with the time of a whole search.

Source: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search",
SC 2012.
"""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit

from graphla.algorithms.traversal import bfs as algebraic
from graphla.comparison.measure import timed
from graphla.comparison.report.level_views import Levels, SearchLevels
from graphla.core import validation
from graphla.core.tracing import Trace, trace
from graphla.errors import EngineMismatch
from graphla.native.cpu import bfs as native
from graphla.numba_support.compiling import announce_compilation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def compare_levels(G: Graph, source: int, *, trials: int = 3) -> Levels:
    """Measure the algebraic and the hand-written breadth-first search level by level.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    source : int
        Vertex in 0..n-1.
    trials : int, default 3
        Searches of each implementation; the time of a level is the median.

    Returns
    -------
    Levels
        For each level the frontier size and, for `algebraic` and `native`, the direction,
        the number of inspected edges and the time. It is shown as a table in text and HTML,
        and has `to_pandas()` and `plot()`.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.
    EngineMismatch
        The graph is not on engine "cpu": use ``G.to("cpu")``.

    Examples
    --------
    >>> import graphla as gl
    >>> view = gl.compare_levels(gl.generate.cycle(6), 1)
    >>> view.frontier
    [1, 2, 2, 1]
    >>> view.native.direction, view.native.edges
    (['push', 'pull', 'pull', 'pull'], [2, 4, 1, 0])
    """
    if G.engine != "cpu":
        raise EngineMismatch(f"the hand-written search runs on engine 'cpu', not {G.engine!r}")
    source, trials = validation.check_vertex(G, source), validation.check_count(trials, "trials")
    G.cache("AT", "out_degree", "max_out_degree")
    with announce_compilation("native.bfs"):
        level = native.bfs(G, source).level.to_dense(fill_value=-1)
    return Levels(
        frontier=np.bincount(level[level >= 0]).tolist(),
        algebraic=_measure(_run_algebraic, algebraic.bfs, G, source, level, trials),
        native=_measure(_run_native, native.bfs, G, source, level, trials),
    )


def _measure(
    run_by_level: Any, search: Any, G: Graph, source: int, level: Any, trials: int
) -> SearchLevels:
    run_by_level(G, source)  # compiles
    runs = [run_by_level(G, source) for _ in range(trials)]
    whole = [timed(lambda: search(G, source))[0] for _ in range(trials)]
    direction = runs[0][0]
    seconds = [median(times) for times in zip(*(times for _, times in runs), strict=True)]
    return SearchLevels(direction, inspected_edges(G, level, direction), seconds, median(whole))


def _run_algebraic(G: Graph, source: int) -> tuple[list[str], list[float]]:
    """Return the direction and the seconds of every level."""
    with trace() as steps:
        algebraic.bfs(G, source)
    return split_into_levels(steps)


def split_into_levels(steps: Trace) -> tuple[list[str], list[float]]:
    """Return the direction and the seconds of every level of a trace.

    A level is an optional product without a mask, which helps to choose the direction, the masked
    product, and the updates up to the next product.
    """
    directions: list[str] = []
    seconds = [0.0]
    for step in steps:
        if step.direction and len(directions) == len(seconds):
            seconds.append(0.0)
        if step.direction and step.mask:
            directions.append(step.direction)
        seconds[-1] += step.seconds
    return directions, seconds


def _run_native(G: Graph, source: int) -> tuple[list[str], list[float]]:
    """Return the direction and the seconds of every level."""
    out, into = G.csr, G.csr_transposed
    threads, buffers = get_num_threads(), native.new_buffers(G.n, out.indices.dtype)
    search = native.start_search(source, out.indptr, threads, buffers)
    directions, seconds = [], []
    while search.state[native.SIZE]:
        directions.append("push" if search.state[native.TOP_DOWN] else "pull")
        start = time.perf_counter()
        native.run_level(out.indptr, out.indices, into.indptr, into.indices, search, threads)
        seconds.append(time.perf_counter() - start)
    return directions, seconds


def inspected_edges(G: Graph, level: Any, directions: list[str]) -> list[int]:
    """Return the edges that each level inspects; `level` is -1 for unreached vertices."""
    out, into = G.csr, G.csr_transposed
    reached = level >= 0
    out_edges = np.bincount(level[reached], weights=np.diff(out.indptr)[reached])
    return [
        int(out_edges[depth])
        if direction == "push"
        else int(_count_pulled(into.indptr, into.indices, level, depth))
        for depth, direction in enumerate(directions)
    ]


@njit(cache=True, nogil=True)
def _count_pulled(indptr, indices, level, depth):
    """Count the in-edges that unvisited vertices read until one comes from level `depth`."""
    edges = 0
    for v in range(level.size):
        if 0 <= level[v] <= depth:
            continue
        for k in range(indptr[v], indptr[v + 1]):
            edges += 1
            if level[indices[k]] == depth:
                break
    return edges
