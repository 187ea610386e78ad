"""The benchmark's edge list: generate it, count degrees, and build the graph, on either engine.

Random numbers are hashes of counters: number k of stream s is ``mix(start(s) + k golden)``
(SplitMix64). Edge k takes its number k from every stream of the two ends' bits, and vertex labels
are permuted by sorting hashes. The list therefore depends on the seed only, not on the engine or
the chunk size. Edges are independent, so their order needs no shuffling.

Source: Graph500 benchmark specification, sections 3 and 4; G. Steele, D. Lea, C. Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from graphla.core import memory, validation
from graphla.core.engines import array_module
from graphla.core.graph import Graph
from graphla.errors import InvalidValue, OutOfDeviceMemory, OutOfMemory
from graphla.generate.builder import check_integer

A, B, C = 0.57, 0.19, 0.19  # probabilities of the quadrants 00, 01 and 10 of the matrix
QUADRANTS = tuple(np.uint64(round(p * 2**32)) for p in (A, A + B, A + B + C))  # thresholds
MAX_SCALE = 31  # a pair of vertices fits in an INT64
LABELS, WEIGHTS, BITS = 0, 1, 2  # streams; from BITS on, one stream for two bits of a vertex
CHUNK = {"cpu": 1 << 16, "cuda": 1 << 24}  # edges that are generated at a time
BLOCK = {"cpu": 1 << 20, "cuda": 1 << 26}  # edges that are counted or validated at a time
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def drawn_positions(connected: int, count: int, seed: int, edges: Any) -> Any:
    """Draw up to `count` different positions among the vertices that have an edge to another one.

    Parameters
    ----------
    connected : int
        The number of these vertices.
    count, seed : int
        As of :meth:`EdgeList.search_keys`.
    edges : EdgeList or EdgesOnRanks
        Its length is a part of the seed, and its `n` of the message.

    Raises
    ------
    DomainMismatch, InvalidValue
        A number is not an integer, or out of range; no vertex has such an edge.
    """
    count, seed = validation.check_count(count, "count"), check_integer(seed, "seed")
    if not connected:
        raise InvalidValue(f"none of the {edges.n} vertices has an edge to another one")
    rng = np.random.default_rng((seed, len(edges)))
    return rng.choice(connected, min(count, connected), replace=False)


class EdgeList:
    """Edges as generated: unsorted, in one direction, with duplicates and self-loops.

    Parameters
    ----------
    src, dst : array of int, shape (m,)
        Ends, in 0..n-1; NumPy arrays on engine "cpu", CuPy arrays on "cuda".
    weight : array of float32, shape (m,), or None
    n : int
        Number of vertices.
    engine : {"cpu", "cuda"}
    """

    def __init__(self, src: Any, dst: Any, weight: Any, n: int, engine: str = "cpu") -> None:
        self.src, self.dst, self.weight = src, dst, weight
        self.n, self.engine = n, engine

    @property
    def xp(self) -> Any:
        """The array module of the engine."""
        return array_module(self.engine)

    def __len__(self) -> int:
        return int(self.src.size)

    def blocks(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield (src, dst, weight) block by block; weight is None if the list is unweighted."""
        step = BLOCK[self.engine]
        for low in range(0, len(self), step):
            part = slice(low, low + step)
            yield self.src[part], self.dst[part], None if self.weight is None else self.weight[part]

    @cached_property
    def ends(self) -> Any:
        """Number of edge ends at each vertex: duplicates count, a self-loop counts twice."""
        counts = self.xp.zeros(self.n, np.int64)
        for src, dst, _ in self.blocks():
            for end in (src, dst):
                counts += self.xp.bincount(end, minlength=self.n)
        return counts

    @cached_property
    def loops(self) -> Any:
        """Number of self-loops at each vertex."""
        counts = self.xp.zeros(self.n, np.int64)
        for src, dst, _ in self.blocks():
            counts += self.xp.bincount(src[src == dst], minlength=self.n)
        return counts

    def search_keys(self, count: int, seed: int) -> list[int]:
        """Draw up to `count` different vertices that have an edge to another vertex."""
        connected = self.xp.flatnonzero(self.ends > 2 * self.loops)
        positions = drawn_positions(int(connected.size), count, seed, self)
        keys: list[int] = connected[self.xp.asarray(positions)].tolist()
        return keys

    def edges_within(self, reached: Any) -> int:
        """Count the edges between reached vertices: the traversed edges of a search."""
        return int(self.ends[reached].sum()) // 2

    def graph(self) -> Graph:
        """Return the undirected graph with the lightest of duplicate edges, and with self-loops."""
        if self.engine == "cpu":
            ends = self.src, self.dst, self.weight
            return Graph.from_edges(*ends, n=self.n, kind="undirected", dup="min")
        from graphla.graph500.device_edges import symmetric_matrix

        G = Graph.__new__(Graph)
        G.__setstate__((symmetric_matrix(self.src, self.dst, self.weight, self.n), "undirected"))
        return G


def check_memory(m: int, weighted: bool, engine: str) -> None:
    """Raise if the memory is too small for a list of m edges and the construction of its graph."""
    if engine == "cuda":
        from graphla.graph500 import device_edges

        needed = m * (12 if weighted else 8) + device_edges.needed_bytes(m, weighted)
    else:
        needed = m * (64 if weighted else 48)
    free, what = memory.available(engine), f"the graph of {m:,} edges"
    if needed > free and engine == "cuda":
        raise OutOfDeviceMemory(what, needed=needed, free=free)
    if needed > free:
        raise OutOfMemory(f"making {what} takes {needed:,} bytes; {free:,} are available")


def kronecker(
    scale: int, *, edgefactor: int = 16, seed: int = 1, weighted: bool = False, engine: str = "cpu"
) -> EdgeList:
    """Generate edgefactor 2^scale random edges among 2^scale vertices by the benchmark's rule.

    Parameters
    ----------
    scale : int
        1..31.
    edgefactor : int
        Edges per vertex.
    seed : int
        The same seed gives the same list on both engines.
    weighted : bool
        Also draw weights, uniform in [0, 1) in steps of 2^-24.
    engine : {"cpu", "cuda"}
        Where the list is generated and stored.

    Raises
    ------
    DomainMismatch, InvalidValue
        A number is not an integer, or out of range.

    Examples
    --------
    >>> edges = kronecker(8, edgefactor=4)
    >>> len(edges), edges.n, int(edges.ends.sum())
    (1024, 256, 2048)
    """
    scale, edgefactor = (
        check_integer(scale, "scale", 1, MAX_SCALE),
        validation.check_count(edgefactor, "edgefactor"),
    )
    seed = check_integer(seed, "seed")
    xp, n, m = array_module(engine), 1 << scale, edgefactor << scale
    source = EdgeSource(engine, scale, seed, weighted)
    src, dst = xp.empty(m, source.index), xp.empty(m, source.index)
    weight = xp.empty(m, np.float32) if weighted else None
    for low in range(0, m, CHUNK[engine]):
        part = slice(low, min(low + CHUNK[engine], m))
        src[part], dst[part], drawn = source.edges(part.start, part.stop)
        if weight is not None:
            weight[part] = drawn
    return EdgeList(src, dst, weight, n, engine)


class EdgeSource:
    """The edges of a list by their numbers: any range of them can be drawn.

    Parameters
    ----------
    engine : {"cpu", "cuda"}
    scale, seed, weighted
        As of :func:`kronecker`.
    """

    def __init__(self, engine: str, scale: int, seed: int, weighted: bool) -> None:
        self.engine, self.scale, self.seed, self.weighted = engine, scale, seed, weighted
        self.xp = xp = array_module(engine)
        starts = np.array([_start(seed, stream) for stream in range(BITS + -(-scale // 2))])
        self.starts = starts if engine == "cpu" else xp.asarray(starts)
        self.index = _index_dtype(engine, 1 << scale)
        hashes = _numbers(xp, starts[LABELS], 0, 1 << scale)
        self.label = xp.argsort(hashes).astype(self.index)

    def edges(self, low: int, high: int) -> tuple[Any, Any, Any]:
        """Return the ends of the edges low..high-1, and their weights or None."""
        if self.engine == "cuda":
            return self._drawn_on_device(low, high)
        label = self.label
        i, j = _pairs(self.scale, self.starts, low, high)
        if not self.weighted:
            return label[i], label[j], None
        bits = _numbers(np, self.starts[WEIGHTS], low, high)
        weight = (bits >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
        return label[i], label[j], weight

    def _drawn_on_device(self, low: int, high: int) -> tuple[Any, Any, Any]:
        from graphla.graph500.device_draw import draw_edges

        return draw_edges(
            low, high, self.scale, self.starts, QUADRANTS, self.label, weighted=self.weighted,
            WEIGHTS=WEIGHTS, BITS=BITS,
        )  # fmt: skip


def _index_dtype(engine: str, n: int) -> Any:
    """Return the type of vertices: on a GPU that of the kernels, so that columns need no copy."""
    if engine == "cpu":
        return np.int32
    from graphla.cuda.storage.vector_formats import kernel_index_dtype

    return kernel_index_dtype(n)


def _pairs(scale: int, starts: Any, low: int, high: int) -> tuple[Any, Any]:
    """Return the ends of the edges low..high-1 before relabelling, drawn from the highest bit on.

    A random number u chooses a quadrant: its row bit is u >= A + B, and its column bit is 1
    for A <= u < A + B and for u >= A + B + C.
    """
    right, lower, lower_right = QUADRANTS
    i, j = np.zeros(high - low, np.int64), np.zeros(high - low, np.int64)
    for bit in range(0, scale, 2):
        bits = _numbers(np, starts[BITS + bit // 2], low, high)
        for u in (bits >> np.uint64(32), bits & np.uint64(2**32 - 1))[: scale - bit]:
            row_bit = u >= lower
            i <<= 1
            i |= row_bit
            j <<= 1
            j |= (u >= right) ^ row_bit ^ (u >= lower_right)
    return i, j


def _start(seed: int, stream: int) -> Any:
    """Return the hashed counter of number 0 of a stream."""
    return np.random.SeedSequence((seed, stream)).generate_state(1, np.uint64)[0]


def _numbers(xp: Any, start: Any, low: int, high: int) -> Any:
    """Return the random numbers low..high-1 of a stream: 64 bits each."""
    bits = xp.arange(low, high, dtype=np.uint64)
    bits *= GOLDEN
    bits += start
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits ^= bits >> np.uint64(shift)
        bits *= np.uint64(factor)
    bits ^= bits >> np.uint64(31)
    return bits
