"""Shortest paths by hand: near and far in one cooperative launch, and looking back for light edges.

Vertices wait in one queue, with the distance that they came to. A round expands those within
`delta` of the least and lets the others wait on. Its edges are dealt to all lanes, whatever rows
they are of. A warp that finds few goes on with them at once.

Where a graph has many edges and hubs most edges are never read. Rows are sorted by weight. A search
along the lightest few edges of vertices of some degree comes near to all distances; then each
vertex v looks back along its own edges of weights below d(v) - m, m being the smallest distance
that has changed since it last did, until little changes; what does is pushed on along all edges.

Integer distances have 32 bits where no path is longer, else 64. Parents are found from distances.

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
from graphla.native.cuda.by_weight import by_weight
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
STAGE = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE = 24  # words
PIECE = 256  # edges of a long row that a warp takes at once
FEW = 4096  # vertices that are all expanded by light edges, of whatever degree
SPARSE = 1 << 16  # vertices that wait: about one for two threads
SPARE = 1024  # room of the queue beyond one item a vertex
MANY, HUB = 8, 16  # edges a vertex from which it looks back, where one has so many times more
BREADTH, LEAST = 384.0, 2.0  # default delta: mean weights over the degree's square, over it


def definitions(offset: str, distance: str) -> str:
    """Return what the kernel of the search takes as given."""
    return (
        f"typedef {offset} Offset;\ntypedef {distance} Distance;\ntypedef u{distance[1:]} Code;\n"
        f"enum {{ STAGE = {STAGE}, PIECE = {PIECE}, FEW = {FEW}, SPARSE = {SPARSE} }};\n"
    )


class Searcher:
    """What searches of one graph on one stream share: arrays, kernels and their arguments."""

    def __init__(self, G: Graph) -> None:
        xp = device.xp
        self.dtype, infinity = validation.distances(G, "sssp")
        self.index = G.index_dtype
        self.distance = np.dtype(distance_type(G, infinity))
        self.graph = graph = by_weight(G, self.distance)
        n, nvals = graph.n, graph.nvals
        self.n, self.lock = G.n, Lock()
        self.mean = (G.mean_weight or 0) if nvals else 0
        self.least = (G.min_weight or 0) if nvals else 0
        self.degree = nvals / max(n, 1)
        self.infinity = self.distance.type(infinity)
        degree = xp.diff(graph.out.ends)
        hubs = int(device.read_scalar((degree * 2 >= self.degree).sum())) if n else 0
        most = int(device.read_scalar(degree.max())) if n else 0
        self.skewed = self.degree >= MANY and most >= HUB * self.degree
        text = definitions(cuda_type(graph.out.ends.dtype), cuda_type(self.distance))
        self.search = kernel("sssp", text, cooperative=True)
        out = f"typedef {cuda_type(self.dtype.np_type)} Out;\n"
        out += f"typedef {cuda_type(self.index.np_type)} Parent;\n"
        self.results = kernel("sssp_results", text + out)
        word = np.dtype(f"u{self.distance.itemsize}")
        capacity, room = n + SPARE, nvals // (PIECE // 2) + 1
        self.dist, self.parent = xp.empty(n, word), xp.empty(n, np.uint32)
        self.arguments = (
            capacity, xp.empty(6 * room, np.uint64), room, xp.zeros(STATE, np.uint64), hubs,
            self.code(self.infinity),
        )  # fmt: skip
        self.queues = xp.empty(4 * capacity, word)

    def code(self, x: Any) -> int:
        """Return the bits of a distance."""
        return int(self.distance.type(x).view(f"u{self.distance.itemsize}"))

    def step(self, delta: float | None) -> int:
        """Return the bits of `delta`, or of its default."""
        if delta is None:
            delta = self.mean * max(BREADTH / self.degree**2, LEAST / self.degree)
        if self.distance.kind == "u":
            delta = max(1, round(min(delta, int(self.infinity))))
        with np.errstate(over="ignore"):
            return self.code(delta)

    def find(self, source: int, step: int, parents: bool = False, back: bool = False) -> None:
        """Search from a vertex, or to it, where it has edges; distances lie in `dist`."""
        graph = self.graph
        rows = (graph.into, graph.out) if back else (graph.out, graph.into)
        self.search(
            device.multiprocessors * BLOCK, graph.n, source, graph.rank, *rows[0], *rows[1],
            graph.nvals, self.dist, self.parent if parents else None, self.queues, *self.arguments,
            step, int(self.skewed), block=BLOCK, shared=STAGE * (BLOCK // 32),
        )  # fmt: skip

    def run(
        self, source: int, delta: float | None, parents: bool, distance: Dense | None = None
    ) -> tuple[Dense, Any]:
        """Search from a vertex; return distances, in arrays given or new, and parents if wanted."""
        n, graph = self.n, self.graph
        with self.lock:
            if graph.n:
                self.find(source, self.step(delta), parents)
            distance = distance or empty_bitmap(n, self.dtype.np_type)
            parent = empty_bitmap(n, self.index.np_type) if parents else None
            self.results(
                n, n, source, graph.rank, graph.order, self.dist, self.code(self.infinity),
                self.parent, distance.values, distance.bits,
                parent and parent.values, parent and parent.bits,
            )  # fmt: skip
        return distance, parent


def distance_type(G: Graph, infinity: Any) -> Any:
    """Return the type in which distances are kept during a search."""
    if G.dtype.np_type.kind == "f":
        return G.dtype.np_type
    fits = infinity + validation.largest_weight(G) < 2**32
    return np.uint32 if fits else np.uint64


def searcher(G: Graph) -> Searcher:
    """Return what searches of this graph share on the current stream; made once and kept."""
    validation.no_nan(G, "sssp")
    validation.nonnegative(G, "sssp", "bellman_ford")
    return derive_for_stream(G, Searcher)


def prepare(G: Graph) -> None:
    """Make what searches need of a graph, once."""
    if G.weighted:
        searcher(G)
    else:
        bfs.prepare(G)


def sssp(G: Graph, source: int, *, delta: float | None) -> SSSP:
    """Find the shortest paths from one vertex: the hand-written kernel."""
    if not G.weighted:
        return _unweighted(G, source)
    search = searcher(G)
    distance, parent = search.run(source, delta, True)
    return SSSP(
        vector_from_bitmap(distance, search.dtype), vector_from_bitmap(parent, search.index)
    )


def _unweighted(G: Graph, source: int) -> SSSP:
    """Search breadth-first: distances are the levels, in their own dtype."""
    search = bfs.searcher(G)
    distance, parent = search.run(source, empty_bitmap(G.n, INT64.np_type))
    return SSSP(vector_from_bitmap(distance, INT64), vector_from_bitmap(parent, search.dtype))


def sssp_distances(G: Graph, source: int, *, delta: float | None) -> Any:
    """Find the distances from one vertex: the hand-written kernel."""
    if not G.weighted:
        return _unweighted(G, source).distance
    search = searcher(G)
    return vector_from_bitmap(search.run(source, delta, False)[0], search.dtype)
