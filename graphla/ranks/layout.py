"""Which rank owns which rows: contiguous pieces of every dimension, in the order of the ranks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph, Kind
from graphla.errors import EngineMismatch, NotSupported
from graphla.ranks.blocks.engine import BlockEngine
from graphla.ranks.collectives.communicator import Communicator


class Grid(NamedTuple):
    """Ranks in rows and columns: rank ``i * columns + j`` has block (i, j) of a matrix."""

    rows: int
    columns: int


class Cut(NamedTuple):
    """How the adjacency matrix of a graph is cut, and what every rank knows of the graph."""

    kind: Kind
    dtype: str
    n: int
    boundaries: Any  # where the vertices of each rank begin, and n
    input_edges: int | None = None

    @classmethod
    def of(cls, G: Graph, ranks: int, alignment: int) -> Cut:
        """Return contiguous ranges of vertices with nearly equal numbers of edges."""
        boundaries = balanced_boundaries(G.in_degree.to_dense(), ranks, alignment)
        return cls(G.kind, G.dtype.name, G.n, boundaries, G._input_edges)

    @property
    def axis(self) -> int:
        """The cut of the matrix: into columns (1), or rows (0) where these are the same."""
        return 0 if self.kind == "undirected" else 1

    def block(self, G: Graph, rank: int) -> Any:
        """Return the block of a rank: the edges that enter its vertices."""
        first, last = self.boundaries[rank : rank + 2].tolist()
        piece = slice(first, last)
        return (G.A[:, piece] if self.axis else G.A[piece, :]).new()


class Layout:
    """The boundaries of the pieces, for a dimension of any length.

    Parameters
    ----------
    communicator : Communicator
    grid : Grid
        P rows and one column: a rank owns whole rows, or whole columns, of a matrix.
    boundaries : dict of int to array, optional
        For some lengths, where the piece of each rank begins, and the length. Any other length is
        cut into pieces of nearly equal length.

    Raises
    ------
    NotSupported
        The grid has more than one column.
    """

    def __init__(
        self, communicator: Communicator, grid: Grid, boundaries: dict[int, Any] | None = None
    ) -> None:
        if grid != (communicator.size, 1):
            raise NotSupported(f"ranks in {grid.rows} x {grid.columns}: only P x 1 is supported")
        self.communicator, self.grid = communicator, grid
        self._boundaries = dict(boundaries or {})
        self._pieces: dict[int, tuple[int, int]] = {}  # of this rank
        self._device_boundaries: dict[int, Any] = {}

    @property
    def blocks(self) -> BlockEngine:
        """The engine of the blocks."""
        return self.communicator.blocks

    def boundaries(self, length: int) -> Any:
        """Return where the piece of each rank begins, and the length: an int64 array."""
        if length not in self._boundaries:
            ranks = np.arange(self.communicator.size + 1, dtype=np.int64)
            self._boundaries[length] = length * ranks // self.communicator.size
        return self._boundaries[length]

    def piece(self, length: int) -> tuple[int, int]:
        """Return the piece of this rank: the first index, and the one behind the last."""
        piece = self._pieces.get(length)
        if piece is None:
            first, last = self.boundaries(length)[self.communicator.rank :][:2].tolist()
            piece = self._pieces[length] = first, last
        return piece

    def boundaries_on_device(self, length: int) -> Any:
        """Return the boundaries as an array of the engine of the blocks, in its type of indices."""
        if length not in self._device_boundaries:
            host = self.boundaries(length).astype(self.blocks.index_dtype(length + 1))
            self._device_boundaries[length] = self.blocks.xp.asarray(host)
        return self._device_boundaries[length]

    def owners(self, indices: Any, length: int) -> Any:
        """Return the rank that owns each index."""
        ends = self.boundaries_on_device(length)[1:]
        return self.blocks.xp.searchsorted(ends, indices, side="right")

    def counts_of_owners(self, indices: Any, length: int) -> list[int]:
        """Return how many indices, which ascend, each rank owns."""
        found = self.blocks.xp.searchsorted(indices, self.boundaries_on_device(length))
        counts: list[int] = np.diff(self.blocks.to_host(found)).tolist()
        return counts

    def positions_of_own(self, indices: Any, length: int) -> Any:
        """Return at which positions of an array of indices those of this rank are."""
        first, last = self.piece(length)
        return self.blocks.xp.flatnonzero((indices >= first) & (indices < last))

    def cuts_as(self, other: Layout, length: int) -> bool:
        """Whether both cut a dimension of this length in the same places."""
        return other is self or np.array_equal(self.boundaries(length), other.boundaries(length))

    def with_boundaries(self, length: int, boundaries: Any) -> Layout:
        """Return a layout that cuts a dimension of this length elsewhere."""
        return Layout(self.communicator, self.grid, self._boundaries | {length: boundaries})

    def require_same_ranks(self, other: Layout, operation: str) -> None:
        """Refuse an object of other ranks."""
        if other.communicator is not self.communicator:
            raise EngineMismatch(f"{operation}: the objects are of two groups of ranks")


def balanced_boundaries(weights: Any, ranks: int, alignment: int = 1) -> Any:
    """Return boundaries of pieces whose sums of weights are nearly equal, as a NumPy array.

    Each index also counts for one, so that the dense vectors of indices without weight are shared
    out as well. Pieces begin at multiples of `alignment`. The weights are an array of NumPy.
    """
    total = np.zeros(len(weights) + 1, np.int64)
    total[1:] = np.cumsum(np.asarray(weights).astype(np.int64) + 1)
    wanted = total[-1] * np.arange(1, ranks, dtype=np.int64) // ranks
    inner = np.searchsorted(total, wanted)
    before = np.maximum(inner - 1, 0)
    inner = np.where(wanted - total[before] < total[inner] - wanted, before, inner)  # the nearest
    return _aligned(inner, len(weights), alignment)


class PieceWeights:
    """Weights of the indices of a dimension, of which each rank has those of its piece.

    Parameters
    ----------
    layout : Layout
    length : int
        Of the dimension.
    weights : array of int
        Of this rank's piece.
    call : str
        Name of the operation, for traces.

    Attributes
    ----------
    of_ranks : array of int64
        The sum of the weights of each rank.
    """

    def __init__(self, layout: Layout, length: int, weights: Any, call: str) -> None:
        self._layout, self._length, self._call = layout, length, call
        communicator, blocks = layout.communicator, layout.blocks
        lengths = np.diff(layout.boundaries(length))

        def work() -> tuple[Any, int]:
            sums = blocks.xp.cumsum(weights.astype(np.int64) + 1)
            return sums, int(blocks.read(sums[-1:])) if sums.size else 0

        self._sums, local = communicator.guarded(call, work)
        self._totals = communicator.gather_words(call, local).first
        self.of_ranks = self._totals - lengths

    def balanced_boundaries(self, alignment: int = 1) -> Any:
        """Return the boundaries of :func:`balanced_boundaries`; each is found by one rank."""
        communicator, blocks, totals = self._layout.communicator, self._layout.blocks, self._totals
        rank, ranks = communicator.rank, communicator.size
        before = int(totals[:rank].sum())
        wanted = int(totals.sum()) * np.arange(1, ranks, dtype=np.int64) // ranks - before

        def work() -> Any:
            found = np.zeros(ranks - 1, np.int64)
            own = (wanted > 0) & (wanted <= totals[rank])
            if own.any():
                xp, goal = blocks.xp, wanted[own]
                inner = blocks.to_host(xp.searchsorted(self._sums, xp.asarray(goal)))
                places = np.stack((np.maximum(inner - 1, 0), inner))
                low, high = blocks.to_host(self._sums[xp.asarray(places)])
                low = np.where(inner == 0, 0, low)
                first = self._layout.piece(self._length)[0]
                found[own] = first + inner + (goal - low >= high - goal)
            return found

        own = communicator.guarded(self._call, work)
        inner = communicator.gather_word_rows(self._call, own).sum(axis=0)
        return _aligned(inner, self._length, alignment)


def _aligned(inner: Any, length: int, alignment: int) -> Any:
    """Return 0, the multiples of `alignment` next to inner boundaries, and the length."""
    inner = np.minimum((inner + alignment // 2) // alignment * alignment, length)
    return np.concatenate(([0], inner, [length])).astype(np.int64)
