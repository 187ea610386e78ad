"""Shortest paths from one vertex as tables, and the relaxation of arcs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.core.validation import index_dtype
from graphla.errors import DomainMismatch
from graphla.star.arcs import check_vertex
from graphla.star.procedures import add, less, merge
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.weights import Weights


class Paths(NamedTuple):
    """Distance and parent of each vertex, one row for each; `reached` marks the valid rows.

    A distance d is stored as d + `bias`. The source is its own parent.
    """

    distance: Table
    parent: Table
    reached: Slice
    bias: int

    @classmethod
    def start(cls, W: Weights, s: int, extra_bits: int) -> Paths:
        """Return the paths that reach only the source.

        Distances have `extra_bits` more bits than weights.
        """
        if not isinstance(W, Weights):
            raise DomainMismatch(f"expected Weights, not {type(W).__name__}")
        s = check_vertex(s, W.n, "source")
        bits, engine = W.bits + extra_bits, W.engine
        paths = cls(
            Table(W.n, bits, engine=engine),
            Table(W.n, W.n.bit_length(), engine=engine),
            Slice(W.n, engine=engine),
            1 << bits - 1 if W.signed else 0,
        )
        paths.distance.set_row(s, Word.from_integer(paths.bias, bits, engine=engine))
        paths.parent.set_row(s, paths.vertex_word(s))
        paths.reached[s] = True
        return paths

    def vertex_word(self, v: int) -> Word:
        """Return a vertex as a word."""
        return Word.from_integer(v, self.parent.bits, engine=self.parent.engine)

    def relax(self, W: Weights, v: int, X: Slice) -> Slice:
        """Relax the arcs from v to vertices of X; return those whose distance decreased."""
        arcs = W.has(v) & X
        to_v = self.distance.row(v)
        bias = Word.from_integer(W.bias, to_v.n, engine=W.engine)
        through = add(W.field(v), to_v.subt(bias), arcs, bits=to_v.n)
        better = less(through, self.distance, arcs) | (arcs - self.reached)
        merge(through, better, self.distance)
        merge(self.vertex_word(v), better, self.parent)
        reached = self.reached
        reached |= better
        return better

    def to_numpy(self) -> tuple[Any, Any, Any]:
        """Return distances, parents (vertices of 1..n), and a Boolean array of reached vertices.

        Distances of up to 64 bits are int64, wider ones Python integers; parents are int32
        if n fits, else int64.
        """
        reached, dtype = self.reached.to_numpy(), index_dtype(self.parent.n + 1).np_type
        distance, parent = self.distance.to("cpu"), self.parent.to("cpu").to_integers()
        if distance.bits <= 64:
            d = (distance.to_integers() - np.uint64(self.bias)).view(np.int64)
        else:
            rows = (int(distance.row(i)) - self.bias for i in range(1, distance.n + 1))
            d = np.array([*rows], object)
        return np.where(reached, d, 0), np.where(reached, parent, 0).astype(dtype), reached
