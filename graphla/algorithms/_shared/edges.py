"""Selections and patterns of a graph's edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring, unary
from graphblas.dtypes import BOOL, INT64

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def remove_self_loops(G: Graph) -> Any:
    """Return the matrix of a graph without self-loops: `G.A` itself if it has none."""
    return G.A.select(select.offdiag, 0).new() if G.nself_edges else G.A


def add_transpose(G: Graph) -> Any:
    """Return A + A' of ones, INT64 and without self-loops: 2 if edges lead both ways."""
    ones = remove_self_loops(G).apply(unary.one).new(INT64)
    return ones.ewise_add(ones.T, binary.plus).new()


def make_pattern(G: Graph, dtype: Any, value: Any) -> Any:
    """Return a Matrix with the entries of `G.A`, all of one value."""
    pattern = G.matrix(dtype)
    pattern(G.A.S) << value
    return pattern


def select_edges_within(A: Any, label: Any) -> Any:
    """Return the edges whose ends have equal labels, as a BOOL Matrix.

    L any.first A any.= L,    L = diag(label)
    """
    L = label.diag()
    labelled = L.mxm(A, semiring.any_first[L.dtype]).new()
    equal = labelled.mxm(L, semiring.any_eq[L.dtype]).new()
    return equal.select(select.valueeq[BOOL], True).new()


def count_successors(A: Any, full: Any) -> Any:
    """Return the out-degree of each vertex in the dtype of `full`, any Vector with all entries."""
    degree = full.dup()
    degree << 0
    degree(binary.second) << A.mxv(full, semiring.plus_pair[INT64])
    return degree
