"""Edge columns to an adjacency matrix: check, symmetrise, combine duplicates."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np
from graphblas import Matrix, binary

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidIndex

DUP_RULES = {
    "min": binary.min,
    "max": binary.max,
    "sum": binary.plus,
    "first": binary.first,
    "last": binary.second,
}


def adjacency(
    src: Any, dst: Any, weight: Any = None, *, n: int | None = None, kind: str = "directed",
    dup: str | None = "min",
) -> Any:  # fmt: skip
    """Build the adjacency matrix of the edges src[k] -> dst[k]."""
    src, dst = np.asarray(src), np.asarray(dst)
    if src.ndim != 1 or src.shape != dst.shape:
        raise DimensionMismatch(f"src and dst differ: {src.shape} and {dst.shape}")
    if src.size and (src.dtype.kind not in "iu" or dst.dtype.kind not in "iu"):
        raise DomainMismatch(f"vertices are integers, not {src.dtype} and {dst.dtype}")
    if dup is not None and dup not in DUP_RULES:
        raise InvalidGraph(f"dup must be one of {tuple(DUP_RULES)} or None, not {dup!r}")
    top = int(max(src.max(), dst.max())) + 1 if src.size else 0
    n = top if n is None else n
    if src.size and (min(src.min(), dst.min()) < 0 or top > n):
        raise InvalidIndex(f"vertices must lie in 0..{n - 1}")
    values = True if weight is None else np.asarray(weight)
    if kind == "undirected":
        lo, hi = np.minimum(src, dst), np.maximum(src, dst)
        src, dst = lo, hi
    try:
        A = Matrix.from_coo(
            src,
            dst,
            values,
            nrows=n,
            ncols=n,
            dup_op=None if dup is None or values is True else DUP_RULES[dup],
        )
    except gb.exceptions.InvalidValue:
        raise InvalidGraph("an edge occurs twice; pass dup=") from None
    if kind == "undirected":
        A(binary.second) << A.T
    return A
