"""Which rank owns which rows: contiguous pieces of every dimension, in the order of the ranks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph, Kind
from graphla.errors import EngineMismatch, NotSupported
from graphla.ranks.blocks.engine import BlockEngine, block_engine
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
        first, last = self.boundaries(length)[self.communicator.rank :][:2].tolist()
        return first, last

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


def balanced_boundaries(
    weights: Any, ranks: int, alignment: int = 1, *, blocks: BlockEngine | None = None
) -> Any:
    """Return boundaries of pieces whose sums of weights are nearly equal, as a NumPy array.

    Each index also counts for one, so that the dense vectors of indices without weight are shared
    out as well. Pieces begin at multiples of `alignment`. The weights are an array of `blocks`, by
    default of engine "cpu".
    """
    blocks = blocks or block_engine("cpu")
    xp = blocks.xp
    total = xp.zeros(len(weights) + 1, np.int64)
    total[1:] = xp.cumsum(xp.asarray(weights).astype(np.int64) + 1)
    wanted = int(blocks.read(total[-1:])) * np.arange(1, ranks, dtype=np.int64) // ranks
    inner = blocks.to_host(xp.searchsorted(total, xp.asarray(wanted)))
    before = np.maximum(inner - 1, 0)
    low, high = blocks.to_host(total[xp.asarray(np.stack((before, inner)))])
    inner = np.where(wanted - low < high - wanted, before, inner)  # the nearest
    inner = np.minimum((inner + alignment // 2) // alignment * alignment, len(weights))
    return np.concatenate(([0], inner, [len(weights)])).astype(np.int64)
