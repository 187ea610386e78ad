"""Shortest paths from one vertex as tables, and the step that improves them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.core.input_arrays import index_dtype
from graphla.errors import DomainMismatch
from graphla.star.arcs import check_vertex
from graphla.star.procedures import add, less, merge
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.weights import Weights


class Paths(NamedTuple):
    """Distance and parent of each vertex, a row each; `reached` says which rows count.

    A distance d is written as d + `bias`. The source is its own parent.
    """

    distance: Table
    parent: Table
    reached: Slice
    bias: int

    @classmethod
    def start(cls, W: Weights, s: int, more: int) -> Paths:
        """Return what is known at first: the source; distances have `more` bits than weights."""
        if not isinstance(W, Weights):
            raise DomainMismatch(f"expected Weights, not {type(W).__name__}")
        s = check_vertex(s, W.n, "source")
        bits, engine = W.bits + more, W.engine
        paths = cls(
            Table(W.n, bits, engine=engine),
            Table(W.n, W.n.bit_length(), engine=engine),
            Slice(W.n, engine=engine),
            1 << bits - 1 if W.signed else 0,
        )
        paths.distance.set_row(s, Word.from_integer(paths.bias, bits, engine=engine))
        paths.parent.set_row(s, paths.code(s))
        paths.reached[s] = True
        return paths

    def code(self, v: int) -> Word:
        """Return a vertex as a word."""
        return Word.from_integer(v, self.parent.bits, engine=self.parent.engine)

    def relax(self, W: Weights, v: int, X: Slice) -> Slice:
        """Go from v along its arcs to rows of X; return the rows that are nearer than before."""
        arcs = W.has(v) & X
        so_far = self.distance.row(v)
        bias = Word.from_integer(W.bias, so_far.n, engine=W.engine)
        through = add(W.field(v), so_far.subt(bias), arcs, bits=so_far.n)
        better = less(through, self.distance, arcs) | (arcs - self.reached)
        merge(through, better, self.distance)
        merge(self.code(v), better, self.parent)
        reached = self.reached
        reached |= better
        return better

    def to_numpy(self) -> tuple[Any, Any, Any]:
        """Return distances, parents (vertices of 1..n), and which vertices are reached.

        Distances of up to 64 bits are int64, wider ones Python's integers; parents are int32
        where that holds n, else int64.
        """
        reached, dtype = self.reached.to_numpy(), index_dtype(self.parent.n + 1).np_type
        distance, parent = self.distance.to("cpu"), self.parent.to("cpu").to_integers()
        if distance.bits <= 64:
            d = (distance.to_integers() - np.uint64(self.bias)).view(np.int64)
        else:
            rows = (int(distance.row(i)) - self.bias for i in range(1, distance.n + 1))
            d = np.array([*rows], object)
        return np.where(reached, d, 0), np.where(reached, parent, 0).astype(dtype), reached
