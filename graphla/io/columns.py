"""A graph from edge columns (src, dst, weight) and back: the part common to all file formats."""

from __future__ import annotations

from operator import index as as_index
from typing import Any, NoReturn, Protocol

import numpy as np
from graphblas import binary, select

from graphla.core.edge_list import almost_empty_text, is_almost_empty
from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.core.input_arrays import largest
from graphla.core.validation import real_dtype
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue
from graphla.suggestions import argument

MAX_N = 1 << 60  # SuiteSparse's largest dimension
PIECE = 1 << 16  # weights that are checked at a time, in cache

DTYPES = (  # dtypes of weights; "bool" means unweighted
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64"),
)

# end of the error of a vertex that is not a number
LABELS = (
    "; if vertices have labels, read the file by pandas, and "
    "gl.interop.pandas.from_edges(frame, src, dst) numbers them"
)


class RecordFailure(Protocol):
    """Raises the ReadError of a record: its line, and what was expected there."""

    def __call__(self, record: int, expected: str) -> NoReturn: ...


def edge_columns(G: Graph, half: str = "") -> tuple[Any, Any, Any]:
    """Return src, dst and weight (None if unweighted) in row order.

    `half`, "upper" or "lower", selects a triangle of the matrix of an undirected graph; by
    default its edges appear in both directions.
    """
    A = G.A
    if half and G.kind == "undirected":
        A = A.select(select.triu if half == "upper" else select.tril).new()
    src, dst, weight = on_host(A).to_coo()
    return signed(src), signed(dst), weight if G.weighted else None


def signed(indices: Any) -> Any:
    """Return indices, which are below 2^63, as int64; those of 64 bits are not copied."""
    return indices.view(np.int64) if indices.dtype == np.uint64 else indices.astype(np.int64)


def graph_from_columns(
    src: Any, dst: Any, weight: Any, *, n: int | None, kind: Any, dup: str | None,
    both_directions: bool, fail: RecordFailure,
) -> Graph:  # fmt: skip
    """Build the graph with edges src[k] -> dst[k] and vertices 0..n-1 (None: the largest + 1).

    With `both_directions` the file must contain every undirected edge in both directions, with
    equal weights; otherwise it contains one of them, and the other is a duplicate. `fail` is
    called for a NaN weight, for a duplicate edge if `dup` is None, and for a missing reverse edge.
    """
    check_no_nan(weight, fail)
    if n is None and src.size:
        _fail_if_almost_empty(src, dst, fail)
    mirror = kind == "undirected" and not both_directions
    built_kind: Any = "undirected" if mirror else "directed"
    G = Graph.from_edges(src, dst, weight, n=n, kind=built_kind, dup=dup or "first")
    if dup is None and G.nmerged:
        _fail_at_duplicate(src, dst, mirror, fail)
    if kind == "undirected" and both_directions:
        if not G.is_symmetric:
            _fail_at_one_way_edge(G, src, dst, fail)
        G = with_kind(G, "undirected", src, dst)
    return G


def check_no_nan(weight: Any, fail: RecordFailure) -> None:
    """Raise the ReadError of the first record whose weight is NaN."""
    if weight is not None and weight.dtype.kind == "f":
        for start in range(0, weight.size, PIECE):
            is_nan = np.isnan(weight[start : start + PIECE])
            if is_nan.any():
                record = start + int(is_nan.argmax())
                fail(record, "expected a number as weight; NaN weight")


def with_kind(G: Graph, kind: Any, src: Any, dst: Any) -> Graph:
    """Return the other kind of a graph with a symmetric matrix, built from `src` and `dst`.

    Its `nmerged` counts edges of that kind: two directed ones are an undirected one, except a
    self-loop.
    """
    other = Graph(G.A, kind=kind, copy=False)
    if G.nmerged:
        loops = int(np.count_nonzero(src == dst)) - G.nself_edges
        rest = G.nmerged - loops
        rest = 2 * rest if kind == "directed" else (rest + 1) // 2
        other._record_input_edges(other.nedges + loops + rest)
    return other


def _fail_if_almost_empty(src: Any, dst: Any, fail: RecordFailure) -> None:
    top = int(max(largest(src), largest(dst)))
    if is_almost_empty(top + 1, src.size):
        record = int(((src == top) | (dst == top)).argmax())
        fail(record, f"expected vertices 0 to n-1; found {top:,}: {almost_empty_text(top + 1)}")


def _fail_at_duplicate(src: Any, dst: Any, undirected: bool, fail: RecordFailure) -> NoReturn:
    low, high = (np.minimum(src, dst), np.maximum(src, dst)) if undirected else (src, dst)
    order = np.lexsort((high, low))
    is_repeated = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    k = order[1:][is_repeated].min()
    edge = f"{src[k]} {'--' if undirected else '->'} {dst[k]}"
    fail(
        int(k),
        f"expected each edge once; {edge} (vertices from 0) occurs again: of {src.size:,} edges "
        f"{np.count_nonzero(is_repeated):,} repeat another one; "
        f"{argument('dup', 'min')}, or max, sum, first or last, combines duplicates",
    )


def _fail_at_one_way_edge(G: Graph, src: Any, dst: Any, fail: RecordFailure) -> NoReturn:
    one_way = G.A.dup(mask=~G.AT.S)
    if one_way.nvals == 0:  # all edges have a reverse, but some with another weight
        one_way = G.A.ewise_mult(G.AT, binary.ne).new().select(select.valueeq, True).new()
    rows, cols, _ = one_way.to_coo()
    k = int(np.flatnonzero((src == rows[0]) & (dst == cols[0]))[0])
    fail(
        k,
        "expected each edge of an undirected graph in both directions with one weight; "
        f"{src[k]} -> {dst[k]} (vertices from 0) has no such reverse",
    )


def cast_weights(values: Any, dtype: np.dtype) -> tuple[Any, Any]:
    """Return `values` in `dtype`, and the positions of those that it does not represent.

    For Boolean the values are None: all weights must be 1. Rounding to a float dtype is allowed
    for floats, overflow is not; integers must be exact.
    """
    if dtype.kind == "b":
        return None, np.flatnonzero(values != 1)
    with np.errstate(over="ignore", invalid="ignore"):
        cast = values.astype(dtype)
    if dtype.kind != "f":
        return cast, np.flatnonzero(cast != values)
    if values.dtype.kind == "f":
        return cast, np.flatnonzero(np.isinf(cast) & ~np.isinf(values))
    max_exact = 2 ** (np.finfo(dtype).nmant + 1)
    return cast, np.flatnonzero((values > max_exact) | (values < -max_exact))


# ---- checks of arguments


def weight_dtype(dtype: Any) -> np.dtype | None:
    """Return the argument `dtype` as a NumPy dtype, or None if it was not given."""
    if dtype is None:
        return None
    dtype_of_graph = real_dtype(dtype)
    if dtype_of_graph.np_type.name not in DTYPES:
        raise DomainMismatch(f"dtype={dtype!r} must be one of {DTYPES}")
    return dtype_of_graph.np_type


def check_n(n: Any) -> int | None:
    """Return the argument `n` as an integer in 0..2^60, or None if it was not given."""
    if n is None:
        return None
    try:
        n = as_index(n)
    except TypeError:
        raise DomainMismatch(f"n must be an integer, not {type(n).__name__}") from None
    if not 0 <= n <= MAX_N:
        raise InvalidValue(f"n={n} is out of range: it must be in 0..2^60")
    return n


def check_integer_weights(G: Graph, file_type: str) -> None:
    """Raise InvalidGraph if the weights are floats."""
    if G.weighted and G.dtype.np_type.kind == "f":
        raise InvalidGraph(
            f"{file_type} needs integer weights and the graph has {G.dtype.name} ones: "
            "write .mtx, .wel or .npz"
        )
