"""A distributed graph from edges that the ranks read in pieces: two passes over the files.

The first pass counts: the number of vertices, the dtype of the weights, and how many edges end in
each range of vertices, from which follow the boundaries of the ranks and the exact number of
entries that each rank will get from each other. The second pass reads again, and each piece goes to
the owners of its edges, into arrays of these lengths. So a rank has its own entries, twice while it
sorts them, and one piece. The entries lie in the order of the files: duplicates combine as in one
process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from graphla.core.edge_list import almost_empty_text, assemble, is_almost_empty
from graphla.core.graph import Kind
from graphla.core.memory import require
from graphla.errors import InvalidValue, ReadError
from graphla.ranks.blocks.engine import index_type
from graphla.ranks.collectives.communicator import split
from graphla.ranks.collectives.memory import available
from graphla.ranks.files.edge_file import Columns
from graphla.ranks.layout import Cut, Grid, Layout, balanced_boundaries

RANGES = 1 << 16  # ranges of vertices whose edges are counted
KEY = 8  # bytes of an entry while the entries are sorted
WIDENING = ("int64", "uint64", "float64")  # dtypes of integers and decimals in text

# reads this rank's edges from the start, with weights of a dtype (None: what they need)
Reader = Callable[[Any, int | None], Iterator[Columns]]


class EndCounts:
    """How many entries belong to each of at most `RANGES` ranges of vertices.

    Attributes
    ----------
    shift : int
        Range k has the vertices v with ``v >> shift == k``.
    counts : array of int64, shape (RANGES,)
    """

    def __init__(self) -> None:
        self.shift, self.counts = 0, np.zeros(RANGES, np.int64)

    def add(self, ends: Any) -> None:
        """Count vertices."""
        if ends.size:
            self.widen((int(ends.max()) // RANGES).bit_length())
            self.counts += np.bincount(ends >> self.shift, minlength=RANGES)

    def widen(self, shift: int) -> None:
        """Make the ranges at least ``2 ** shift`` vertices long."""
        if shift > self.shift:
            shift = min(shift, 63)
            merged = np.add.reduceat(
                self.counts, np.arange(0, RANGES, min(1 << (shift - self.shift), RANGES))
            )
            self.counts = np.zeros(RANGES, np.int64)
            self.counts[: merged.size] = merged
            self.shift = shift


class Count(NamedTuple):
    """What the first pass finds on one rank."""

    top: int  # the largest vertex, -1 without edges
    edges: int
    pieces: int
    dtype: str | None  # of the weights; None without edges or weights


def distributed_graph(
    ranks: Any, reader: Reader, *, n: int | None, kind: Kind, dup: str | None, dtype: Any,
    weighted: bool, name: str,
) -> Any:  # fmt: skip
    """Return the graph of the edges that all ranks read; called by all together.

    Parameters
    ----------
    ranks : Ranks
    reader : Reader
    n : int or None
        Number of vertices; None: the largest vertex + 1.
    kind : {"directed", "undirected"}
    dup : {"min", "max", "sum", "first", "last"} or None
        As of :func:`graphla.read`.
    dtype : numpy.dtype or None
        Of the weights; None: what the weights of all ranks need.
    weighted : bool
        Whether there are weights.
    name : str
        Of the files, for errors.
    """
    communicator = ranks.communicator
    ends = EndCounts()
    mine = communicator.guarded("read", lambda: _count(reader(dtype, n), ends, kind))
    found: list[Count] = communicator.gather_objects("count edges", mine)
    edges, top = sum(x.edges for x in found), max(x.top for x in found)
    if n is None:
        n = top + 1
        if edges and is_almost_empty(n, edges):
            raise ReadError(
                name, None, f"expected vertices 0 to n-1; found {top:,}: {almost_empty_text(n)}"
            )
    if weighted and dtype is None:
        names = (x.dtype for x in found if x.dtype is not None)
        dtype = np.dtype(max(names, key=WIDENING.index, default="int64"))
    if not weighted or dtype.kind == "b":
        dtype = None

    layout, senders = _shares(communicator, ends, n)
    block = _filled(
        layout, reader(dtype, n), rounds=max(x.pieces for x in found), n=n, kind=kind, dup=dup,
        dtype=dtype, senders=senders,
    )  # fmt: skip
    name_of_dtype = "bool" if dtype is None else dtype.name
    H = ranks.adopt(block, Cut(kind, name_of_dtype, n, layout.boundaries(n), edges))
    if dup is None and H.nmerged:
        raise ReadError(
            name, None, f"expected each edge once; of {edges:,} edges {H.nmerged:,} repeat another "
            "one; dup='min', or max, sum, first or last, combines duplicates",
        )  # fmt: skip
    return H


def _count(pieces: Iterator[Columns], ends: EndCounts, kind: str) -> Count:
    top, edges, count, dtype = -1, 0, 0, None
    for src, dst, weight in pieces:
        count += 1
        if not src.size:
            continue
        edges += src.size
        top = max(top, int(src.max()), int(dst.max()))
        ends.add(dst)
        if kind == "undirected":
            ends.add(src[src != dst])
        if weight is not None:
            names = (weight.dtype.name, dtype or weight.dtype.name)
            dtype = names[0] if len(set(names)) == 1 else max(names, key=WIDENING.index)
    return Count(top, edges, count, dtype)


def _shares(communicator: Any, ends: EndCounts, n: int) -> tuple[Layout, Any]:
    """Return a layout with nearly equal shares, and how many entries come from each rank."""
    alignment = communicator.blocks.alignment
    ends.widen(max((max(n - 1, 0) // RANGES).bit_length(), (alignment - 1).bit_length()))
    width = 1 << ends.shift
    used = -(-n // width)
    by_rank = np.stack(communicator.gather_objects("count edges", ends.counts[:used]))
    starts = np.minimum(np.arange(used + 1, dtype=np.int64) * width, n)
    cuts = balanced_boundaries(by_rank.sum(axis=0) + np.diff(starts) - 1, communicator.size)
    layout = Layout(communicator, Grid(communicator.size, 1), {n: starts[cuts]})
    first, last = cuts[communicator.rank : communicator.rank + 2]
    return layout, by_rank[:, first:last].sum(axis=1)


def _filled(
    layout: Layout, pieces: Iterator[Columns], *, rounds: int, n: int, kind: str,
    dup: str | None, dtype: Any, senders: Any,
) -> Any:  # fmt: skip
    """Return this rank's block, of entries that arrive from `senders` in known numbers."""
    communicator = layout.communicator
    index = index_type(n)
    types = [index, index, *([] if dtype is None else [dtype])]
    total = int(senders.sum())

    def allocate() -> list[Any]:
        nbytes = total * (sum(np.dtype(x).itemsize for x in types) + 2 * KEY)
        require(nbytes, available(), f"a block of {total:,} entries, while it is built")
        return [np.empty(total, x) for x in types]

    columns = communicator.guarded("allocate", allocate)
    ends = np.cumsum(senders)
    places = ends - senders  # where the next entries of each rank go
    for _ in range(rounds):
        counts, sent = communicator.guarded("read", lambda: _piece(layout, pieces, n, kind, types))
        received, arrived = communicator.exchange("edges", counts, sent)
        for column, values in zip(columns, received, strict=True):
            parts = split(layout.blocks.to_host(values), arrived)
            for first, part in zip(places.tolist(), parts, strict=True):
                column[first : first + part.size] = part
        places += arrived
    return communicator.guarded("build", lambda: _block(layout, columns, n, kind, dup))


def _piece(
    layout: Layout, pieces: Iterator[Columns], n: int, kind: str, types: list[Any]
) -> tuple[Any, list[Any]]:
    """Return the entries of the next piece by owner: their numbers, owned ends, others, weights."""
    none = np.empty(0, np.int64)
    src, dst, *weights = next(pieces, Columns(none, none, none))[: len(types)]
    columns = [dst, src, *weights]
    if kind == "undirected":  # both directions of an edge stay together, so order is kept
        keep = np.ones(2 * src.size, bool)
        keep[1::2] = src != dst
        both = [np.stack(ends, 1) for ends in ((src, dst), (dst, src))]
        both += [np.repeat(x, 2) for x in weights]
        columns = [x.reshape(-1)[keep] for x in both]
    owners = np.searchsorted(layout.boundaries(n)[1:], columns[0], side="right")
    order = np.argsort(owners, kind="stable")
    sent = [x[order].astype(dtype, copy=False) for x, dtype in zip(columns, types, strict=True)]
    asarray = layout.blocks.xp.asarray
    return np.bincount(owners, minlength=layout.communicator.size), [asarray(x) for x in sent]


def _block(layout: Layout, columns: list[Any], n: int, kind: str, dup: str | None) -> Any:
    own, other, *values = columns
    first, last = layout.piece(n)
    own -= own.dtype.type(first)
    try:
        rows = assemble(own, other, *values, n=n, dup=dup or "first", nrows=last - first)
    except InvalidValue:  # its positions are those of this rank's entries
        raise InvalidValue(
            f"dup='sum': the weights of an edge sum to more than {values[0].dtype} holds"
        ) from None
    return rows if kind == "undirected" else rows.T.new()
