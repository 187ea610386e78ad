"""Native breadth-first search: direction-optimised, one cooperative launch for all levels.

Top-down, a queue has the rows of the frontier in pieces, which are divided evenly among all warps;
a frontier of few edges is expanded by the first block alone, whose threads wait for each other
sooner than blocks do. Bottom-up, an unvisited vertex checks its two neighbours of highest degree,
then more of its row, and a warp checks the rest; the visited bits of the vertices of highest degree
are in shared memory. Once there is a thread for each unvisited vertex, threads keep their vertices
through all remaining levels. With e the edges of the frontier and u those of unvisited vertices,

    go bottom-up      if ALPHA e > u
    return top-down   if BETA |frontier| < |unvisited|

In a graph with few edges for each vertex and no hubs, one cluster of blocks, launched before,
searches the first levels or all of them: see :mod:`graphla.native.cuda.bfs_cluster`.

The tree is found in the numbering by degree (renumbered/by_degree.py); a second kernel
translates it, or copies it if the graph has this numbering already.

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
from graphla.native.cuda import bfs_cluster
from graphla.native.cuda.bfs_cluster import ClusterSearch
from graphla.native.cuda.renumbered.by_degree import (
    DegreeOrderedGraph,
    NeighbourLists,
    degree_ordered,
)
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
ALPHA, BETA = 40, 30
ONE_BLOCK_EDGES = 1024  # most edges of a frontier that the first block expands alone
UNQUEUED_EDGES = 1 << 16  # what a frontier with more edges finds is not queued
FINAL_THREADS = 1  # the last levels begin once there are this many threads per unvisited vertex
FINAL_EDGES = 1 << 20  # they continue while unvisited rows have fewer edges, or BETA allows
MIN_QUEUED_ROW = 50  # fewer in-edges than any row has that a bottom-up level leaves to warps
HUB_WORDS = 1 << 15  # words of visited bits in shared memory
STAGE = 2048  # bytes of shared memory in which a warp collects the entries that it appends
STATE = 32  # words


def definitions(offset: str, on_host: int, continues: int = 0) -> str:
    """Return the types and constants of the search kernel.

    `on_host` is 1 if a part of the neighbours is in host memory, `continues` if a cluster has
    searched the first levels.
    """
    return (
        f"typedef {offset} Offset;\n"
        f"#define HAS_HOST_ROWS {on_host}\n#define CONTINUES {continues}\n"
        f"enum {{ ALPHA = {ALPHA}, BETA = {BETA}, ONE_BLOCK_EDGES = {ONE_BLOCK_EDGES}, "
        f"UNQUEUED_EDGES = {UNQUEUED_EDGES}, FINAL_THREADS = {FINAL_THREADS}, "
        f"FINAL_EDGES = {FINAL_EDGES}, HUB_WORDS = {HUB_WORDS}, "
        f"MIN_QUEUED_ROW = {MIN_QUEUED_ROW} }};\n"
    )


class BFSRunner:
    """Runs searches of one graph on one stream: kernels, their work arrays and arguments."""

    def __init__(
        self, G: Graph, graph: DegreeOrderedGraph, cluster_search: ClusterSearch | None = None
    ) -> None:
        xp, n = device.xp, graph.n
        self.n, self.graph, self.lock = G.n, graph, Lock()
        # a word of `tree` has the level above `shift` bits of parent; all ones: not reached
        self.shift = n.bit_length()
        edges, on_host = graph.out.nvals, graph.out.host_neighbours is not None
        text = definitions(
            cuda_type(graph.out.offsets.dtype), int(on_host), int(cluster_search is not None)
        )
        self.search = kernel("bfs", text, cooperative=True)
        self.dtype, in_order = G.index_dtype, _is_in_order(graph)
        self.numbering = (graph.n,) if in_order else (graph.rank, graph.order)
        self.results_kernel = "bfs_results_in_order" if in_order else "bfs_results"
        self.results = self._results(self.dtype.np_type)
        # of the queue of pieces of long rows that a bottom-up level leaves to warps: none is lost
        capacity = n // (1 if on_host else 8) + edges // MIN_QUEUED_ROW + 1024
        self.tree, self.deep = xp.empty(n, np.uint32), xp.empty(n, np.uint32)
        self.arguments = (
            graph.rank, *_kernel_arguments(graph.out), *_kernel_arguments(graph.into),
            graph.first_two, self.tree, self.deep, xp.empty(2 * bitmap_words(n) + 2, np.uint32),
            xp.empty(4 * capacity, np.uint64), capacity, xp.empty(n, np.uint32),
            xp.zeros(STATE, np.uint64), edges, self.shift,
        )  # fmt: skip
        self.cluster_search = cluster_search
        if cluster_search is not None:
            *_, visited, _, _, _, state, _, _ = self.arguments
            self.cluster_arguments = (
                graph.rank, graph.out.offsets, graph.out.neighbours, cluster_search.firsts,
                self.tree, self.deep, visited, state, edges, self.shift,
            )  # fmt: skip
        self.threads = device.multiprocessors * BLOCK
        self.shared = 4 * HUB_WORDS + STAGE * (BLOCK // 32)

    def _results(self, level: Any) -> Any:
        """Return the kernel that writes parents, and levels of a type."""
        text = (
            f"typedef {cuda_type(level)} Level;\ntypedef {cuda_type(self.dtype.np_type)} Parent;\n"
        )
        return kernel("bfs_results", text, self.results_kernel)

    def run(self, source: int, level: Dense | None = None) -> tuple[Dense, Dense]:
        """Search from a vertex; return levels, in the given arrays or in new ones, and parents."""
        n, graph, dtype, results = self.n, self.graph, self.dtype.np_type, self.results
        if level is not None and level.values.dtype != dtype:
            results = self._results(level.values.dtype)
        with self.lock:
            if self.cluster_search is not None:
                self.cluster_search(graph.n, source, *self.cluster_arguments)
            if graph.n:
                self.search(
                    self.threads, graph.n, source, *self.arguments, block=BLOCK, shared=self.shared
                )
            level, parent = level or empty_bitmap(n, dtype), empty_bitmap(n, dtype)
            results(
                n // 4, n, source, *self.numbering, self.tree, self.deep,
                level.values, level.bits, parent.values, parent.bits, self.shift,
            )  # fmt: skip
        return level, parent


def _is_in_order(graph: DegreeOrderedGraph) -> bool:
    """Return whether the new numbers are the old ones, as in a graph of gl.transform.by_degree."""
    order = graph.order
    return bool(device.read_scalar((order == device.xp.arange(order.size)).all()))


def _kernel_arguments(lists: NeighbourLists) -> tuple[Any, ...]:
    return (*lists, int(lists.neighbours.size))


def get_runner(G: Graph) -> BFSRunner:
    """Return the runner of this graph on the current stream; it is made once and cached."""
    return derive_for_stream(G, _make_bfs_runner)


def _make_bfs_runner(G: Graph) -> BFSRunner:
    return BFSRunner(G, degree_ordered(G), get_cluster_search(G))


def get_cluster_search(G: Graph) -> ClusterSearch | None:
    """Return the search of the first levels by a cluster, or None (bfs_cluster.py); cached."""
    return derive(G, _make_cluster_search)


def _make_cluster_search(G: Graph) -> ClusterSearch | None:
    graph = degree_ordered(G)
    text = definitions(cuda_type(graph.out.offsets.dtype), on_host=0, continues=1)
    return bfs_cluster.make_cluster_search(graph, text)


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex."""
    return search(get_runner(G), source)


def search(runner: BFSRunner, source: int) -> BFS:
    """Return the levels and parents of a search from a vertex."""
    return BFS(*(vector_from_bitmap(x, runner.dtype) for x in runner.run(source)))


def prepare(G: Graph) -> None:
    """Compute what searches on any stream need of a graph."""
    degree_ordered(G)
    get_cluster_search(G)
