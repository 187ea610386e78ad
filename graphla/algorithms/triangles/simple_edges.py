"""The edges of a simple graph: what is left of an adjacency matrix without its self-loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, unary
from graphblas.dtypes import INT64

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def simple_edges(G: Graph) -> Any:
    """Return the matrix of a graph without self-loops: `G.A` itself where there are none."""
    return G.A.select(select.offdiag, 0).new() if G.nself_edges else G.A


def both_directions(G: Graph) -> Any:
    """Return A + A' of ones, INT64 and without self-loops: 2 where edges lead both ways."""
    ones = simple_edges(G).apply(unary.one).new(INT64)
    return ones.ewise_add(ones.T, binary.plus).new()
