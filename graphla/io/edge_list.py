"""Edge lists: .el, .wel, .tsv, .txt (blanks between fields) and .csv (commas).

One edge a line: source, target and perhaps a weight; lines that start with '#'
or '%' are comments, as in SNAP's files. GAP's .wel always has weights.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.errors import InvalidGraph, InvalidValue
from graphla.io.files import COMPRESSED, write_pieces
from graphla.io.graph_columns import (
    MAX_N,
    check_n,
    check_writable,
    edge_columns,
    graph_from_columns,
    metadata_comment,
    weight_dtype,
)
from graphla.io.text_reader import TextFile, record_weights
from graphla.io.text_writer import format_records

if TYPE_CHECKING:
    from graphla.core.graph import Graph

HEADER = b"src,dst,weight"


def read(
    path: Any, *, kind: str | None = None, dup: str | None = None, n: Any = None, base: int = 0,
    dtype: Any = None,
) -> Graph:  # fmt: skip
    """Read an edge list; see :func:`graphla.io.read`."""
    n, dtype = check_n(n), weight_dtype(dtype)
    if base not in (0, 1):
        raise InvalidValue(f"base={base!r} is not 0 or 1")
    style = _style(path)
    file = TextFile(path, b"#%")
    comma = style == ".csv"
    words = _fields(file.peek(), comma)
    if style in (".csv", ".tsv") and words and not any(_like_number(word) for word in words):
        file.header("column names")
        words = _fields(file.peek(), comma) or words
    n = file.metadata.get("n") if n is None else n
    dtype = file.dtype(dtype, None)
    weighted = style == ".wel" or len(words) > 2 or (dtype is not None and dtype.kind != "b")
    what = f"two vertices from {base} to {'2^60 - 1' if n is None else base + n - 1}"
    records = file.table(
        what + (" and a weight" if weighted else ""),
        vertices=2, values=int(weighted), dtype=dtype, comma=comma, base=base,
        n=MAX_N if n is None else n,
    )  # fmt: skip
    src, dst = records.index
    weight = record_weights(records, dtype) if weighted else None
    if n is None:
        n = int(records.index.max()) + 1 if src.size else 0
    kind = kind or file.metadata.get("kind", "directed")
    return graph_from_columns(
        src, dst, weight, n=n, kind=kind, dup=dup, both_directions=False, fail=records.fail
    )


def write(path: Any, G: Graph) -> None:
    """Write an edge list; see :func:`graphla.io.write`."""
    check_writable(G)
    style = _style(path)
    if style == ".el" and G.weighted:
        raise InvalidGraph(
            f"an .el file has no weights and the graph has {G.dtype.name} ones: "
            "write .wel, .tsv or .csv"
        )
    src, dst, weight = edge_columns(G, "upper")
    if style == ".wel" and weight is None:
        weight = np.ones(src.size, np.int64)
    plain = "int64"
    if weight is None or (src.size == 0 and style not in (".wel", ".csv")):
        plain = "bool"
    elif weight.dtype.kind == "f" and src.size:
        plain = "float64"
    top = int(max(src.max(), dst.max())) + 1 if src.size else 0
    said = metadata_comment(G, n=top, kind="directed", dtype=plain)
    head = f"# {said}\n".encode() if said else b""
    if style == ".csv":
        head += (HEADER if G.weighted else HEADER[:7]) + b"\n"
    sep = {".csv": ",", ".tsv": "\t"}.get(style, " ")
    write_pieces(path, chain([head], format_records((src, dst), weight, sep=sep)))


def _style(path: Any) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    return suffixes[-2] if suffixes[-1] in COMPRESSED else suffixes[-1]


def _fields(words: list[str], comma: bool) -> list[str]:
    return " ".join(words).split(",") if comma and words else words


def _like_number(word: str) -> bool:
    return word.strip(" \"'")[:1] in tuple("0123456789+-.")
