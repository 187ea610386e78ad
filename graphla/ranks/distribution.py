"""Graphs whose adjacency matrix lies in blocks on ranks."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import graphblas as gb
import numpy as np

from graphla.core.graph import Graph
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue
from graphla.io import read
from graphla.ranks.collectives.communicator import Communicator
from graphla.ranks.collectives.exchange import owned_block
from graphla.ranks.collectives.memory import agree_on_memory
from graphla.ranks.layout import Grid, Layout, balanced_boundaries
from graphla.ranks.matrix import Matrix


class Ranks:
    """The ranks of one program, each with a block of every distributed object.

    All ranks run the same program and make the same calls in the same order.

    Attributes
    ----------
    rank, size : int
        The number of this rank, and of how many.
    """

    def __init__(self, communicator: Communicator) -> None:
        self.communicator = communicator
        self.rank, self.size = communicator.rank, communicator.size
        agree_on_memory(communicator)

    def __repr__(self) -> str:
        return f"<Ranks: rank {self.rank} of {self.size}>"

    def distribute(self, G: Graph | None) -> Graph:
        """Return a graph in blocks of the ranks; algorithms take it as any other.

        Parameters
        ----------
        G : Graph or None
            On engine "cpu": the same graph on every rank, or None on all ranks but some, the
            first of which sends the others their blocks. Checksums tell whether graphs are equal.

        Returns
        -------
        Graph
            On engine "ranks". Each rank has the edges that enter its vertices, a contiguous range;
            the ranges have nearly equal numbers of edges.

        Raises
        ------
        DomainMismatch, EngineMismatch
            On some rank `G` is neither None nor a graph on engine "cpu".
        InvalidValue
            No rank has a graph, or the ranks have different ones.
        """
        communicator = self.communicator
        communicator.guarded("distribute", lambda: _check(G))
        shape = (-1, -1) if G is None else (G.n, G.A.nvals)
        sizes, entries = communicator.gather_words("distribute", *shape)
        owners = np.flatnonzero(sizes >= 0)
        if not owners.size:
            raise InvalidValue("no rank has a graph")
        if len(set(zip(sizes[owners], entries[owners], strict=True))) > 1:
            raise InvalidValue(
                f"the ranks have different graphs, of {sizes[owners].tolist()} vertices and "
                f"{entries[owners].tolist()} entries"
            )
        checksum = communicator.guarded("distribute", lambda: 0 if G is None else _checksum(G))
        if len(set(communicator.gather_words("distribute", checksum).first[owners])) > 1:
            raise InvalidValue(
                "the ranks have different graphs, such as random ones without a common seed"
            )
        root = int(owners[0])
        facts = None
        if G is not None and self.rank == root:
            degrees = G.in_degree.to_dense()
            boundaries = balanced_boundaries(degrees, self.size, communicator.blocks.alignment)
            facts = (G.kind, G.dtype.name, G._input_edges, boundaries)
        kind, dtype, input_edges, boundaries = communicator.broadcast("distribute", facts, root)
        n = int(sizes[root])
        layout = Layout(communicator, Grid(self.size, 1), {n: boundaries})
        if owners.size == self.size and G is not None:
            mine = G
            block = communicator.guarded("distribute", lambda: _own_block(mine, layout))
        else:
            block = self._scattered(G if self.rank == root else None, layout, kind, dtype, n)
        return self._graph(layout, block, kind, n, input_edges)

    def read(self, path: Any, **options: Any) -> Graph:
        """Read a graph from a file, in blocks of the ranks.

        Rank 0 reads the file and sends the others their blocks, so its memory has to take all of
        the graph; no format is read in parts yet.

        Parameters
        ----------
        path : path_like
        **options
            As of :func:`graphla.read`.

        Returns
        -------
        Graph
            As of :meth:`distribute`.

        Raises
        ------
        ReadError, FileNotFoundError
            As of :func:`graphla.read`, on all ranks.
        """
        work = (lambda: read(path, **options)) if self.rank == 0 else (lambda: None)
        return self.distribute(self.communicator.guarded("read", work))

    def _scattered(self, G: Graph | None, layout: Layout, kind: str, dtype: str, n: int) -> Any:
        """Return this rank's block of a graph that one rank has."""
        axis = _axis(kind)
        asarray = layout.blocks.xp.asarray
        ends: Any = [np.empty(0, np.int64)] * 2
        values: Any = np.empty(0, gb.dtypes.lookup_dtype(dtype).np_type)
        if G is not None:
            *ends, values = (G.A.T if axis else G.A).to_coo()  # in the order of the owners
            ends = ends[::-1] if axis else ends
        ends = [asarray(x.astype(np.int64)) for x in ends]
        return owned_block(layout, "distribute", ends, asarray(values), dtype, (n, n), axis)

    def _graph(self, layout: Layout, block: Any, kind: Any, n: int, input_edges: Any) -> Graph:
        """Return the graph of which each rank has a block; its text needs no communication."""
        agree_on_memory(self.communicator)
        A = Matrix._of(layout, block, (n, n), _axis(kind), symmetric=kind == "undirected")
        H = Graph.__new__(Graph)
        H.__setstate__((A, kind))
        if input_edges is not None:
            H._record_input_edges(input_edges)
        A.nvals
        return H.cache("nself_edges")


def _check(G: Any) -> None:
    if G is None:
        return
    if not isinstance(G, Graph):
        raise DomainMismatch(f"distribute takes a graphla.Graph or None, not {type(G).__name__}")
    if G.engine != "cpu":
        raise EngineMismatch(f"distribute takes a graph on engine 'cpu', not {G.engine!r}")


def _checksum(G: Graph) -> int:
    """Return a number that tells different graphs apart, with a chance of 1 in 2^32 to err."""
    number = crc32(f"{G.kind} {G.dtype}".encode())
    for array in G.A.to_csr(sort=True):
        number = crc32(np.ascontiguousarray(array).view(np.uint8).data, number)
    return number


def _axis(kind: str) -> int:
    """Return the cut of an adjacency matrix: columns, or rows where these are the same."""
    return 0 if kind == "undirected" else 1


def _own_block(G: Graph, layout: Layout) -> Any:
    first, last = layout.piece(G.n)
    piece = slice(first, last)
    own = (G.A[piece, :] if _axis(G.kind) == 0 else G.A[:, piece]).new()
    return layout.blocks.from_host(own)
