"""The benchmark's graph, generated and built in pieces on ranks.

A rank draws a range of the edges, piece by piece, and sends each edge in both directions to the
owners of its ends. It draws them once to count, from which the pieces of the matrix follow, and
again to fill; if the entries of a rank do not fit in memory together with their sort, the rows are
filled in several passes. No rank holds more than its share, one piece, and the labels of all
vertices. The share is allocated once, before the duplicates among the edges are known: their places
(1 % at scale 29, 13 % at scale 16) stay unused, or are cut off by a copy if they are many.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from graphblas import binary
from graphblas.dtypes import BOOL, FP32

from graphla.core.graph import Graph
from graphla.core.validation import check_count
from graphla.errors import OutOfMemory
from graphla.generate.builder import check_integer
from graphla.graph500.edges import MAX_SCALE, EdgeSource, drawn_positions
from graphla.ranks import DistributedGraphHandle, RankProcesses, Ranks
from graphla.ranks.distribution import Cut
from graphla.ranks.handle import Member, described
from graphla.ranks.layout import balanced_boundaries

PIECE = {"cpu": 1 << 18, "cuda": 1 << 24}  # edges that a rank draws at a time
BUCKETS = 1 << 16  # ranges of vertices, of which the entries are counted
SORT_BYTES = {False: 40, True: 80}  # for each entry while rows are filled, without and with weights
SORT_SHARE = 0.75  # of the free memory, for entries while rows are filled
MAX_PASSES = 64
MANY_UNUSED = 0.1  # of the places for entries, from which they are cut off


def kronecker_on(
    processes: RankProcesses, scale: int, *, edgefactor: int = 16, seed: int = 1,
    weighted: bool = False,
) -> DistributedGraphHandle:  # fmt: skip
    """Generate the benchmark's graph on the ranks of other processes.

    Parameters
    ----------
    processes : RankProcesses
        As of :func:`graphla.ranks.start`.
    scale, edgefactor, seed, weighted
        As of :func:`graphla.graph500.kronecker`.

    Returns
    -------
    DistributedGraphHandle
        The graph of the same edge list, built without its duplicates.

    Raises
    ------
    DomainMismatch, InvalidValue
        A number is not an integer, or out of range.

    Examples
    --------
    >>> import graphla as gl
    >>> with gl.ranks.start(2) as ranks:
    ...     H = gl.graph500.kronecker_on(ranks, 8)
    ...     G = gl.graph500.kronecker(8).graph()
    ...     H.n, H.nedges == G.nedges
    (256, True)
    """
    arguments = scale, edgefactor, seed, weighted
    found: DistributedGraphHandle = processes.handle_of(processes.run(_generate, *arguments))
    return found


def _generate(member: Member, *arguments: Any) -> Any:
    return described(member, kronecker_graph(member.ranks, *arguments))


def kronecker_graph(
    ranks: Ranks, scale: int, edgefactor: int = 16, seed: int = 1, weighted: bool = False
) -> Graph:
    """Generate the benchmark's graph on ranks that call this together.

    Parameters and meaning are those of :func:`kronecker_on`.
    """
    scale = check_integer(scale, "scale", 1, MAX_SCALE)
    m = check_count(edgefactor, "edgefactor") << scale
    communicator, n = ranks.communicator, 1 << scale
    blocks = communicator.blocks
    source = communicator.guarded(
        "labels", lambda: EdgeSource(blocks.name, scale, check_integer(seed, "seed"), weighted)
    )
    pieces = _Pieces(ranks, source, m)
    counts = pieces.entries_of_buckets()
    width = n // counts.size
    cuts = balanced_boundaries(counts + width, ranks.size)
    entries = np.diff(np.concatenate(([0], np.cumsum(counts)))[cuts])
    size = int(entries[ranks.rank])
    rows = communicator.guarded("rows", lambda: _Rows(blocks, size, scale, weighted))
    free = blocks.available_memory() // communicator.ranks_here
    free = int(communicator.gather_words("memory", free).first.min())
    passes = _number_of_passes(int(entries.max()) * SORT_BYTES[weighted], int(free * SORT_SHARE))
    for part_cuts in _part_cuts(counts + width, cuts, passes):
        received = pieces.owned_entries(part_cuts * width)
        first, last = (part_cuts[ranks.rank] * width).tolist()
        communicator.guarded("rows", partial(rows.append, received, first, last))
    block = communicator.guarded("rows", rows.matrix)
    cut = Cut("undirected", block.dtype.name, n, cuts * width)
    return ranks.graph_of(ranks.layout_of(cut), block, cut)


def _number_of_passes(needed: int, allowed: int) -> int:
    """Return in how many passes rows are filled: each draws all edges, so their number is limited.

    Raises
    ------
    OutOfMemory
    """
    if needed > MAX_PASSES * allowed:
        raise OutOfMemory(
            f"filling the rows of a rank takes {needed // MAX_PASSES:,} bytes in each of "
            f"{MAX_PASSES} passes; {allowed:,} are available"
        )
    return max(1, -(-needed // max(1, allowed)))


class EdgesOnRanks:
    """The benchmark's edges, which no rank has: each draws its range of them to count.

    Attributes
    ----------
    n : int
        Number of vertices.
    first, last : int
        The first vertex of the equal share whose edges this rank knows the number of, and the one
        behind the last.
    ends : array of int64, shape (last - first,)
        Number of edge ends at each vertex: duplicates count, a self-loop counts twice.
    connected : array of bool, shape (last - first,)
        Whether a vertex has an edge to another one.
    """

    def __init__(self, ranks: Ranks, scale: int, edgefactor: int, seed: int) -> None:
        self.n, self._size = 1 << scale, edgefactor << scale
        self._communicator = communicator = ranks.communicator
        self._shares = self.n * np.arange(ranks.size + 1, dtype=np.int64) // ranks.size
        self.first, self.last = self._shares[ranks.rank : ranks.rank + 2].tolist()

        def work() -> Any:
            xp = communicator.blocks.xp
            source = EdgeSource(communicator.blocks.name, scale, seed, False)
            ends, loops = xp.zeros(self.n, np.int64), xp.zeros(self.n, np.int64)
            for low, high in _Pieces(ranks, source, self._size).ranges:
                src, dst, _ = source.edges(low, high)
                for end in (src, dst):
                    ends += xp.bincount(end, minlength=self.n)
                loops += xp.bincount(src[src == dst], minlength=self.n)
            return ends, loops

        counts = communicator.guarded("ends", work)
        found, _ = communicator.exchange("ends", np.diff(self._shares).tolist(), counts)
        del counts
        self.ends, loops = (x.reshape(ranks.size, -1).sum(axis=0) for x in found)
        self.connected = self.ends > 2 * loops

    def __len__(self) -> int:
        return self._size

    def search_keys(self, count: int, seed: int) -> list[int]:
        """Draw up to `count` different vertices that have an edge to another vertex."""
        communicator, xp = self._communicator, self._communicator.blocks.xp
        connected = xp.flatnonzero(self.connected)
        numbers = communicator.gather_words("search keys", int(connected.size)).first
        ends = np.concatenate(([0], np.cumsum(numbers)))
        positions = drawn_positions(int(ends[-1]), count, seed, self)
        before, behind = ends[communicator.rank : communicator.rank + 2].tolist()
        own = np.flatnonzero((positions >= before) & (positions < behind))
        keys = connected[xp.asarray(positions[own] - before)].tolist()
        pairs = [(k, self.first + key) for k, key in zip(own.tolist(), keys, strict=True)]
        found = communicator.gather_objects("search keys", pairs)
        return [key for _, key in sorted(pair for part in found for pair in part)]

    def edges_within(self, reached: Any) -> int:
        """Count the edges between reached vertices, of which every rank has the mask of all."""
        own = int(self.ends[reached[self.first : self.last]].sum())
        return self._communicator.sum("edges within", own) // 2


class _Pieces:
    """The edges that one rank draws, in as many pieces as every other rank."""

    def __init__(self, ranks: Ranks, source: EdgeSource, m: int) -> None:
        self.ranks, self.source = ranks, source
        blocks = ranks.communicator.blocks
        self.xp, self.to_host, size = blocks.xp, blocks.to_host, PIECE[blocks.name]
        first, last = m * ranks.rank // ranks.size, m * (ranks.rank + 1) // ranks.size
        count = ceil(ceil(m / ranks.size) / size)
        self.ranges = list(pairwise(min(first + k * size, last) for k in range(count + 1)))

    def entries_of_buckets(self) -> Any:
        """Return how many entries the rows of each range of vertices have, duplicates included."""
        communicator, scale = self.ranks.communicator, self.source.scale
        alignment = communicator.blocks.alignment
        buckets = max(1, min(BUCKETS, (1 << scale) // alignment))
        shift = scale - buckets.bit_length() + 1

        def work() -> Any:
            counts = self.xp.zeros(buckets, np.int64)
            for low, high in self.ranges:
                src, dst, _ = self.source.edges(low, high)
                for end in (src, dst):
                    counts += self.xp.bincount(end >> shift, minlength=buckets)
            return counts

        counts = communicator.guarded("count", work)
        whole, _, _ = communicator.gather_arrays("count", buckets, lambda _: (counts, "counts"))
        total: Any = self.to_host(whole.reshape(communicator.size, buckets).sum(axis=0))
        return total

    def owned_entries(self, part_cuts: Any) -> list[list[Any]]:
        """Return columns (row, column and weight) of the entries of this rank's rows, in pieces.

        `part_cuts` has the first row and the one behind the last for each rank.
        """
        communicator, found = self.ranks.communicator, []
        for low, high in self.ranges:
            work = partial(self._sorted_by_owner, low, high, part_cuts)
            counts, columns = communicator.guarded("edges", work)
            found.append(communicator.exchange("edges", counts, columns)[0])
        return found

    def _sorted_by_owner(self, low: int, high: int, part_cuts: Any) -> tuple[Any, list[Any]]:
        xp = self.xp
        src, dst, weight = self.source.edges(low, high)
        directions: list[tuple[Any, ...]] = [(src, dst), (dst, src)]
        if weight is not None:
            directions = [(*ends, weight) for ends in directions]
        counts, parts = [], []
        for first, last in part_cuts.tolist():
            selected = []
            for columns in directions:
                inside = xp.flatnonzero((columns[0] >= first) & (columns[0] < last))
                selected.append([column[inside] for column in columns])
            counts.append(sum(int(columns[0].size) for columns in selected))
            parts += selected
        return np.array(counts), [xp.concatenate(columns) for columns in zip(*parts, strict=True)]


def _part_cuts(weights: Any, cuts: Any, passes: int) -> Any:
    """Yield, for each pass, the first bucket of each rank's part and the one behind the last."""
    inner = [
        first + balanced_boundaries(weights[first:last], passes)
        for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    ]
    for k in range(passes):
        yield np.array([(x[k], x[k + 1]) for x in inner])


class _Rows:
    """The rows of one rank, filled part by part into arrays of `size` entries."""

    def __init__(self, blocks: Any, size: int, scale: int, weighted: bool) -> None:
        self.blocks, self.scale = blocks, scale
        # Zeros are written, as a CPU takes the memory of an array only then.
        self.columns = blocks.xp.full(size, 0, blocks.index_dtype(1 << scale))
        self.values = blocks.xp.full(size, 0, np.float32) if weighted else None
        self.lengths: list[Any] = []  # of the rows of each part
        self.filled = 0

    def append(self, received: list[list[Any]], first: int, last: int) -> None:
        """Append the rows first..last-1, whose entries were received in pieces."""
        lengths, columns, values = _rows(self.blocks, received, first, last, self.scale)
        part = slice(self.filled, self.filled + columns.size)
        self.columns[part] = columns
        if self.values is not None:
            self.values[part] = values
        self.lengths.append(lengths)
        self.filled = part.stop

    def matrix(self) -> Any:
        """Return a Matrix of all rows."""
        xp = self.blocks.xp
        self.blocks.release_memory()  # of the sorts, before arrays that stay are allocated
        offsets = xp.zeros(sum(int(x.size) for x in self.lengths) + 1, np.int64)
        xp.cumsum(xp.concatenate(self.lengths), out=offsets[1:])
        self.lengths.clear()
        columns, values, dtype = self._used(self.columns), None, BOOL
        if self.values is not None:
            values, dtype = self._used(self.values), FP32
        return self.blocks.csr_matrix(offsets, columns, values, dtype, 1 << self.scale)

    def _used(self, array: Any) -> Any:
        """Return the places that are filled."""
        used = array[: self.filled]
        return used if self.filled >= (1 - MANY_UNUSED) * array.size else used.copy()


def _rows(blocks: Any, received: list[list[Any]], first: int, last: int, scale: int) -> Any:
    """Return the numbers of entries of the rows, their columns and weights, sorted."""
    xp, nrows = blocks.xp, last - first
    row, column, *weight = (xp.concatenate(parts) for parts in zip(*received, strict=True))
    received.clear()
    if weight:
        Matrix = blocks.objects.Matrix
        shape = {"nrows": nrows, "ncols": 1 << scale}
        local = row.astype(np.int64) - first
        A = Matrix.from_coo(local, column, weight[0], FP32, **shape, dup_op=binary.min)
        offsets, columns, values = blocks.csr_arrays(A)
        if values.size != columns.size:
            values = xp.repeat(values, columns.size)
        return xp.diff(offsets).astype(np.int64), columns, values
    keys = row.astype(np.int64)
    del row
    keys -= first
    keys <<= scale
    keys |= column
    del column
    keys.sort()
    is_first = xp.ones(keys.size, bool)  # of equal keys
    is_first[1:] = keys[1:] != keys[:-1]
    keys = keys[is_first]
    del is_first
    starts = xp.searchsorted(keys, xp.arange(nrows + 1, dtype=np.int64) << scale)
    keys &= (1 << scale) - 1
    return xp.diff(starts), keys.astype(blocks.index_dtype(1 << scale)), None
