"""A graph as a list of triples: each row of three tables is the ends and the weight of an arc.

Vertices are 1..n, written in as many bits as n takes; 0 is not a vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core import validation
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue
from graphla.star.bits import check_integer, check_length
from graphla.star.procedures import match
from graphla.star.slices import Slice, Word
from graphla.star.table import Table


def check_vertex(v: Any, n: int, name: str = "vertex") -> int:
    """Return a vertex as an int in 1..n."""
    v = check_integer(v, name)
    if not 1 <= v <= n:
        raise InvalidIndex(f"{name} {v} is out of range 1..{n}")
    return v


def check_weight(w: Any, bits: int) -> int:
    """Return a weight as an int that fits `bits` bits."""
    w = check_integer(w, "weight")
    if w < 0 or w >> bits:
        raise InvalidValue(f"weight {w} is out of range 0..{2**bits - 1}")
    return w


class Arcs:
    """Up to `capacity` arcs between n vertices; edges are arcs whose direction is ignored.

    Parameters
    ----------
    n : int
        Number of vertices.
    capacity : int
        Number of rows.
    bits : int
        Columns of a weight, which is an integer >= 0.
    engine : {"cpu", "cuda"}

    Attributes
    ----------
    left, right : Table
        The ends of each arc, which leads from left to right; of an edge, in any order.
    weight : Table
    used : Slice
        The rows that are in use.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> E = Arcs.from_edges([1, 1, 2], [2, 3, 3], [5, 1, 4])
    >>> E.leaving(1), E.entering(3), E.ends(3)
    (Slice('110'), Slice('011'), (2, 3))
    """

    __slots__ = ("engine", "left", "n", "right", "used", "weight")

    def __init__(self, n: int, capacity: int, bits: int, *, engine: str = "cpu") -> None:
        self.n, self.engine = check_length(n), engine
        vertex_bits = self.n.bit_length()
        self.left, self.right = (Table(capacity, vertex_bits, engine=engine) for _ in range(2))
        self.weight = Table(capacity, bits, engine=engine)
        self.used = Slice(capacity, engine=engine)

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        weight: Any = None,
        *,
        n: int | None = None,
        bits: int | None = None,
        capacity: int | None = None,
        engine: str = "cpu",
    ) -> Arcs:
        """Return the arcs of columns src, dst and weight.

        Parameters
        ----------
        src, dst : 1-D array_like of integers
            The ends, vertices of 1..n.
        weight : 1-D array_like of integers >= 0, optional
            1 by default.
        n, bits, capacity : int, optional
            By default the largest vertex, the bits of the largest weight, and the number of
            arcs.
        engine : {"cpu", "cuda"}

        Raises
        ------
        DimensionMismatch
            The columns differ in length, or there are more arcs than `capacity`.
        DomainMismatch
            A column is not of integers.
        InvalidIndex, InvalidValue
            A vertex is out of range 1..n; a weight is negative or does not fit.
        """
        src, dst = _integer_column(src, "src"), _integer_column(dst, "dst")
        w = np.ones(src.size, np.int64) if weight is None else _integer_column(weight, "weight")
        if not src.size == dst.size == w.size:
            raise DimensionMismatch(f"{src.size} src, {dst.size} dst and {w.size} weights")
        ends = np.concatenate([src, dst])
        low, high = (int(ends.min()), int(ends.max())) if ends.size else (1, 0)
        n = high if n is None else check_length(n)
        if low < 1 or high > n:
            raise InvalidIndex(f"vertex {low if low < 1 else high} is out of range 1..{n}")
        bits = max(1, int(w.max(initial=0)).bit_length()) if bits is None else bits
        rows = src.size if capacity is None else check_length(capacity, "capacity")
        if rows < src.size:
            raise DimensionMismatch(f"{src.size} arcs do not fit capacity={rows}")
        E = cls.__new__(cls)
        E.n, E.engine = n, engine
        E.left, E.right, E.weight = (
            Table.from_integers(np.pad(x, (0, rows - x.size)), k).to(engine)
            for x, k in ((src, n.bit_length()), (dst, n.bit_length()), (w, bits))
        )
        E.used = Slice.from_numpy(np.arange(rows) < src.size, engine=engine)
        return E

    @classmethod
    def from_graph(cls, G: Any, *, bits: int | None = None, capacity: int | None = None) -> Arcs:
        """Return the arcs of a graph, on its engine.

        Vertex v becomes v + 1; an undirected edge is one row.
        """
        validation.check_graph(G)
        src, dst, w = (x.get() if hasattr(x, "get") else x for x in G.A.to_coo())
        kept = src <= dst if G.kind == "undirected" else np.ones(src.size, bool)
        weight = w[kept] if G.weighted else None
        return cls.from_edges(
            src[kept] + 1, dst[kept] + 1, weight,
            n=G.n, bits=bits, capacity=capacity, engine=G.engine,
        )  # fmt: skip

    @property
    def capacity(self) -> int:
        """Number of rows."""
        return self.used.n

    def copy(self) -> Arcs:
        """Return a copy."""
        E = Arcs.__new__(Arcs)
        E.n, E.engine = self.n, self.engine
        for name in ("left", "right", "weight", "used"):
            setattr(E, name, getattr(self, name).copy())
        return E

    def leaving(self, v: int, X: Slice | None = None) -> Slice:
        """Return the rows of X, by default of `used`, whose left end is v."""
        return match(self.left, v, self.used if X is None else X)

    def entering(self, v: int, X: Slice | None = None) -> Slice:
        """Return the rows of X, by default of `used`, whose right end is v."""
        return match(self.right, v, self.used if X is None else X)

    def touching(self, v: int, X: Slice | None = None) -> Slice:
        """Return the rows of X, by default of `used`, with an end v."""
        return self.leaving(v, X) | self.entering(v, X)

    def ends(self, row: int) -> tuple[int, int]:
        """Return both ends of the arc in a row."""
        return int(self.left.row(row)), int(self.right.row(row))

    def across(self, row: int, v: int) -> int:
        """Return the end of the arc in a row that is not v (v for a loop)."""
        u, w = self.ends(row)
        return w if u == v else u

    def find(self, u: int, v: int) -> int:
        """Return the row of the first arc from u to v; 0 if there is none."""
        return int(self.entering(v, self.leaving(u)).find())

    def insert(self, u: int, v: int, w: int) -> int:
        """Write an arc to the first free row, and return that row."""
        u, v = check_vertex(u, self.n), check_vertex(v, self.n)
        w = check_weight(w, self.weight.bits)
        row = int((~self.used).find())
        if not row:
            raise InvalidValue(f"all {self.capacity} rows are in use")
        for table, value in ((self.left, u), (self.right, v), (self.weight, w)):
            table.set_row(row, Word.from_integer(value, table.bits, engine=self.engine))
        self.used[row] = True
        return row

    def delete(self, row: int) -> None:
        """Free a row."""
        self.used[row] = False

    def __repr__(self) -> str:
        return f"<Arcs: {self.n:,} vertices, {int(self.used.count()):,} arcs, {self.engine}>"


def _integer_column(x: Any, name: str) -> Any:
    """Return a column of integers as UINT64 or INT64."""
    x = np.asarray(x)
    if x.ndim != 1:
        raise DimensionMismatch(f"{name} has {x.ndim} dimensions, not 1")
    if x.size and x.dtype.kind not in "iub":
        raise DomainMismatch(f"{name} must be integers, not {x.dtype}")
    return x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
