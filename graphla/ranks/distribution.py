"""Graphs whose adjacency matrix lies in blocks on ranks."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import graphblas as gb
import numpy as np

from graphla.core.display import hides_progress
from graphla.core.graph import Graph
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue
from graphla.ranks import files
from graphla.ranks.collectives.communicator import Communicator
from graphla.ranks.collectives.exchange import owned_block
from graphla.ranks.collectives.memory import agree_on_memory
from graphla.ranks.layout import Cut, Grid, Layout
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
        hides_progress.set(self.rank > 0)  # of the thread in which this rank runs

    def __repr__(self) -> str:
        return f"<Ranks: rank {self.rank} of {self.size}>"

    def distribute(self, G: Graph | None) -> Graph:
        """Return a graph in blocks of the ranks; algorithms take it as any other.

        Parameters
        ----------
        G : Graph or None
            On engine "cpu": the same graph on every rank, or None on all ranks but some, the
            first of which sends the others their blocks. Checksums show whether graphs are equal.

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
        if communicator.guarded("distribute", lambda: G is not None):
            communicator.guarded("distribute", lambda: check_local_graph(G))
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
        cut = None
        if G is not None and self.rank == root:
            cut = Cut.of(G, self.size, communicator.blocks.alignment)
        cut = communicator.broadcast("distribute", cut, root)
        if owners.size == self.size and G is not None:
            return self.adopt(cut.block(G, self.rank), cut)
        layout = self.layout_of(cut)
        block = self._scattered(G if self.rank == root else None, layout, cut)
        return self.graph_of(layout, block, cut)

    def adopt(self, block: Any, cut: Cut) -> Graph:
        """Return the graph of which each rank gives its block, a Matrix of python-graphblas."""
        layout = self.layout_of(cut)
        own = self.communicator.guarded("distribute", lambda: layout.blocks.from_host(block))
        return self.graph_of(layout, own, cut)

    def layout_of(self, cut: Cut) -> Layout:
        """Return the layout of a graph's objects."""
        return Layout(self.communicator, Grid(self.size, 1), {cut.n: cut.boundaries})

    def read(self, path: Any, **options: Any) -> Graph:
        """Read a graph from files, in blocks of the ranks.

        Edge lists and Parquet files are read by all ranks, each its part: edge lists in ranges of
        bytes, compressed ones as a whole, Parquet by row groups. In two passes over the files a
        rank has its own block and one piece of a file in memory, and never all of the graph. Other
        formats are read by rank 0, whose memory has to take all of the graph.

        Parameters
        ----------
        path : path_like or list of path_like
            A file, a pattern such as ``"edges/*.parquet"``, or a folder. Several files are edge
            lists, or Parquet files, of one format, and are one graph, in that order. All ranks must
            reach them.
        **options
            As of :func:`graphla.read`.

        Returns
        -------
        Graph
            As of :meth:`distribute`.

        Raises
        ------
        ReadError, FileNotFoundError
            As of :func:`graphla.read`, on all ranks; also if the files say different things of the
            graph, such as its number of vertices.
        OutOfMemory
            A block does not fit on its rank.
        """
        return files.read(self, path, **options)

    def _scattered(self, G: Graph | None, layout: Layout, cut: Cut) -> Any:
        """Return this rank's block of a graph that one rank has."""
        axis, n, dtype = cut.axis, cut.n, cut.dtype
        asarray = layout.blocks.xp.asarray
        ends: Any = [np.empty(0, np.int64)] * 2
        values: Any = np.empty(0, gb.dtypes.lookup_dtype(dtype).np_type)
        if G is not None:
            *ends, values = G.A.to_coo()  # rows ascend
        ends = [asarray(x.astype(np.int64)) for x in ends]
        return owned_block(
            layout, "distribute", ends, asarray(values), dtype, (n, n), axis, ascending=not axis
        )

    def graph_of(self, layout: Layout, block: Any, cut: Cut) -> Graph:
        """Return the graph of which each rank has a block; its text needs no communication."""
        agree_on_memory(self.communicator)
        symmetric = cut.kind == "undirected"
        A = Matrix._of(layout, block, (cut.n, cut.n), cut.axis, symmetric=symmetric)
        H = Graph.__new__(Graph)
        H.__setstate__((A, cut.kind))
        if cut.input_edges is not None:
            H._record_input_edges(cut.input_edges)
        A.nvals
        return H.cache("nself_edges")


def check_local_graph(G: Any) -> None:
    """Refuse what is no graph on engine "cpu"."""
    if not isinstance(G, Graph):
        raise DomainMismatch(f"distribute takes a graphla.Graph or None, not {type(G).__name__}")
    if G.engine != "cpu":
        raise EngineMismatch(f"distribute takes a graph on engine 'cpu', not {G.engine!r}")


def _checksum(G: Graph) -> int:
    """Return a checksum; different graphs have the same one with probability 2^-32."""
    number = crc32(f"{G.kind} {G.dtype}".encode())
    for array in G.A.to_csr(sort=True):
        number = crc32(np.ascontiguousarray(array).view(np.uint8).data, number)
    return number
