"""Distances from many sources (native): one search for each source.

Parallel split: each thread runs whole searches, each from another source. With fewer sources than
threads, the searches run one after another and all threads share each of them. With weights one
compiled loop runs the searches of a thread. Without weights a search is several kernels, between
which Python's threads wait for each other.

Source: see :mod:`~graphla.native.cpu.sssp` (weighted) and :mod:`~graphla.native.cpu.bfs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from graphblas.dtypes import INT64
from numba import get_num_threads

from graphla.native.cpu.bfs import run_search
from graphla.native.cpu.sssp import DistanceSearch
from graphla.numba_support.thread_pool import run_in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Event

    from graphla.core.graph import Graph


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Return the distances from each of the sources; `batch` has no effect on this engine."""
    search = DistanceSearch(G) if G.weighted else None
    dtype, count = INT64.np_type if search is None else search.dtype, len(sources)
    if not count:
        return Matrix(dtype, 0, G.n)
    values, present = np.empty((count, G.n), dtype), np.empty((count, G.n), bool)
    if search is None:
        _fill_with_levels(G, sources, values, present, get_num_threads())
    else:
        _fill_with_distances(search, sources, values, present, get_num_threads())
    return Matrix.ss.import_bitmapr(values=values, bitmap=present, take_ownership=True)


def _fill_with_distances(
    search: DistanceSearch, sources: Sequence[int], values: Any, present: Any, threads: int
) -> None:
    if len(sources) >= threads:
        search.from_each(sources, values, present, threads)
        return
    for row, source in enumerate(sources):
        values[row] = distance = search.from_one(source, threads)
        np.less(distance, search.unreached, out=present[row])


def _fill_with_levels(
    G: Graph, sources: Sequence[int], values: Any, present: Any, threads: int
) -> None:
    G.cache("csr", "csr_transposed")
    count = len(sources)
    workers, threads_per_search = (1, threads) if count < threads else (threads, 1)

    def fill_rows(t: int, stopped: Event) -> None:
        for row in range(t, count, workers):
            if not stopped.is_set():
                search = run_search(G, sources[row], threads_per_search)
                values[row] = search.level
                np.greater_equal(search.parent, 0, out=present[row])

    run_in_threads(fill_rows, workers)
