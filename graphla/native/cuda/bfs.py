"""Breadth-first search by hand: direction-optimised, one cooperative launch for all levels.

Top-down, the rows of the frontier lie in a queue in pieces that warps share out evenly, hubs or
not; a frontier of few edges is the first block's alone. Bottom-up, an open vertex asks its two
neighbours of highest degree, then more of its row, then a warp asks the rest; bits of the
hubs are in shared memory. Once there is a thread for each open vertex, they stay where they
are until the end. With e the edges of the frontier, u those of unvisited vertices:

    bottom-up from     ALPHA e > u
    top-down again     BETA |frontier| < |open|

A graph of few edges a vertex and no hubs may have thousands of levels, each over before all
blocks have waited for each other: its first levels, and all of them while they have at most
NARROW_EDGES edges, are those of one cluster of blocks, which is launched before the others.

The tree is found under the numbers of :mod:`graphla.native.cuda.by_degree` and translated
by a second kernel; of a graph in that order it need only be copied.

Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64

from graphla.cuda import Vector
from graphla.cuda.device import device
from graphla.cuda.storage import Dense, element, words
from graphla.errors import KernelFailure
from graphla.native.cuda.by_degree import ByDegree, Rows, by_degree, first_few, kernel
from graphla.results import BFS

if TYPE_CHECKING:
    from graphla.graph import Graph

BLOCK = 1024  # threads
ALPHA, BETA = 40, 30
ALONE = 1024  # edges of a frontier that one block expands
CROWDED = 1 << 16  # edges of a frontier that is not queued, however slowly it grew
SHARE = 1  # threads for each open vertex, in the last levels
REST = 1 << 20  # edges of open vertices at which these go on though they find little
HUB_WORDS = 1 << 15  # of visited bits, in shared memory
STAGE = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE = 32  # words
NARROW_BLOCKS, NARROW_BLOCK = 16, 1024  # of a cluster, and threads of each
NARROW_EDGES = 1 << 16  # of a level of a cluster
NARROW_MEAN, NARROW_HUB = 8, 64  # most edges of a vertex, on average and at all, for a cluster
CLUSTERS = 90  # compute capability that has them


def definitions(offset: str, far: int, begun: int = 0) -> str:
    """Return what the kernel of the search takes as given."""
    return (
        f"typedef {offset} Offset;\n#define FAR {far}\n#define BEGUN {begun}\n"
        f"enum {{ ALPHA = {ALPHA}, BETA = {BETA}, ALONE = {ALONE}, CROWDED = {CROWDED}, "
        f"SHARE = {SHARE}, REST = {REST}, HUB_WORDS = {HUB_WORDS} }};\n"
    )


def narrow_definitions(firsts: int) -> str:
    """Return what the kernel of a cluster takes as given besides, for so many first neighbours."""
    room = NARROW_EDGES // NARROW_BLOCKS
    return f"enum {{ BLOCKS = {NARROW_BLOCKS}, ROOM = {room}, FIRSTS = {firsts} }};\n"


class Searcher:
    """What searches of one graph on one stream share: arrays, kernels and their arguments."""

    def __init__(self, G: Graph, graph: ByDegree, firsts: Any = None) -> None:
        xp, n = device.xp, graph.n
        self.n, self.graph, self.lock = G.n, graph, Lock()
        self.shift = n.bit_length()  # of levels, above parents: all ones are no vertex
        edges, far = graph.out.nvals, graph.out.far is not None
        self.texts = [definitions(element(graph.out.ends.dtype), int(far), k) for k in (0, 1)]
        text = self.texts[firsts is not None]
        self.search = kernel("bfs", text, cooperative=True)
        in_order = _in_order(graph)
        self.numbers = (graph.n,) if in_order else (graph.rank, graph.order)
        self.results = kernel("bfs_results", name="bfs_copy" if in_order else None)
        # pieces of long rows that a level bottom-up may leave, none of which may be lost
        capacity = n // (1 if far else 8) + edges // 50 + 1024
        self.tree, self.deep = xp.empty(n, np.uint32), xp.empty(n, np.uint32)
        self.arguments = (
            graph.rank, *_arguments(graph.out), *_arguments(graph.into), graph.heads,
            self.tree, self.deep, xp.empty(2 * words(n) + 2, np.uint32),
            xp.empty(4 * capacity, np.uint64), capacity, xp.empty(n, np.uint32),
            xp.zeros(STATE, np.uint64), edges, self.shift,
        )  # fmt: skip
        self.narrow: Any = None
        if firsts is not None:
            self.narrow = kernel(
                "bfs_narrow", text + narrow_definitions(firsts.shape[1]), cooperative=True
            )
            *_, visited, _, _, _, state, _, _ = self.arguments
            self.narrow_arguments = (
                graph.rank, graph.out.ends, graph.out.indices, firsts, self.tree, self.deep,
                visited, state, edges, self.shift,
            )  # fmt: skip
        self.threads = device.multiprocessors * BLOCK
        self.shared = 4 * HUB_WORDS + STAGE * (BLOCK // 32)

    def run(self, source: int, level: Dense | None = None) -> tuple[Dense, Dense]:
        """Search from a vertex; return levels, in arrays given or new, and parents."""
        n, xp, graph = self.n, device.xp, self.graph
        with self.lock:
            if self.narrow is not None:
                self._begin(source)
            if graph.n:
                self.search(
                    self.threads, graph.n, source, *self.arguments, block=BLOCK, shared=self.shared
                )
            level, parent = (
                x or Dense(xp.empty(n, np.int64), xp.empty(words(n), np.uint32))
                for x in (level, None)
            )
            self.results(
                n // 4, n, source, *self.numbers, self.tree, self.deep,
                level.values, level.bits, parent.values, parent.bits, self.shift,
            )  # fmt: skip
        return level, parent

    def _begin(self, source: int) -> None:
        """Search the first levels by a cluster; a device without such a large one never does."""
        try:
            self.narrow(
                NARROW_BLOCKS * NARROW_BLOCK, self.graph.n, source, *self.narrow_arguments,
                block=NARROW_BLOCK, shared=16 * (NARROW_EDGES // NARROW_BLOCKS),
            )  # fmt: skip
        except KernelFailure:
            self.narrow = None
            self.search = kernel("bfs", self.texts[0], cooperative=True)


def _in_order(graph: ByDegree) -> bool:
    """Return whether the vertices had these numbers before, as gl.transform.by_degree gives."""
    order = graph.order
    return bool(device.word((order == device.xp.arange(order.size)).all()))


def _arguments(rows: Rows) -> tuple[Any, ...]:
    """Return the arguments that stand for rows."""
    return (*rows, int(rows.indices.size))


def searcher(G: Graph) -> Searcher:
    """Return what searches of this graph share on the current stream; made once and kept."""
    stream = device.stream
    found: Searcher = G._keep(f"searcher {stream}", lambda: Searcher(G, by_degree(G), firsts(G)))
    return found


def firsts(G: Graph) -> Any:
    """Return the first neighbours of all vertices, where a cluster is to search; kept."""
    return G._keep("first neighbours", lambda: _firsts(by_degree(G)))


def _firsts(graph: ByDegree) -> Any:
    n, edges = graph.n, graph.out.nvals
    if not 0 < edges <= NARROW_MEAN * n or int(device.arch) < CLUSTERS:
        return None
    hub = sum(int(device.word(rows.ends[1:2])) for rows in (graph.out, graph.into))
    if hub > 2 * NARROW_HUB:
        return None
    return first_few(graph.out, 4 if edges <= 4 * n else 8)


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the hand-written kernel."""
    level, parent = searcher(G).run(source)
    return BFS(Vector._of(level, INT64, G.n), Vector._of(parent, INT64, G.n))


def prepare(G: Graph) -> None:
    """Make what searches need of a graph, once."""
    by_degree(G)
    firsts(G)
