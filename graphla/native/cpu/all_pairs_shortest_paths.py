"""Distances from many sources (native): one search for each source.

Parallel split: each thread runs whole searches, each from another source. With fewer sources than
threads, the searches run one after another and all threads share each of them. Searches by weights
are one compiled loop. Those by levels are Python's, whose threads wait for each other between two
kernels.

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
from graphla.numba_support.large_arrays import less
from graphla.numba_support.thread_pool import run_in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Event

    from graphla.core.graph import Graph


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Return the distances from each of the sources; `batch` has no effect on this engine."""
    threads = get_num_threads()
    find = _distances if G.weighted else _levels
    values, unreached, dtype = find(G, sources, threads)
    if not values.size:
        return Matrix(dtype, *values.shape)
    present = less(values.reshape(-1), unreached, threads).reshape(values.shape)
    values = values.astype(dtype, copy=False)
    return Matrix.ss.import_bitmapr(values=values, bitmap=present, take_ownership=True)


def _distances(G: Graph, sources: Sequence[int], threads: int) -> tuple[Any, Any, Any]:
    """Return a row of distances for each source, the value of unreached vertices, and a dtype."""
    search = DistanceSearch(G)
    if len(sources) >= threads:
        values = search.from_each(sources, threads)
    else:
        values = np.empty((len(sources), G.n), search.unreached.dtype)
        for row, source in enumerate(sources):
            values[row] = search.from_one(source, threads)
    return values, search.unreached, search.dtype


def _levels(G: Graph, sources: Sequence[int], threads: int) -> tuple[Any, Any, Any]:
    """Return a row of levels for each source, the value of unreached vertices, and a dtype."""
    G.cache("csr", "csr_transposed")
    count, dtype = len(sources), INT64.np_type
    values = np.empty((count, G.n), dtype)
    workers, threads_per_search = (1, threads) if count < threads else (threads, 1)

    def fill_rows(t: int, stopped: Event) -> None:
        for row in range(t, count, workers):
            if not stopped.is_set():
                search = run_search(G, sources[row], threads_per_search)
                values[row] = np.where(search.parent < 0, G.n, search.level)

    run_in_threads(fill_rows, workers)
    return values, G.n, dtype
