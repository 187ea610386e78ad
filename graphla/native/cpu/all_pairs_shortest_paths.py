"""Distances from many sources by hand: each thread searches from a source of its own.

Where there are fewer sources than threads, or no weights, all threads search from one source
after the other.

Source: as of :mod:`~graphla.native.cpu.sssp` and :mod:`~graphla.native.cpu.bfs`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from graphblas.dtypes import INT64
from numba import get_num_threads

from graphla.native.cpu.bfs import find
from graphla.native.cpu.sssp import searcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphla.graph import Graph


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Find the distances from each of the sources, whatever `batch` says."""
    search, dtype = searcher(G) if G.weighted else (None, INT64.np_type)
    if not len(sources):
        return Matrix(dtype, 0, G.n)
    shape = len(sources), G.n
    values, present = np.empty(shape, dtype), np.empty(shape, bool)
    if search:
        _search_all(search, sources, values, present)
    else:
        parent = np.empty(G.n, np.int64)
        for row, source in enumerate(sources):
            find(G, source, values[row], parent, present[row])
    return Matrix.ss.import_bitmapr(values=values, bitmap=present, take_ownership=True)


def _search_all(search: Any, sources: Sequence[int], values: Any, present: Any) -> None:
    """Search from each source and fill its row."""
    threads, stopped = get_num_threads(), Event()
    alone = len(sources) < threads

    def some(rows: range) -> None:
        for row in rows:
            if not stopped.is_set():
                dist, infinity = search(sources[row], threads if alone else 1)
                np.less(dist, infinity, out=present[row])
                values[row] = dist

    if alone:
        return some(range(len(sources)))
    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(some, (range(t, len(sources), threads) for t in range(threads))))
        except BaseException:  # the others need not go on
            stopped.set()
            raise
    return None
