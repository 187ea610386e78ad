"""Edge lists: .el, .wel, .tsv, .txt (blanks between fields) and .csv (commas, or semicolons).

Each line is an edge: source, target and optionally a weight. Lines that start with '#' or '%' are
comments, as in SNAP's files, except below a header whose first column does not hold vertices. A
.wel file (GAP) always has weights, an .el file never. A .csv or .tsv file may have a header, which
names the columns; those of a .tsv file are separated by tabs if its header has one, else by blanks.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import InvalidGraph, InvalidValue
from graphla.io.columns import (
    LABELS,
    MAX_N,
    check_n,
    edge_columns,
    graph_from_columns,
    weight_dtype,
)
from graphla.io.csv_columns import DST, SPACES, SRC, WEIGHT, choose_columns, split_fields
from graphla.io.files import split_suffix, write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text_reader import TextFile, record_weights
from graphla.io.text_writer import format_records
from graphla.suggestions import argument

TABLES = {".csv": ",", ".tsv": "\t"}  # those that may have a header: separator
PLAIN = ([SRC, DST], [SRC, DST, WEIGHT])  # columns of an edge list, without and with weights


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", n: Any = None, base: int = 0,
    dtype: Any = None, src: str | None = None, dst: str | None = None, weight: str | None = None,
) -> Graph:  # fmt: skip
    """Read an edge list; see :func:`graphla.io.read`."""
    n, dtype = check_n(n), weight_dtype(dtype)
    if base not in (0, 1):
        raise InvalidValue(f"base={base!r} must be 0 or 1")
    suffix, _ = split_suffix(path)
    are_named = not (src is None and dst is None and weight is None)
    if are_named and suffix not in TABLES:
        raise InvalidValue(
            f"{argument('src')}, {argument('dst')} and {argument('weight')} name columns of .csv "
            f"and .tsv, not of {suffix}"
        )
    file = TextFile(path, b"#%", LABELS)
    words, separator = file.peek(), SPACES
    if suffix == ".csv":
        separator = csv_separator(file.next_line())
        words = " ".join(words).split(separator) if words else words
    roles = None
    if suffix in TABLES and (are_named or _is_header(words)):
        if suffix == ".tsv" and TABLES[suffix] in file.next_line():
            separator = TABLES[suffix]
        roles = _read_header(file, separator, src, dst, weight)
    n = file.metadata.get("n") if n is None else n
    dtype = file.dtype(dtype, None)
    if roles is None:
        has_dtype = dtype is not None and dtype.kind != "b"
        weighted = suffix == ".wel" or len(words) > 2 or has_dtype
        roles = PLAIN[weighted]
    else:
        weighted = WEIGHT in roles
        if dtype is not None and dtype.kind != "b" and not weighted:
            raise file.error(file.line - 1, f"expected a column of weights of dtype {dtype}")
    is_plain = (
        roles in PLAIN and separator != ";" and (suffix not in TABLES or not file.has_quotes())
    )
    vertices = f"two vertices from {base} to {'2^60 - 1' if n is None else base + n - 1}"
    records = file.table(
        vertices + (" and a weight" if weighted else ""),
        vertices=2, values=int(weighted), dtype=dtype, comma=suffix == ".csv", base=base,
        n=MAX_N if n is None else n, roles=None if is_plain else roles,
        separator=separator,
    )  # fmt: skip
    weights = record_weights(records, dtype) if weighted else None
    kind = kind or file.metadata.get("kind", "directed")
    sources, targets = records.index
    return graph_from_columns(
        sources, targets, weights, n=n, kind=kind, dup=dup, both_directions=False, fail=records.fail
    )


def _read_header(
    file: TextFile, separator: str, src: str | None, dst: str | None, weight: str | None
) -> list[int]:
    """Consume the line of column names; return the role of each column."""
    line = file.next_line()
    file.header("column names")
    options = f"{argument('src')}, {argument('dst')} and {argument('weight')}"
    file.weight_hint = f"; {options} name the columns that are read"
    names = split_fields(line, separator if separator in line else SPACES)
    try:
        return choose_columns(names, src, dst, weight)
    except ValueError as error:
        raise file.error(file.line - 1, f"expected {error}") from None


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
    sep = TABLES.get(suffix, " ")
    write_pieces(path, chain([head.encode()], format_records((src, dst), weight, sep=sep)))


def csv_separator(line: str) -> str:
    """Return the separator of a .csv file from its first line: a comma or a semicolon.

    Programs write semicolons where the decimal mark is a comma, and it is so in the data below.
    """
    return ";" if ";" in line and "," not in line else ","


def _is_header(words: list[str]) -> bool:
    return bool(words) and not any(map(_looks_numeric, words))


def _looks_numeric(word: str) -> bool:
    return word.strip(" \"'")[:1] in tuple("0123456789+-.")
