"""Edge lists: .el, .wel, .tsv, .txt (blanks between fields) and .csv (commas, or semicolons).

Each line is an edge: source, target and optionally a weight. Lines that start with '#' or '%' are
comments, as in SNAP's files, except below a header whose first column does not hold vertices. A
.wel file (GAP) always has weights, an .el file never. A .csv or .tsv file may have a header, which
names the columns; those of a .tsv file are separated by tabs if its header has one, else by blanks.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import InvalidGraph, InvalidValue, ReadError
from graphla.io.columns import (
    LABELS,
    MAX_N,
    RecordFailure,
    check_n,
    edge_columns,
    graph_from_columns,
    weight_dtype,
)
from graphla.io.csv_columns import DST, SPACES, SRC, WEIGHT, choose_columns, split_fields
from graphla.io.files import split_suffix, write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text_reader import Records, TextFile, record_weights
from graphla.io.text_writer import format_records
from graphla.suggestions import argument

TABLES = {".csv": ",", ".tsv": "\t"}  # those that may have a header: separator
PLAIN = ([SRC, DST], [SRC, DST, WEIGHT])  # columns of an edge list, without and with weights


class Head(NamedTuple):
    """What a file says before its edges.

    Attributes
    ----------
    n, kind : int, str or None
        Of the metadata comment.
    dtype : numpy.dtype or None
        Of the weights: of the argument, else of the metadata comment.
    separator : str
    roles : list of int
        The role of each column.
    is_named : bool
        Whether the file has names of columns.
    is_empty : bool
        Whether nothing follows, so that `roles` may be those of an edge list without weights.
    """

    n: int | None
    kind: str | None
    dtype: np.dtype | None
    separator: str
    roles: list[int]
    is_named: bool
    is_empty: bool

    @property
    def weighted(self) -> bool:
        """Whether there is a column of weights."""
        return WEIGHT in self.roles


class Names(NamedTuple):
    """The names of columns that were given."""

    src: str | None
    dst: str | None
    weight: str | None


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", n: Any = None, base: int = 0,
    dtype: Any = None, src: str | None = None, dst: str | None = None, weight: str | None = None,
) -> Graph:  # fmt: skip
    """Read an edge list; see :func:`graphla.io.read`."""
    n, dtype = check_n(n), weight_dtype(dtype)
    names = Names(src, dst, weight)
    check_arguments(path, base, names)
    file = open_text(path)
    head = read_head(file, dtype, names)
    n = head.n if n is None else n
    sources, targets, weights, fail = read_edges(file, head, n, base)
    kind = kind or head.kind or "directed"
    return graph_from_columns(
        sources, targets, weights, n=n, kind=kind, dup=dup, both_directions=False, fail=fail
    )


def check_arguments(path: Any, base: int, names: Names) -> None:
    """Refuse arguments that the format does not take."""
    if base not in (0, 1):
        raise InvalidValue(f"base={base!r} must be 0 or 1")
    suffix, _ = split_suffix(path)
    if any(name is not None for name in names) and suffix not in TABLES:
        raise InvalidValue(f"{_options()} name columns of .csv and .tsv, not of {suffix}")


def open_text(path: Any, text: bytes | None = None) -> TextFile:
    """Return a file in memory; with `text` a part of it, of whole lines."""
    return TextFile(path, b"#%", LABELS, text)


def read_head(file: TextFile, dtype: np.dtype | None, names: Names) -> Head:
    """Consume what precedes the first edge: comments, and names of columns."""
    suffix, _ = split_suffix(file.path)
    words, separator = file.peek(), SPACES
    is_empty = not words
    if suffix == ".csv":
        separator = csv_separator(file.next_line())
        words = " ".join(words).split(separator) if words else words
    roles = None
    are_named = any(name is not None for name in names)
    if suffix in TABLES and (are_named or _is_header(words)):
        if suffix == ".tsv" and TABLES[suffix] in file.next_line():
            separator = TABLES[suffix]
        roles = _read_header(file, separator, names)
    dtype = file.dtype(dtype, None)
    has_dtype = dtype is not None and dtype.kind != "b"
    is_named = roles is not None
    if roles is None:
        weighted = suffix == ".wel" or len(words) > 2 or has_dtype
        roles = PLAIN[weighted]
    elif has_dtype and WEIGHT not in roles:
        raise file.error(file.line - 1, f"expected a column of weights of dtype {dtype}")
    n, kind = file.metadata.get("n"), file.metadata.get("kind")
    return Head(n, kind, dtype, separator, roles, is_named, is_empty)


def read_edges(
    file: TextFile, head: Head, n: int | None, base: int
) -> tuple[Any, Any, Any, RecordFailure]:
    """Return the sources, targets and weights (None without) of the rest of a file, checked.

    The last value raises the error of a record.
    """
    suffix, _ = split_suffix(file.path)
    roles, separator, dtype = head.roles, head.separator, head.dtype
    if head.is_named:
        file.weight_hint = f"; {_options()} name the columns that are read"
    vertices = f"two vertices from {base} to {'2^60 - 1' if n is None else base + n - 1}"

    def scan_table(roles: list[int] | None) -> Records:
        return file.table(
            vertices + (" and a weight" if head.weighted else ""),
            vertices=2, values=int(head.weighted), dtype=dtype, comma=suffix == ".csv", base=base,
            n=MAX_N if n is None else n, roles=roles, separator=separator,
        )  # fmt: skip

    records = None
    if roles in PLAIN and separator != ";":
        try:
            records = scan_table(None)
        except ReadError:  # perhaps at a quote: only files that fail are searched for quotes
            if suffix not in TABLES or not file.has_quotes():
                raise
    if records is None:
        records = scan_table(roles)
    weights = record_weights(records, dtype) if head.weighted else None
    sources, targets = records.index
    return sources, targets, weights, records.fail


def _read_header(file: TextFile, separator: str, given: Names) -> list[int]:
    """Consume the line of column names; return the role of each column."""
    line = file.next_line()
    file.header("column names")
    names = split_fields(line, separator if separator in line else SPACES)
    try:
        return choose_columns(names, *given)
    except ValueError as error:
        raise file.error(file.line - 1, f"expected {error}") from None


def _options() -> str:
    return f"{argument('src')}, {argument('dst')} and {argument('weight')}"


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
