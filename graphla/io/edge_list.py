"""Edge lists: .el, .wel, .tsv, .txt (blanks between fields) and .csv (commas).

Each line is an edge: source, target and optionally a weight. Lines that start with '#' or '%' are
comments, as in SNAP's files. A .wel file (GAP) always has weights, an .el file never.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import InvalidGraph, InvalidValue
from graphla.io.columns import MAX_N, check_n, edge_columns, graph_from_columns, weight_dtype
from graphla.io.files import split_suffix, write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text_reader import TextFile, record_weights
from graphla.io.text_writer import format_records


def read(
    path: Any, *, kind: str | None = None, dup: str | None = None, n: Any = None, base: int = 0,
    dtype: Any = None,
) -> Graph:  # fmt: skip
    """Read an edge list; see :func:`graphla.io.read`."""
    n, dtype = check_n(n), weight_dtype(dtype)
    if base not in (0, 1):
        raise InvalidValue(f"base={base!r} must be 0 or 1")
    suffix, _ = split_suffix(path)
    file = TextFile(path, b"#%")
    comma = suffix == ".csv"
    words = _fields(file.peek(), comma)
    if suffix in (".csv", ".tsv") and words and not any(_looks_numeric(word) for word in words):
        file.header("column names")
        words = _fields(file.peek(), comma) or words
    n = file.metadata.get("n") if n is None else n
    dtype = file.dtype(dtype, None)
    weighted = suffix == ".wel" or len(words) > 2 or (dtype is not None and dtype.kind != "b")
    vertices = f"two vertices from {base} to {'2^60 - 1' if n is None else base + n - 1}"
    records = file.table(
        vertices + (" and a weight" if weighted else ""),
        vertices=2, values=int(weighted), dtype=dtype, comma=comma, base=base,
        n=MAX_N if n is None else n,
    )  # fmt: skip
    src, dst = records.index
    weight = record_weights(records, dtype) if weighted else None
    kind = kind or file.metadata.get("kind", "directed")
    return graph_from_columns(
        src, dst, weight, n=n, kind=kind, dup=dup, both_directions=False, fail=records.fail
    )


def write(path: Any, G: Graph) -> None:
    """Write an edge list; see :func:`graphla.io.write`."""
    suffix, _ = split_suffix(path)
    if suffix == ".el" and G.weighted:
        raise InvalidGraph(
            f"an .el file has no weights and the graph has {G.dtype.name} ones: "
            "write .wel, .tsv or .csv"
        )
    src, dst, weight = edge_columns(G, "upper")
    if suffix == ".wel" and weight is None:
        weight = np.ones(src.size, np.int64)
    # the dtype and n that `read` assumes without metadata
    default_dtype = "int64"
    if weight is None or (src.size == 0 and suffix not in (".wel", ".csv")):
        default_dtype = "bool"
    elif weight.dtype.kind == "f" and src.size:
        default_dtype = "float64"
    default_n = int(max(src.max(), dst.max())) + 1 if src.size else 0
    head = metadata_line("#", G, n=default_n, kind="directed", dtype=default_dtype)
    if suffix == ".csv":
        head += "src,dst,weight\n" if G.weighted else "src,dst\n"
    sep = {".csv": ",", ".tsv": "\t"}.get(suffix, " ")
    write_pieces(path, chain([head.encode()], format_records((src, dst), weight, sep=sep)))


def _fields(words: list[str], comma: bool) -> list[str]:
    return " ".join(words).split(",") if comma and words else words


def _looks_numeric(word: str) -> bool:
    return word.strip(" \"'")[:1] in tuple("0123456789+-.")
