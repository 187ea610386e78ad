"""Native betweenness centrality: Brandes over a batch of up to 64 sources, one bit of a mask each.

    paths(v, s) = sum of paths(u, s) over edges u -> v,    s in now(u), not in seen(v)
    delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s) over edges u -> v,
                  s in the mask of u on this level and in that of v on the next

All sources advance together, level by level. A level pushes along the rows of its vertices; if
these have many edges, it pulls along the rows of the vertices that some source has not seen. A warp
takes a row, or a piece of a long one. Its lanes read the masks of 32 neighbours and then, one
neighbour after the other, the path counts of the sources, which are adjacent in memory. The
vertices and masks of all levels are kept for the backward pass. The sums of long rows are combined
by atomic additions, so that the last bits of a result may differ from call to call.

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
from graphla.native.cuda.renumbered.by_degree import NeighbourLists, degree_ordered
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

# Counts of a level above PEAK are multiplied by SCALE; InvalidValue if the smallest is below LOW.
PEAK, LOW, SCALE = 2.0**960, 2.0**-480, 2.0**-480
MAX_BATCH = 64  # sources: bits of a mask
PIECE = 512  # columns of a long row that a warp takes
ALPHA = 16  # push while the level has fewer edges than all edges divided by this


class PiecedRows(NamedTuple):
    """Rows, those below `num_split` cut into pieces, as arguments of the kernels.

    Piece k belongs to row ``owners[k]`` and begins at ``begins[k]``.
    """

    n: int
    num_split: int
    offsets: Any
    columns: Any
    num_pieces: int
    owners: Any
    begins: Any


class PreparedRows(NamedTuple):
    """The rows of a graph in both directions, and the length of the longest in-row."""

    out: PiecedRows
    into: PiecedRows
    longest: int


class Level(NamedTuple):
    """Vertices, the sources at this distance from each, and the factor of each source's counts."""

    vertices: Any
    masks: Any
    scale: Any


def prepare(G: Graph) -> PreparedRows:
    """Return the rows of a graph in pieces; they are made once and cached."""
    return derive(G, _prepare, PIECE)


def _prepare(G: Graph, piece: int) -> PreparedRows:
    graph = degree_ordered(G)
    out = _cut(graph.out, piece)
    into = out if graph.into is graph.out else _cut(graph.into, piece)
    longest = int(device.read_scalar(device.xp.diff(into.offsets).max())) if graph.n else 0
    return PreparedRows(out, into, longest)


def _cut(lists: NeighbourLists, piece: int) -> PiecedRows:
    """Cut all rows up to the last one that is longer than `piece`."""
    xp, (offsets, columns) = device.xp, lists[:2]
    n = int(offsets.size) - 1
    long = xp.flatnonzero(xp.diff(offsets) > piece)
    if not long.size:
        owners, begins = xp.empty(0, np.uint32), xp.empty(0, offsets.dtype)
        return PiecedRows(n, 0, offsets, columns, 0, owners, begins)
    num_split = int(device.read_scalar(long[-1:])) + 1
    pieces_of = -(-xp.diff(offsets[: num_split + 1]).astype(np.int64) // piece)
    last = pieces_of.cumsum()
    number = xp.arange(int(device.read_scalar(last[-1:])), dtype=np.int64)
    owners = xp.searchsorted(last, number, side="right")
    begins = offsets[owners] + piece * (number - (last - pieces_of)[owners])
    return PiecedRows(
        n, num_split, offsets, columns, int(number.size), owners.astype(np.uint32),
        begins.astype(offsets.dtype),
    )  # fmt: skip


def definitions(offset: str, width: int) -> str:
    """Return the types and constants of the kernels."""
    mask = "u64" if width > 32 else "u32"
    return (
        f"typedef {offset} Offset;\ntypedef {mask} Mask;\n"
        f"enum {{ WIDTH = {width}, PIECE = {PIECE} }};\n"
    )


def betweenness_centrality(G: Graph, sources: list[int], *, batch: int) -> Any:
    """Sum over sources of the share of shortest paths through each vertex."""
    xp, graph, result = device.xp, degree_ordered(G), device.xp.zeros(G.n)
    starts = device.to_host(graph.rank[xp.asarray(np.array(sources, np.int64))])
    starts = starts[starts >= 0]  # isolated sources contribute nothing
    if starts.size:
        search = BatchedBrandes(G, min(batch, MAX_BATCH, starts.size))
        for first in range(0, starts.size, search.batch):
            search.add(starts[first : first + search.batch])
        result[graph.order] = search.centrality
    return vector_from_array(result, FP64)


class BatchedBrandes:
    """Adds up the dependencies of sources, `batch` of them at a time, in ``centrality``."""

    def __init__(self, G: Graph, batch: int) -> None:
        self.batch, self.width = batch, 1 << (batch - 1).bit_length()
        self.out, self.into, self.longest = prepare(G)
        xp, n, self.mask = device.xp, self.out.n, np.uint64 if self.width > 32 else np.uint32
        self.text = definitions(cuda_type(self.out.offsets.dtype), self.width)
        self.needed = n * (8 * self.width + 4 * np.dtype(self.mask).itemsize + 12)
        self.needed += 8 * self.out.num_split * self.width
        self.what = f"paths from {batch} sources to {n:,} vertices"
        with device.allocation(self.needed, self.what):
            self.paths, self.centrality = xp.empty(n * self.width), xp.zeros(n)
            self.seen, self.now, self.fresh, self.masks = (xp.zeros(n, self.mask) for _ in range(4))
            self.vertices = xp.empty(n, np.uint32)
            self.sums = xp.zeros(self.out.num_split * self.width)
        self.ones = xp.ones(self.width)

    def launch(self, name: str, threads: int, *args: Any) -> None:
        """Launch a kernel."""
        kernel("betweenness_centrality", self.text, name)(threads, *args)

    def add(self, sources: Any) -> None:
        """Add the dependencies of a batch of sources."""
        self.accumulate(self.count_paths(sources))

    def count_paths(self, sources: Any) -> list[Level]:
        """Count shortest paths, level by level; return the levels."""
        out, bound, needed = self.out, 1.0, self.needed
        state = self.seen, self.now, self.fresh, self.paths
        levels = [self.start(sources)]
        pushes = True
        while True:
            if pushes:
                self.launch("push_paths", self.threads(out), *out, *state)
            else:
                into = self.into
                self.launch("pull_paths", self.threads(into), *into, len(sources), *state)
            size, edges = self.finish_level()
            if not size:
                return levels
            pushes = edges < out.columns.size / ALPHA
            needed += size * (self.vertices.itemsize + self.masks.itemsize)
            with device.allocation(needed, f"{self.what}, {len(levels)} levels"):
                level = Level(self.vertices[:size].copy(), self.masks[:size].copy(), self.ones)
            bound *= self.longest
            if bound > PEAK:
                bound, scale = self.rescale(level)
                level = level._replace(scale=scale)
            levels.append(level)

    def threads(self, rows: PiecedRows) -> int:
        """Return the number of threads that pieces and rows can occupy: 32 of each to a warp."""
        return 32 * (-(-rows.num_pieces // 32) + -(-(rows.n - rows.num_split) // 32))

    def start(self, sources: Any) -> Level:
        """Reset the state to level 0 and return it."""
        xp, column = device.xp, np.arange(len(sources))
        vertices, position = np.unique(sources, return_inverse=True)
        masks = np.zeros(vertices.size, self.mask)
        np.bitwise_or.at(masks, position, np.left_shift(self.mask(1), column.astype(self.mask)))
        level = Level(xp.asarray(vertices.astype(np.uint32)), xp.asarray(masks), self.ones)
        self.paths.fill(0)
        self.paths[xp.asarray(sources.astype(np.int64) * self.width + column)] = 1.0
        self.seen.fill(0)
        for masks in (self.seen, self.now):
            self.write_masks(level, masks)
        return level

    def write_masks(self, level: Level, masks: Any, clear: int = 0) -> None:
        """Write the masks of a level, or zeros at its vertices."""
        size = level.vertices.size
        self.launch("write_level_masks", size, size, level.vertices, level.masks, clear, masks)

    def finish_level(self) -> tuple[int, int]:
        """Make the fresh masks the next level; return its numbers of vertices and of edges."""
        count, n = device.xp.zeros(2, np.uint64), self.out.n
        args = (self.seen, self.now, self.fresh, self.vertices, self.masks, count)
        self.launch("finish_level", n, n, self.out.offsets, *args)
        size, edges = device.read_words(count)
        return int(size), int(edges)

    def rescale(self, level: Level) -> tuple[float, Any]:
        """Multiply large path counts by SCALE; return their maximum and the factors."""
        xp, size = device.xp, level.vertices.size
        high = xp.zeros(self.width, np.uint64)
        low = xp.full(self.width, np.inf).view(np.uint64)
        threads = size * self.width
        self.launch("path_count_extremes", threads, size, *level[:2], self.paths, high, low)
        high, low = high.view(np.float64), low.view(np.float64)
        large = high > PEAK
        if bool(device.read_scalar((large & (low < LOW)).any())):
            raise InvalidValue(
                "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
                "differ by more than 2^1440, which FP64 cannot represent"
            )
        scale = xp.where(large, SCALE, 1.0)
        self.launch("rescale_paths", threads, size, *level[:2], scale, self.paths)
        return float(device.read_scalar((high * scale).max())), scale

    def accumulate(self, levels: list[Level]) -> None:
        """Add up the dependencies of the vertices, from the farthest level to the second."""
        out, masks, next_masks = self.out, self.fresh, self.now
        below: Level | None = None
        for level in reversed(levels[1:]):
            self.write_masks(level, masks)
            scale = self.ones if below is None else below.scale
            self.launch(
                "accumulate_dependencies", self.threads(out), *out, masks, next_masks, scale,
                self.paths, self.sums, self.centrality,
            )  # fmt: skip
            self.launch(
                "finish_hubs", 32 * out.num_split, out.num_split, masks, scale, self.paths,
                self.sums, self.centrality,
            )  # fmt: skip
            if below is not None:
                self.write_masks(below, next_masks, 1)
            below, masks, next_masks = level, next_masks, masks
        if below is not None:
            self.write_masks(below, next_masks, 1)
