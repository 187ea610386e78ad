"""Vectors with all entries, on the engine of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary
from graphblas.dtypes import FP64

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def make_full_vector(G: Graph, dtype: Any, value: Any = 0, size: int | None = None) -> Any:
    """Return a Vector whose entries all have one value; length n by default."""
    x = G.vector(dtype, size)
    x << value
    return x


def make_index_vector(G: Graph, size: int, dtype: Any = None) -> Any:
    """Return the Vector 0, 1, ..., size - 1; of dtype ``G.index_dtype`` by default."""
    x = make_full_vector(G, dtype or G.index_dtype, 0, size)
    x << x.apply(indexunary.rowindex[x.dtype])
    return x


def divide_or_zero(x: Any, y: Any) -> Any:
    """Return x / y in FP64 with all entries; 0 unless y > 0."""
    quotient = x.dup(FP64, clear=True)
    quotient << 0.0
    positive = y.select(">", 0).new()
    quotient(positive.S) << x.ewise_mult(positive, binary.truediv[FP64])
    return quotient
