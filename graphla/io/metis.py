"""METIS graphs (.graph): the line ``n m [fmt]``, then one line of neighbours per vertex.

Vertices are numbered from 1. Graphs are undirected: m counts each edge once, both ends list it.
With fmt 1 (or 001) an integer weight > 0 follows each neighbour. ``%`` starts a comment; an empty
line is a vertex without neighbours.
Source: METIS 5.1.0 manual, section 4.1.1.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import InvalidGraph, InvalidValue
from graphla.io.columns import check_integer_weights, edge_columns, graph_from_columns, weight_dtype
from graphla.io.files import write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text import scan
from graphla.io.text_reader import (
    DTYPE_OF_MODE,
    INT64,
    Records,
    TextFile,
    count_fields,
    record_weights,
)
from graphla.io.text_writer import format_records

PERCENT = ord("%")
FORM = "n m [fmt]"


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", dtype: Any = None
) -> Graph:
    """Read a METIS file; see :func:`graphla.io.read`."""
    dtype = weight_dtype(dtype)
    file = TextFile(path, b"%")
    words = file.header(f"'{FORM}'")
    line = file.line - 1
    if len(words) not in (2, 3):
        raise file.error(line, f"expected '{FORM}'; found {len(words)} words")
    n, m = (file.count(word, name, line) for word, name in zip(words[:2], "nm", strict=True))
    if len(words) == 3 and words[2] not in ("0", "00", "000", "1", "01", "001"):
        raise file.error(
            line,
            "expected fmt 0 or 1: vertex weights and sizes are not supported; "
            f"found {words[2][:20]!r}",
        )
    weighted = len(words) == 3 and words[2][-1] == "1"
    if weighted:
        dtype = file.dtype(dtype, INT64)
    elif dtype is not None and dtype.kind != "b":
        raise file.error(line, f"expected edge weights (fmt 1) of dtype {dtype}; found none")
    is_unsigned = dtype is not None and dtype.kind == "u"
    mode = scan.UNSIGNED if is_unsigned else scan.INTEGER
    records, indptr = _scan_rows(file, n, m, weighted, mode)
    src, (dst,) = np.repeat(np.arange(n), np.diff(indptr)), records.index
    loops = int(np.count_nonzero(src == dst))
    if dst.size + loops != 2 * m:
        raise file.error(
            line,
            f"expected {m} edges, {2 * m} neighbours with self-loops counted twice; "
            f"found {dst.size} neighbours, {loops} of them self-loops",
        )
    weight = None
    if weighted:
        not_positive = np.flatnonzero(records.values[0] < 1)
        if not_positive.size:
            records.fail(int(not_positive[0]), "expected edge weights > 0")
        weight = record_weights(records, dtype)
    kind = kind or "undirected"
    return graph_from_columns(
        src, dst, weight, n=n, kind=kind, dup=dup, both_directions=True, fail=records.fail
    )


def _scan_rows(file: TextFile, n: int, m: int, weighted: bool, mode: int) -> tuple[Records, Any]:
    """Scan the rows; return them as records, and their offsets.

    The sizes in the header are limited by the size of the file before memory is allocated.
    """
    if n > file.lines:
        raise file.error(file.line - 1, f"expected {n} lines after this one; found fewer")
    indptr = np.zeros(n + 1, np.int64)

    def allocate(size: int) -> tuple[Any, Any]:
        return np.empty(size, np.int64), np.empty(size if weighted else 0, np.uint64)

    def scan_into(index: Any, bits: Any) -> Any:
        return scan.scan_rows(
            file.data, file.pos, file.line, PERCENT, n, weighted, mode, index, bits, indptr
        )

    index, bits = allocate(min(2 * m, file.data.size))
    status, k, line, start, pos = scan_into(index, bits)
    if status != scan.DONE:
        row = f"a line of neighbours in 1..{n}" + (", each with an integer weight" * weighted)
        raise file.scan_error(
            status, line, start, pos, f"{n} times {row}",
            is_weight=lambda before: weighted and count_fields(before) % 2 == 1,
        )  # fmt: skip

    def find(record: int) -> tuple[int, int]:
        _, _, line, start, _ = scan_into(*allocate(record))
        return line, start

    values = bits[None, :k].view(DTYPE_OF_MODE[mode])
    return Records(index[None, :k], values, file.record_failure(find)), indptr


def write(path: Any, G: Graph) -> None:
    """Write a METIS file; see :func:`graphla.io.write`."""
    if G.kind != "undirected":
        raise InvalidGraph("a METIS file needs an undirected graph; this one is directed")
    check_integer_weights(G, "a METIS file")
    src, dst, weight = edge_columns(G)
    if weight is not None and weight.size and weight.min() < 1:
        raise InvalidValue(f"a METIS file needs weights > 0; the smallest is {weight.min()}")
    head = metadata_line("%", G, dtype="bool" if weight is None else "int64")
    head += f"{G.n} {G.nedges}{' 1' * G.weighted}\n"
    newlines = np.diff(src, append=G.n)  # row ends between a neighbour and the next
    empty_rows = int(src[0]) if src.size else G.n  # before the first neighbour
    body = format_records((dst,), weight, base=1, newlines=newlines)
    write_pieces(path, chain([head.encode(), b"\n" * empty_rows], body))
