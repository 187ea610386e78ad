"""Betweenness by hand: Brandes over a batch of up to 64 sources, one bit of a mask for each.

    paths(v, s) = sum of paths(u, s) over edges u -> v,    s in now(u), not in seen(v)
    delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s) over edges u -> v,
                  s in the mask of u on this level and in that of v on the next

All sources go in step, level by level: a level is pushed by its vertices or, where these have
many edges, pulled by those that some source has not seen. A warp takes a row, or a piece of a
hub's. Its lanes read the masks of 32 neighbours and then, neighbour by neighbour, the counts of
the sources, which lie side by side. The vertices and masks of all levels are kept for the way
up. Hubs' sums meet by atomic additions, so that the last bits may differ from call to call.

Source: U. Brandes, J. Mathematical Sociology 25 (2001); M. Then et al., "The more the merrier:
efficient multi-source graph traversal", VLDB 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas.dtypes import FP64

from graphla.core.properties import derive
from graphla.cuda.device_arrays import vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import InvalidValue
from graphla.native.cuda.by_degree import Rows, by_degree
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PEAK, LOW, SCALE = 2.0**960, 2.0**-480, 2.0**-480
WIDE = 64  # most sources in a batch: bits of a mask
PIECE = 512  # columns of a row that a warp takes
ALPHA = 16  # push while the level has less than this part of the edges


class Parts(NamedTuple):
    """Rows of which those below `heavy` come in pieces: the arguments of the kernels."""

    n: int
    heavy: int
    ends: Any
    columns: Any
    pieces: int
    owners: Any
    begins: Any


class Level(NamedTuple):
    """Vertices at one distance, the sources that reach them there, and by what counts shrank."""

    vertices: Any
    masks: Any
    scale: Any


class Prepared(NamedTuple):
    """What is kept of a graph: rows in both directions, and the longest that a pull reads."""

    out: Parts
    into: Parts
    longest: int


def prepare(G: Graph) -> Prepared:
    """Return the rows of a graph, long ones in pieces; computed once."""
    return derive(G, _prepare, PIECE)


def _prepare(G: Graph, piece: int) -> Prepared:
    graph = by_degree(G)
    out = _parts(graph.out, piece)
    into = out if graph.into is graph.out else _parts(graph.into, piece)
    longest = int(device.read_scalar(device.xp.diff(into.ends).max())) if graph.n else 0
    return Prepared(out, into, longest)


def _parts(rows: Rows, piece: int) -> Parts:
    xp = device.xp
    ends, n = rows.ends, int(rows.ends.size) - 1
    long = xp.flatnonzero(xp.diff(ends) > piece)
    if not long.size:
        return Parts(n, 0, ends, rows.indices, 0, xp.empty(0, np.uint32), xp.empty(0, ends.dtype))
    heavy = int(device.read_scalar(long[-1:])) + 1
    count = -(-xp.diff(ends[: heavy + 1]).astype(np.int64) // piece)
    last = count.cumsum()
    number = xp.arange(int(device.read_scalar(last[-1:])), dtype=np.int64)
    owners = xp.searchsorted(last, number, side="right")
    begins = ends[owners] + piece * (number - (last - count)[owners])
    return Parts(
        n, heavy, ends, rows.indices, int(number.size), owners.astype(np.uint32),
        begins.astype(ends.dtype),
    )  # fmt: skip


def definitions(offset: str, width: int) -> str:
    """Return what the kernels take as given."""
    mask = "u64" if width > 32 else "u32"
    return (
        f"typedef {offset} Offset;\ntypedef {mask} Mask;\n"
        f"enum {{ WIDTH = {width}, PIECE = {PIECE} }};\n"
    )


def betweenness_centrality(G: Graph, sources: list[int], *, batch: int) -> Any:
    """Sum over sources of the share of shortest paths through each vertex: the kernel."""
    xp, graph, result = device.xp, by_degree(G), device.xp.zeros(G.n)
    starts = device.to_host(graph.rank[xp.asarray(np.array(sources, np.int64))])
    starts = starts[starts >= 0]  # the others are isolated
    if starts.size:
        batches = Batches(G, min(batch, WIDE, starts.size))
        for first in range(0, starts.size, batches.most):
            batches.add(starts[first : first + batches.most])
        result[graph.order] = batches.centrality
    return vector_from_array(result, FP64)


class Batches:
    """Searches from `most` sources at once, whose contributions are added up."""

    def __init__(self, G: Graph, most: int) -> None:
        self.most, self.width = most, 1 << (most - 1).bit_length()
        self.out, self.into, self.longest = prepare(G)
        xp, n, self.mask = device.xp, self.out.n, np.uint64 if self.width > 32 else np.uint32
        self.text = definitions(cuda_type(self.out.ends.dtype), self.width)
        self.needed = n * (8 * self.width + 4 * np.dtype(self.mask).itemsize + 12)
        self.needed += 8 * self.out.heavy * self.width
        self.what = f"paths from {most} sources to {n:,} vertices"
        with device.allocation(self.needed, self.what):
            self.paths, self.centrality = xp.empty(n * self.width), xp.zeros(n)
            self.seen, self.now, self.fresh, self.masks = (xp.zeros(n, self.mask) for _ in range(4))
            self.vertices = xp.empty(n, np.uint32)
            self.sums = xp.zeros(self.out.heavy * self.width)
        self.ones = xp.ones(self.width)

    def run(self, name: str, threads: int, *args: Any) -> None:
        """Launch a kernel."""
        kernel("betweenness_centrality", self.text, name)(threads, *args)

    def add(self, sources: Any) -> None:
        """Add what a batch gives."""
        levels = self.descend(sources)
        self.ascend(levels)

    def descend(self, sources: Any) -> list[Level]:
        """Count shortest paths, level by level."""
        out, count, bound, needed = self.out, len(sources), 1.0, self.needed
        levels = [self.begin(sources)]
        light = True
        while True:
            if light:
                self.run("push_paths", 32 * self.threads(out), *out, *self.state())
            else:
                self.run(
                    "pull_paths", 32 * self.threads(self.into), *self.into, count, *self.state()
                )
            size, edges = self.finish()
            if not size:
                return levels
            light = edges < out.columns.size / ALPHA
            needed += size * (self.vertices.itemsize + self.masks.itemsize)
            with device.allocation(needed, f"{self.what}, {len(levels)} levels"):
                found = Level(self.vertices[:size].copy(), self.masks[:size].copy(), self.ones)
            bound *= self.longest
            if bound > PEAK:
                bound, scale = self.rescaled(found)
                found = found._replace(scale=scale)
            levels.append(found)

    def state(self) -> tuple[Any, ...]:
        """Return what a step reads and writes."""
        return self.seen, self.now, self.fresh, self.paths

    def threads(self, rows: Parts) -> int:
        """Return how many warps could be busy with parts of rows, 32 to each."""
        return -(-rows.pieces // 32) + -(-(rows.n - rows.heavy) // 32)

    def begin(self, sources: Any) -> Level:
        """Put each source on its vertex: the level 0."""
        xp, column = device.xp, np.arange(len(sources))
        vertices, place = np.unique(sources, return_inverse=True)
        masks = np.zeros(vertices.size, self.mask)
        np.bitwise_or.at(masks, place, np.left_shift(self.mask(1), column.astype(self.mask)))
        level = Level(xp.asarray(vertices.astype(np.uint32)), xp.asarray(masks), self.ones)
        self.paths.fill(0)
        self.paths[xp.asarray(sources.astype(np.int64) * self.width + column)] = 1.0
        self.seen.fill(0)
        for masks in (self.seen, self.now):
            self.mark(level, masks)
        return level

    def mark(self, level: Level, masks: Any, clear: int = 0) -> None:
        """Write the masks of a level, or zeros."""
        size = level.vertices.size
        self.run("write_level_masks", size, size, level.vertices, level.masks, clear, masks)

    def finish(self) -> tuple[int, int]:
        """Let the fresh masks be the next level; return how many, and how many edges they have."""
        count, n = device.xp.zeros(2, np.uint64), self.out.n
        args = (self.seen, self.now, self.fresh, self.vertices, self.masks, count)
        self.run("finish_level", n, n, self.out.ends, *args)
        size, edges = device.read_words(count)
        return int(size), int(edges)

    def rescaled(self, level: Level) -> tuple[float, Any]:
        """Scale path counts down where they are large; return their maximum and the scales."""
        xp, size = device.xp, level.vertices.size
        high = xp.zeros(self.width, np.uint64)
        low = xp.full(self.width, np.inf).view(np.uint64)
        threads = size * self.width
        self.run("path_count_extremes", threads, size, *level[:2], self.paths, high, low)
        high, low = high.view(np.float64), low.view(np.float64)
        large = high > PEAK
        if bool(device.read_scalar((large & (low < LOW)).any())):
            raise InvalidValue(
                "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
                "differ by more than 2^1440, which FP64 does not hold"
            )
        scale = xp.where(large, SCALE, 1.0)
        self.run("rescale_paths", threads, size, *level[:2], scale, self.paths)
        return float(device.read_scalar((high * scale).max())), scale

    def ascend(self, levels: list[Level]) -> None:
        """Add up what vertices carry, from the farthest level to the second."""
        out, here, now = self.out, self.fresh, self.now
        below: Level | None = None
        for level in reversed(levels[1:]):
            self.mark(level, here)
            scale = self.ones if below is None else below.scale
            self.run(
                "accumulate_dependencies", 32 * self.threads(out), *out, here, now, scale,
                self.paths, self.sums, self.centrality,
            )  # fmt: skip
            end = (here, scale, self.paths, self.sums, self.centrality)
            self.run("finish_hubs", 32 * out.heavy, out.heavy, *end)
            if below is not None:
                self.mark(below, now, 1)
            below, here, now = level, now, here
        if below is not None:
            self.mark(below, now, 1)
