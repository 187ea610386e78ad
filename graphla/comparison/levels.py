"""Breadth-first search level by level: the algebra beside the hand-written kernel.

Both choose a direction for each level. A push reads all edges that leave the frontier.
A pull reads, for each vertex not yet visited (the mask), its in-edges up to and including
the first from the frontier (early exit), or all of them. The edges so inspected follow from
the levels alone, so they are counted afterwards by replay and the kernels count nothing.

The algebra's directions and times are those of :func:`graphla.trace`, a level being the
sum of its operations; the kernel is driven level by level with a clock between. Both add
a little to every level, which the time of a whole search without them shows.

Source: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search",
SC 2012.
"""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit

from graphla.algorithms.traversal import bfs as algebra
from graphla.comparison.report.level_views import Levels
from graphla.core import validation
from graphla.core.tracing import Trace, trace
from graphla.errors import EngineMismatch
from graphla.native.cpu import bfs as native
from graphla.numba_support.compiling import announced

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Side(NamedTuple):
    """One implementation: a direction, inspected edges and seconds for each level."""

    direction: list[str]
    edges: list[int]
    seconds: list[float]
    whole: float  # seconds of a search as it is, no clock inside


def compare_levels(G: Graph, source: int, *, trials: int = 3) -> Levels:
    """Search breadth-first by algebra and by hand, and show both level by level.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    source : int
        Vertex in 0..n-1.
    trials : int, default 3
        Searches of each; the time of a level is the median.

    Returns
    -------
    Levels
        For each level the size of its frontier and, for `algebraic` and
        `native`, the direction in which its edges were followed, how many were
        inspected and the time. A table in text and HTML, with `to_pandas()`
        and `plot()`.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.
    EngineMismatch
        The graph is not on engine "cpu": ``G.to("cpu")`` is.

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
    source, trials = validation.vertex(G, source), validation.count(trials, "trials")
    G.cache("AT", "out_degree", "max_out_degree")
    with announced("native.bfs"):
        level = native.bfs(G, source).level.to_dense(fill_value=-1)
    return Levels(
        frontier=np.bincount(level[level >= 0]).tolist(),
        algebraic=_side(_traced, algebra.bfs, G, source, level, trials),
        native=_side(_driven, native.bfs, G, source, level, trials),
    )


def _side(by_level: Any, search: Any, G: Graph, source: int, level: Any, trials: int) -> Side:
    by_level(G, source)  # compiles
    runs = [by_level(G, source) for _ in range(trials)]
    whole = []
    for _ in range(trials):
        begun = time.perf_counter()
        search(G, source)
        whole.append(time.perf_counter() - begun)
    direction = runs[0][0]
    seconds = [median(times) for times in zip(*(times for _, times in runs), strict=True)]
    return Side(direction, inspected(G, level, direction), seconds, median(whole))


def _traced(G: Graph, source: int) -> tuple[list[str], list[float]]:
    """Return direction and seconds of every level of the algebra."""
    with trace() as steps:
        algebra.bfs(G, source)
    return split(steps)


def split(steps: Trace) -> tuple[list[str], list[float]]:
    """Part a trace into levels: what chooses the direction, the masked product, the updates."""
    directions: list[str] = []
    seconds = [0.0]
    for step in steps:
        if step.direction and len(directions) == len(seconds):
            seconds.append(0.0)
        if step.direction and step.mask:
            directions.append(step.direction)
        seconds[-1] += step.seconds
    return directions, seconds


def _driven(G: Graph, source: int) -> tuple[list[str], list[float]]:
    """Return direction and seconds of every level of the kernel."""
    out, into = G.csr, G.csr_transposed
    search = native.start_search(source, out.indptr, out.indices.dtype)
    threads = get_num_threads()
    directions, seconds = [], []
    while search.state[native.SIZE]:
        directions.append("push" if search.state[native.TOP_DOWN] else "pull")
        begun = time.perf_counter()
        native.run_level(out.indptr, out.indices, into.indptr, into.indices, search, threads)
        seconds.append(time.perf_counter() - begun)
    return directions, seconds


def inspected(G: Graph, level: Any, direction: list[str]) -> list[int]:
    """Return the edges that each level inspects; `level` is -1 where unreached."""
    out, into = G.csr, G.csr_transposed
    reached = level >= 0
    pushed = np.bincount(level[reached], weights=np.diff(out.indptr)[reached])
    return [
        int(pushed[d]) if way == "push" else int(_pulled(into.indptr, into.indices, level, d))
        for d, way in enumerate(direction)
    ]


@njit(cache=True, nogil=True)
def _pulled(indptr, indices, level, depth):
    """Count what the unvisited read to find a neighbour of `depth`, the level of the frontier."""
    edges = 0
    for v in range(level.size):
        if 0 <= level[v] <= depth:
            continue
        for k in range(indptr[v], indptr[v + 1]):
            edges += 1
            if level[indices[k]] == depth:
                break
    return edges
