"""Distances from many sources by hand: each thread searches from a source of its own.

Where there are fewer sources than threads, all threads search from one source after the other.

Source: as of :mod:`~graphla.native.cpu.sssp` and :mod:`~graphla.native.cpu.bfs`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from graphblas.dtypes import INT64
from numba import get_num_threads

from graphla.native.cpu.bfs import found
from graphla.native.cpu.sssp import searcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphla.core.graph import Graph


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Find the distances from each of the sources, whatever `batch` says."""
    if G.weighted:
        search, dtype = searcher(G)
    else:
        search, dtype = partial(_levels, G.cache("csr", "csr_transposed")), INT64.np_type
    count, threads = len(sources), get_num_threads()
    if not count:
        return Matrix(dtype, 0, G.n)
    values, present = np.empty((count, G.n), dtype), np.empty((count, G.n), bool)
    workers, each = (1, threads) if count < threads else (threads, 1)
    stopped = Event()

    def some(t: int) -> None:
        for row in range(t, count, workers):
            if not stopped.is_set():
                distance, infinity = search(sources[row], each)
                np.less(distance, infinity, out=present[row])
                values[row] = distance

    with ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(some, range(workers)))
        except BaseException:  # the others need not go on
            stopped.set()
            raise
    return Matrix.ss.import_bitmapr(values=values, bitmap=present, take_ownership=True)


def _levels(G: Graph, source: int, threads: int) -> tuple[Any, Any]:
    """Return the levels from a vertex, and what stands for "not reached" in them."""
    search = found(G, source, threads)
    return np.where(search.parent < 0, G.n, search.level), G.n
