"""Membership: labels of vertices as a matrix with one entry a row.

S(i, label(i)) = 1;      S' x sums x over each label's vertices, S y gives all of them y
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import indexunary, semiring
from graphblas.dtypes import BOOL, INT64

if TYPE_CHECKING:
    from graphla.graph import Graph

min_second = semiring.min_second[INT64]


def membership(G: Graph, label: Any, ncols: int | None = None) -> Any:
    """Return the Boolean matrix S of an INT64 Vector with all entries; n columns by default."""
    S = G.matrix(BOOL, label.size, ncols)
    rows, columns = label.to_coo()
    S.build(rows, columns, [True] * label.size)
    return S


def numbered(G: Graph, size: int) -> Any:
    """Return the INT64 Vector 0, 1, ..., size - 1."""
    index = G.vector(INT64, size)
    index << 0
    index << index.apply(indexunary.rowindex)
    return index


def smallest_members(G: Graph, S: Any) -> Any:
    """Return for each row the smallest of those with the same label."""
    smallest = S.T.mxv(numbered(G, S.nrows), min_second).new()
    return S.mxv(smallest, min_second).new()
