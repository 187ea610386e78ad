"""Membership: the labels of vertices as a matrix with one entry per row.

    S(i, label(i)) = 1

S' x sums x over the vertices of each label; S y assigns y(label(i)) to vertex i.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import semiring
from graphblas.dtypes import BOOL

from graphla.algorithms._shared.vectors import make_index_vector

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def make_membership(G: Graph, label: Any, ncols: int | None = None) -> Any:
    """Return the Boolean matrix S of a Vector of labels with all entries; n columns by default."""
    S = G.matrix(BOOL, label.size, ncols)
    rows, columns = label.to_coo()
    S.build(rows, columns, [True] * label.size)
    return S


def find_smallest_members(G: Graph, S: Any) -> Any:
    """Return, for each vertex, the smallest vertex with the same label."""
    min_second = semiring.min_second[G.index_dtype]
    smallest = S.T.mxv(make_index_vector(G, S.nrows), min_second).new()
    return S.mxv(smallest, min_second).new()
