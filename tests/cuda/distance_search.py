"""One step of a shortest-path search as a sequence of statements, on either engine."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from graphblas import binary, select, semiring, unary

from graphla.cuda import to_graphblas
from graphla.execution import hints
from tests.graphs import random_graph


class Search:
    """The vectors of a search for distances and the statements of one step."""

    def __init__(self, G, T, bound, source=0):
        self.near, self.r, self.far = (G.vector(T) for _ in range(3))
        self.better, self.d = G.vector("BOOL"), G.vector(T)
        self.bound = G.scalar(T)
        self.bound.value = bound
        hints.set_storage_hint(self.d, form="full")
        hints.set_storage_hint(self.near, self.r, self.better, form="sparse")
        self.d << 100
        self.d[source] = self.near[source] = 0
        product = self.near.vxm(G.A, semiring.min_plus[T])
        self.statements = [
            (self.r, product),
            (self.better, self.r.ewise_mult(self.d, binary.lt[T])),
            (self.near(self.better.V, replace=True), self.r.select(select.valuele[T], self.bound)),
            (self.d(binary.min[T]), self.r.apply(unary.identity[T])),
        ]

    def vectors(self):
        return self.near, self.r, self.better, self.d, self.far


def same(ours, theirs):
    return all(
        to_graphblas(x).isequal(y, check_dtype=True)
        for x, y in zip(ours.vectors(), theirs.vectors(), strict=True)
    )


def graph(T):
    return random_graph(60, 130, dtype=np.dtype(gb.dtypes.lookup_dtype(T).np_type).name, high=9)
