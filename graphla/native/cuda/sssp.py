"""Native shortest paths: near-far search and back-relaxation in one cooperative launch.

A queue has vertices with the distance at which they were queued. A round expands those within
`delta` of the smallest and leaves the others in the queue. The edges of a round are divided evenly
among all lanes, whatever rows they are in; a warp that finds few vertices expands them at once.

In a graph with many edges and hubs, most edges are never read. Rows are sorted by weight. A search
along the lightest few edges of the vertices of higher degree gives nearly final distances. Then
each vertex v reads those of its own edges that are lighter than d(v) - m, where m is the smallest
distance that changed since v last did so, until little changes. The vertices that changed are then
expanded along all their edges.

Integer distances have 32 bits if no path can be longer, else 64. Parents are computed from the
final distances.

Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); V. Chakaravarthy et al., "Scalable
single source shortest path algorithms for massively parallel systems", IPDPS 2014 (push and
pull); A. Davidson et al., "Work-efficient parallel GPU methods for single-source shortest
paths", IPDPS 2014 (near and far).
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64

from graphla.core import validation
from graphla.core.results import SSSP
from graphla.cuda.device_arrays import empty_bitmap, vector_from_bitmap
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, cuda_type
from graphla.native.cuda import bfs
from graphla.native.cuda.renumbered.by_weight import weight_ordered
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
STAGE = 2048  # bytes of shared memory in which a warp collects the entries that it appends
STATE = 24  # words
PIECE = 256  # edges of a long row that a warp expands at once
MIN_LIGHT_ITEMS = 4096  # vertices that a light search expands at any degree
SPARSE_ITEMS = 1 << 16  # rounds of fewer queued vertices relax without a check before the atomic
QUEUE_MARGIN = 1024  # room of the queue beyond one item for each vertex
MIN_DEGREE = 8  # back-relaxation needs this mean degree,
HUB = 16  # and a vertex with this many times the mean degree
BREADTH, LEAST = 384.0, 2.0  # default delta: mean weight * max(BREADTH / degree^2, LEAST / degree)


def definitions(offset: str, distance: str) -> str:
    """Return the types and constants of the search kernels."""
    return (
        f"typedef {offset} Offset;\ntypedef {distance} Distance;\ntypedef u{distance[1:]} Code;\n"
        f"enum {{ STAGE = {STAGE}, PIECE = {PIECE}, MIN_LIGHT_ITEMS = {MIN_LIGHT_ITEMS}, "
        f"SPARSE_ITEMS = {SPARSE_ITEMS} }};\n"
    )


class SSSPRunner:
    """Runs searches of one graph on one stream: kernels, their work arrays and arguments.

    Kernels take distances as unsigned words of the same size, ``Code``, which have the same order.
    """

    def __init__(self, G: Graph) -> None:
        xp = device.xp
        self.dtype, infinity = validation.distance_dtype(G, "sssp")
        self.parent_dtype = G.index_dtype
        self.work_dtype = np.dtype(working_dtype(G, infinity))
        self.graph = graph = weight_ordered(G, self.work_dtype)
        n, nvals = graph.n, graph.nvals
        self.n, self.lock = G.n, Lock()
        self.mean_weight = (G.mean_weight or 0) if nvals else 0
        self.min_weight = (G.min_weight or 0) if nvals else 0
        self.mean_degree = nvals / max(n, 1)
        self.infinity = self.work_dtype.type(infinity)
        degree = xp.diff(graph.out.offsets)
        # vertices that a light search expands: a prefix, as degrees descend
        expanded = int(device.read_scalar((degree * 2 >= self.mean_degree).sum())) if n else 0
        max_degree = int(device.read_scalar(degree.max())) if n else 0
        self.relaxes_back = self.mean_degree >= MIN_DEGREE and max_degree >= HUB * self.mean_degree
        text = definitions(cuda_type(graph.out.offsets.dtype), cuda_type(self.work_dtype))
        self.search = kernel("sssp", text, cooperative=True)
        text += f"typedef {cuda_type(self.dtype.np_type)} Out;\n"
        text += f"typedef {cuda_type(self.parent_dtype.np_type)} Parent;\n"
        self.results = kernel("sssp_results", text)
        word = np.dtype(f"u{self.work_dtype.itemsize}")
        capacity, pieces = n + QUEUE_MARGIN, nvals // (PIECE // 2) + 1
        self.dist, self.parent = xp.empty(n, word), xp.empty(n, np.uint32)
        self.arguments = (
            capacity, xp.empty(6 * pieces, np.uint64), pieces, xp.zeros(STATE, np.uint64), expanded,
            self.code(self.infinity),
        )  # fmt: skip
        self.queues = xp.empty(4 * capacity, word)

    def code(self, x: Any) -> int:
        """Return a distance as a word of the kernels."""
        return int(self.work_dtype.type(x).view(f"u{self.work_dtype.itemsize}"))

    def delta_code(self, delta: float | None) -> int:
        """Return `delta`, or its default, as a word of the kernels."""
        if delta is None:
            degree = self.mean_degree
            delta = self.mean_weight * max(BREADTH / degree**2, LEAST / degree)
        if self.work_dtype.kind == "u":
            delta = max(1, round(min(delta, int(self.infinity))))
        with np.errstate(over="ignore"):
            return self.code(delta)

    def find(self, source: int, delta: int, parents: bool = False, reverse: bool = False) -> None:
        """Search from a vertex, or to it if `reverse`, and leave the distances in ``self.dist``.

        `delta` is a word of the kernels; the graph must have an edge.
        """
        graph = self.graph
        rows = (graph.into, graph.out) if reverse else (graph.out, graph.into)
        self.search(
            device.multiprocessors * BLOCK, graph.n, source, graph.rank, *rows[0], *rows[1],
            graph.nvals, self.dist, self.parent if parents else None, self.queues, *self.arguments,
            delta, int(self.relaxes_back), block=BLOCK, shared=STAGE * (BLOCK // 32),
        )  # fmt: skip

    def run(
        self, source: int, delta: float | None, parents: bool, distance: Dense | None = None
    ) -> tuple[Dense, Any]:
        """Search from a vertex; return distances, in the given arrays or in new ones, and parents.

        Without `parents` these are None.
        """
        n, graph = self.n, self.graph
        with self.lock:
            if graph.n:
                self.find(source, self.delta_code(delta), parents)
            distance = distance or empty_bitmap(n, self.dtype.np_type)
            parent = empty_bitmap(n, self.parent_dtype.np_type) if parents else None
            self.results(
                n, n, source, graph.rank, graph.order, self.dist, self.code(self.infinity),
                self.parent, distance.values, distance.bits,
                parent and parent.values, parent and parent.bits,
            )  # fmt: skip
        return distance, parent


def working_dtype(G: Graph, infinity: Any) -> Any:
    """Return the NumPy type of distances during a search."""
    if G.dtype.np_type.kind == "f":
        return G.dtype.np_type
    fits = infinity + validation.largest_weight(G) < 2**32
    return np.uint32 if fits else np.uint64


def get_runner(G: Graph) -> SSSPRunner:
    """Return the runner of this graph on the current stream; it is made once and cached."""
    validation.refuse_nan(G, "sssp")
    validation.require_nonnegative(G, "sssp", "bellman_ford")
    return derive_for_stream(G, SSSPRunner)


def prepare(G: Graph) -> None:
    """Compute what searches need of a graph."""
    if G.weighted:
        get_runner(G)
    else:
        bfs.prepare(G)


def sssp(G: Graph, source: int, *, delta: float | None) -> SSSP:
    """Find the shortest paths from one vertex."""
    if not G.weighted:
        return _unweighted(G, source)
    runner = get_runner(G)
    distance, parent = runner.run(source, delta, True)
    return SSSP(
        vector_from_bitmap(distance, runner.dtype), vector_from_bitmap(parent, runner.parent_dtype)
    )


def _unweighted(G: Graph, source: int) -> SSSP:
    """Search breadth-first: the distances are the levels, but of dtype INT64."""
    runner = bfs.get_runner(G)
    distance, parent = runner.run(source, empty_bitmap(G.n, INT64.np_type))
    return SSSP(vector_from_bitmap(distance, INT64), vector_from_bitmap(parent, runner.dtype))


def sssp_distances(G: Graph, source: int, *, delta: float | None) -> Any:
    """Find the distances from one vertex."""
    if not G.weighted:
        return _unweighted(G, source).distance
    runner = get_runner(G)
    return vector_from_bitmap(runner.run(source, delta, False)[0], runner.dtype)
