"""Breadth-first search by hand: direction-optimised, one cooperative launch for all levels.

Top-down, the rows of the frontier lie in a queue in pieces that warps share out evenly, hubs or
not; a frontier of few edges is the first block's alone. Bottom-up, an open vertex asks its two
neighbours of highest degree, then more of its row, then a warp asks the rest; bits of the
hubs are in shared memory. Once there is a thread for each open vertex, they stay where they
are until the end. With e the edges of the frontier, u those of unvisited vertices:

    bottom-up from     ALPHA e > u
    top-down again     BETA |frontier| < |open|

Of a graph of few edges a vertex and no hubs one cluster of blocks, launched before the others,
searches the first levels, or all: see :mod:`graphla.native.cuda.papers.bfs_narrow`.

The tree is found under the numbers of :mod:`graphla.native.cuda.by_degree` and translated
by a second kernel; of a graph in that order it need only be copied.

Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.properties import derive
from graphla.core.results import BFS
from graphla.cuda.device_arrays import empty_bitmap, vector_from_bitmap
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, bitmap_words, cuda_type
from graphla.native.cuda.by_degree import ByDegree, Rows, by_degree
from graphla.native.cuda.papers import bfs_narrow
from graphla.native.cuda.papers.bfs_narrow import Narrow
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
ALPHA, BETA = 40, 30
ALONE = 1024  # edges of a frontier that one block expands
CROWDED = 1 << 16  # edges of a frontier that is not queued, however slowly it grew
SHARE = 1  # threads for each open vertex, in the last levels
REST = 1 << 20  # edges of open vertices at which these go on though they find little
HUB_WORDS = 1 << 15  # of visited bits, in shared memory
STAGE = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE = 32  # words


def definitions(offset: str, far: int, begun: int = 0) -> str:
    """Return what the kernel of the search takes as given."""
    return (
        f"typedef {offset} Offset;\n#define FAR {far}\n#define BEGUN {begun}\n"
        f"enum {{ ALPHA = {ALPHA}, BETA = {BETA}, ALONE = {ALONE}, CROWDED = {CROWDED}, "
        f"SHARE = {SHARE}, REST = {REST}, HUB_WORDS = {HUB_WORDS} }};\n"
    )


class Searcher:
    """What searches of one graph on one stream share: arrays, kernels and their arguments."""

    def __init__(self, G: Graph, graph: ByDegree, narrow: Narrow | None = None) -> None:
        xp, n = device.xp, graph.n
        self.n, self.graph, self.lock = G.n, graph, Lock()
        self.shift = n.bit_length()  # of levels, above parents: all ones are no vertex
        edges, far = graph.out.nvals, graph.out.far is not None
        text = definitions(cuda_type(graph.out.ends.dtype), int(far), int(narrow is not None))
        self.search = kernel("bfs", text, cooperative=True)
        self.dtype, in_order = G.index_dtype, _in_order(graph)
        self.numbers = (graph.n,) if in_order else (graph.rank, graph.order)
        self.copy = "bfs_copy" if in_order else "bfs_results"
        self.results = self._results(self.dtype.np_type)
        # pieces of long rows that a level bottom-up may leave, none of which may be lost
        capacity = n // (1 if far else 8) + edges // 50 + 1024
        self.tree, self.deep = xp.empty(n, np.uint32), xp.empty(n, np.uint32)
        self.arguments = (
            graph.rank, *_arguments(graph.out), *_arguments(graph.into), graph.heads,
            self.tree, self.deep, xp.empty(2 * bitmap_words(n) + 2, np.uint32),
            xp.empty(4 * capacity, np.uint64), capacity, xp.empty(n, np.uint32),
            xp.zeros(STATE, np.uint64), edges, self.shift,
        )  # fmt: skip
        self.narrow = narrow
        if narrow is not None:
            *_, visited, _, _, _, state, _, _ = self.arguments
            self.narrow_arguments = (
                graph.rank, graph.out.ends, graph.out.indices, narrow.firsts, self.tree, self.deep,
                visited, state, edges, self.shift,
            )  # fmt: skip
        self.threads = device.multiprocessors * BLOCK
        self.shared = 4 * HUB_WORDS + STAGE * (BLOCK // 32)

    def _results(self, level: Any) -> Any:
        """Return the kernel that writes levels of a type, and parents."""
        text = (
            f"typedef {cuda_type(level)} Level;\ntypedef {cuda_type(self.dtype.np_type)} Parent;\n"
        )
        return kernel("bfs_results", text, self.copy)

    def run(self, source: int, level: Dense | None = None) -> tuple[Dense, Dense]:
        """Search from a vertex; return levels, in arrays given or new, and parents."""
        n, graph, dtype, results = self.n, self.graph, self.dtype.np_type, self.results
        if level is not None and level.values.dtype != dtype:
            results = self._results(level.values.dtype)
        with self.lock:
            if self.narrow is not None:
                self.narrow(graph.n, source, *self.narrow_arguments)
            if graph.n:
                self.search(
                    self.threads, graph.n, source, *self.arguments, block=BLOCK, shared=self.shared
                )
            level, parent = level or empty_bitmap(n, dtype), empty_bitmap(n, dtype)
            results(
                n // 4, n, source, *self.numbers, self.tree, self.deep,
                level.values, level.bits, parent.values, parent.bits, self.shift,
            )  # fmt: skip
        return level, parent


def _in_order(graph: ByDegree) -> bool:
    """Return whether the vertices had these numbers before, as gl.transform.by_degree gives."""
    order = graph.order
    return bool(device.read_scalar((order == device.xp.arange(order.size)).all()))


def _arguments(rows: Rows) -> tuple[Any, ...]:
    """Return the arguments that stand for rows."""
    return (*rows, int(rows.indices.size))


def searcher(G: Graph) -> Searcher:
    """Return what searches of this graph share on the current stream; made once and kept."""
    return derive_for_stream(G, _make_searcher)


def _make_searcher(G: Graph) -> Searcher:
    return Searcher(G, by_degree(G), narrow(G))


def narrow(G: Graph) -> Narrow | None:
    """Return what begins searches of this graph, where a cluster is to; made once and kept."""
    return derive(G, _make_narrow)


def _make_narrow(G: Graph) -> Narrow | None:
    graph = by_degree(G)
    text = definitions(cuda_type(graph.out.ends.dtype), far=0, begun=1)
    return bfs_narrow.narrow(graph, text)


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the hand-written kernel."""
    return result(searcher(G), source)


def result(search: Searcher, source: int) -> BFS:
    """Return the levels and parents of a search from a vertex."""
    return BFS(*(vector_from_bitmap(x, search.dtype) for x in search.run(source)))


def prepare(G: Graph) -> None:
    """Make what searches need of a graph, once."""
    by_degree(G)
    narrow(G)
