"""Distances from many sources (native): one search for each source.

Parallel split: each thread runs whole searches, each from another source. With fewer sources than
threads, the searches run one after another and all threads share each of them.

Source: see :mod:`~graphla.native.cpu.sssp` (weighted) and :mod:`~graphla.native.cpu.bfs`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from graphblas.dtypes import INT64
from numba import get_num_threads

from graphla.native.cpu.bfs import run_search
from graphla.native.cpu.sssp import distance_search
from graphla.numba_support.thread_pool import run_in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Event

    from graphla.core.graph import Graph


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Return the distances from each of the sources; `batch` has no effect on this engine."""
    if G.weighted:
        search, dtype = distance_search(G)
    else:
        search, dtype = partial(_levels, G.cache("csr", "csr_transposed")), INT64.np_type
    count, threads = len(sources), get_num_threads()
    if not count:
        return Matrix(dtype, 0, G.n)
    values, present = np.empty((count, G.n), dtype), np.empty((count, G.n), bool)
    workers, threads_per_search = (1, threads) if count < threads else (threads, 1)

    def fill_rows(t: int, stopped: Event) -> None:
        for row in range(t, count, workers):
            if not stopped.is_set():
                distance, infinity = search(sources[row], threads_per_search)
                np.less(distance, infinity, out=present[row])
                values[row] = distance

    run_in_threads(fill_rows, workers)
    return Matrix.ss.import_bitmapr(values=values, bitmap=present, take_ownership=True)


def _levels(G: Graph, source: int, threads: int) -> tuple[Any, Any]:
    """Return the levels from a vertex, and the value of unreached vertices among them."""
    search = run_search(G, source, threads)
    return np.where(search.parent < 0, G.n, search.level), G.n
