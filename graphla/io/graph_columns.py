"""Columns to a graph, refusing what the file does not say; and what only a note can say."""

from __future__ import annotations

import re
from operator import index as as_index
from typing import Any, NoReturn, Protocol

import numpy as np
from graphblas import binary, select

from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.core.input_arrays import real_dtype
from graphla.errors import DomainMismatch, InvalidValue

MAX_N = 1 << 60  # SuiteSparse's largest dimension

DTYPES = (  # of weights; a Boolean weight is none
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64"),
)

_NOTE = re.compile(r"graphla:((?: \w+=\w+)+)\s*$")


class RecordFailure(Protocol):
    """Raises the ReadError of a record: its line, and what was expected there."""

    def __call__(self, record: int, expected: str) -> NoReturn: ...


def edge_columns(G: Graph, half: str = "") -> tuple[Any, Any, Any]:
    """Return src, dst and weight (None where unweighted) in row order.

    `half` says which triangle, "upper" or "lower", holds the edges of an undirected graph.
    """
    A = G.A
    if half and G.kind == "undirected":
        A = A.select(select.triu if half == "upper" else select.tril).new()
    src, dst, weight = on_host(A).to_coo()
    return src.astype(np.int64), dst.astype(np.int64), weight if G.weighted else None


def graph_from_columns(
    src: Any,
    dst: Any,
    weight: Any,
    *,
    n: int,
    kind: Any,
    dup: str | None,
    both_directions: bool,
    fail: RecordFailure,
) -> Graph:
    """Build the graph of the edges src[k] -> dst[k] between vertices 0..n-1.

    `both_directions` says that the file holds an undirected edge in both directions; otherwise
    the reverse of an undirected edge repeats it.
    """
    if weight is not None and weight.dtype.kind == "f":
        nan = np.isnan(weight)
        if nan.any():
            fail(int(nan.argmax()), "expected a weight; it is NaN")
    once = kind == "undirected" and not both_directions
    built: Any = "undirected" if once else "directed"
    G = Graph.from_edges(src, dst, weight, n=n, kind=built, dup=dup or "first")
    if dup is None and G.nedges != src.size:
        _refuse_repeated(src, dst, once, fail)
    if kind == "undirected" and both_directions:
        if not G.is_symmetric:
            _refuse_one_way(G, src, dst, fail)
        G = Graph(G.A, kind="undirected", copy=False)
    return G


def _refuse_repeated(src: Any, dst: Any, once: bool, fail: RecordFailure) -> NoReturn:
    low, high = (np.minimum(src, dst), np.maximum(src, dst)) if once else (src, dst)
    order = np.lexsort((high, low))
    same = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    k = order[1:][same].min()
    sign = "--" if once else "->"
    fail(
        int(k),
        f"expected each edge once; {src[k]} {sign} {dst[k]} (vertices from 0) occurs again; "
        "dup='min', 'max', 'sum', 'first' or 'last' combines them",
    )


def _refuse_one_way(G: Graph, src: Any, dst: Any, fail: RecordFailure) -> NoReturn:
    alone = G.A.dup(mask=~G.AT.S)
    if alone.nvals == 0:
        alone = G.A.ewise_mult(G.AT, binary.ne).new().select(select.valueeq, True).new()
    rows, cols, _ = alone.to_coo()
    k = int(np.flatnonzero((src == rows[0]) & (dst == cols[0]))[0])
    fail(
        k,
        f"expected each edge of an undirected graph in both directions with one weight; "
        f"{src[k]} -> {dst[k]} (vertices from 0) has no such reverse",
    )


# ---- weights of a dtype


def weight_dtype(dtype: Any) -> np.dtype | None:
    """Return the NumPy dtype asked for, or None."""
    if dtype is None:
        return None
    found = real_dtype(dtype)
    if found.np_type.name not in DTYPES:
        raise DomainMismatch(f"dtype={dtype!r}: weights are of one of {DTYPES}")
    return found.np_type


def cast_weights(values: Any, dtype: np.dtype) -> tuple[Any, Any]:
    """Return `values` in `dtype` (None for Boolean: all must be 1), and where they do not fit."""
    if dtype.kind == "b":
        return None, np.flatnonzero(values != 1)
    with np.errstate(over="ignore", invalid="ignore"):
        cast = values.astype(dtype)
    if dtype.kind != "f":
        return cast, np.flatnonzero(cast != values)
    if values.dtype.kind == "f":
        return cast, np.flatnonzero(np.isinf(cast) & ~np.isinf(values))
    exact = 2 ** (np.finfo(dtype).nmant + 1)
    return cast, np.flatnonzero((values > exact) | (values < -exact))


# ---- the note: a comment that holds what the format itself does not


def metadata_comment(G: Graph, **plain: Any) -> str:
    """Return "graphla: n=7 kind=undirected" of what differs from a `plain` reading, or ""."""
    facts = {"n": G.n, "kind": G.kind, "dtype": G.dtype.np_type.name}
    said = [f"{name}={facts[name]}" for name, value in plain.items() if facts[name] != value]
    return " ".join(["graphla:", *said]) if said else ""


def parse_metadata(comment: str) -> dict[str, Any]:
    """Return what a comment says if it is a note; raise ValueError where it makes no sense."""
    found = _NOTE.search(comment)
    if not found:
        return {}
    facts: dict[str, Any] = dict(fact.split("=", 1) for fact in found[1].split())
    if "n" in facts:
        facts["n"] = int(facts["n"])
    known = {"kind": ("directed", "undirected"), "dtype": DTYPES}
    for name, value in facts.items():
        if name not in ("n", *known) or (name in known and value not in known[name]):
            raise ValueError(f"{name}={value}")
    if not 0 <= facts.get("n", 0) <= MAX_N:
        raise ValueError(f"n={facts['n']}")
    return facts


# ---- checks of arguments


def check_n(n: Any) -> int | None:
    """Return the number of vertices asked for, or None."""
    if n is None:
        return None
    try:
        n = as_index(n)
    except TypeError:
        raise DomainMismatch(f"n must be an integer, not {type(n).__name__}") from None
    if not 0 <= n <= MAX_N:
        raise InvalidValue(f"n={n} is not in 0..2^60")
    return n


def check_writable(G: Graph) -> None:
    """Refuse what no reader here takes."""
    if G.has_nan:
        raise InvalidValue("a weight is NaN: no format of graphla.io holds it")
