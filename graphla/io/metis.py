"""METIS graphs (.graph): ``n m [fmt]``, then line i has the neighbours of vertex i (from 1).

Undirected: m counts an edge once, both ends list it. fmt 1 (or 001) adds an integer weight
> 0 after each neighbour; ``%`` starts a comment; an empty line is a vertex without neighbours.
Source: METIS 5.1.0 manual, section 4.1.1.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from graphla.errors import InvalidGraph, InvalidValue
from graphla.io import scan
from graphla.io.files import write_pieces
from graphla.io.graph_columns import (
    check_writable,
    edge_columns,
    graph_from_columns,
    metadata_comment,
    weight_dtype,
)
from graphla.io.text_reader import FOUND, INT64, SCANNED, Records, TextFile, record_weights
from graphla.io.text_writer import format_records

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PERCENT = ord("%")
FORM = "n m [fmt]"


def read(path: Any, *, kind: str | None = None, dup: str | None = None, dtype: Any = None) -> Graph:
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
            "expected fmt 0 or 1: a Graph has no vertex weights or sizes to read; "
            f"found {words[2][:20]!r}",
        )
    weighted = len(words) == 3 and words[2][-1] == "1"
    if weighted:
        dtype = file.dtype(dtype, INT64)
    elif dtype is not None and dtype.kind != "b":
        raise file.error(line, f"expected edge weights (fmt 1) of dtype {dtype}; found none")
    unsigned = dtype is not None and dtype.kind == "u"
    records, indptr = _rows(file, n, m, weighted, scan.UNSIGNED if unsigned else scan.INTEGER)
    src, (dst,) = np.repeat(np.arange(n), np.diff(indptr)), records.index
    loops = int(np.count_nonzero(src == dst))
    if dst.size + loops != 2 * m:
        raise file.error(
            line,
            f"expected as many edges as neighbours: {m} edges make {2 * m} ends; "
            f"found {dst.size} neighbours, {loops} of them self-loops",
        )
    weight = None
    if weighted:
        small = np.flatnonzero(records.values[0] < 1)
        if small.size:
            records.fail(int(small[0]), "expected edge weights > 0")
        weight = record_weights(records, dtype)
    return graph_from_columns(
        src,
        dst,
        weight,
        n=n,
        kind=kind or "undirected",
        dup=dup,
        both_directions=True,
        fail=records.fail,
    )


def _rows(file: TextFile, n: int, m: int, weighted: bool, mode: int) -> tuple[Records, Any]:
    """Scan the `n` rows; promised sizes beyond the file's own are not allocated."""
    if n > file.lines:
        raise file.error(file.line - 1, f"expected {n} lines after this one; found fewer")
    room = min(2 * m, file.data.size)
    indptr = np.zeros(n + 1, np.int64)

    def scan_into(index: Any, bits: Any) -> Any:
        return scan.rows(
            file.data, file.at, file.line, PERCENT, n, weighted, mode, index, bits, indptr
        )

    def fail(record: int, expected: str) -> NoReturn:
        _, _, line, start = scan_into(np.empty(record, np.int64), np.empty(record, np.uint64))
        raise file.error(line, expected, start)

    index, bits = np.empty(room, np.int64), np.empty(room if weighted else 0, np.uint64)
    status, k, line, start = scan_into(index, bits)
    if status != scan.DONE:
        row = f"a line of neighbours in 1..{n}" + (", each with an integer weight" * weighted)
        short = status == scan.ROWS and start == file.data.size
        found = "the file ends early" if short else FOUND[status]
        raise file.error(line, f"expected {n} times {row}; {found}", start)
    return Records(index[None, :k], bits[None, :k].view(SCANNED[mode]), fail), indptr


def write(path: Any, G: Graph) -> None:
    """Write a METIS file; see :func:`graphla.io.write`."""
    check_writable(G)
    if G.kind != "undirected":
        raise InvalidGraph("a METIS file holds an undirected graph; this one is directed")
    src, dst, weight = edge_columns(G)
    if weight is not None and weight.dtype.kind == "f":
        raise InvalidGraph(
            f"weights of a METIS file are integers and the graph has {G.dtype.name} ones: "
            "write .mtx, .wel or .npz"
        )
    if weight is not None and weight.size and weight.min() < 1:
        raise InvalidValue(f"weights of a METIS file are > 0; the smallest is {weight.min()}")
    said = metadata_comment(G, dtype="bool" if weight is None else "int64")
    head = (f"% {said}\n" if said else "") + f"{G.n} {G.nedges}{' 1' * G.weighted}\n"
    # newlines after neighbour k: as many rows as lie between its own and the next one's
    breaks = np.diff(src, append=G.n)
    before = int(src[0]) if src.size else G.n
    body = format_records((dst,), weight, base=1, breaks=breaks)
    write_pieces(path, chain([head.encode(), b"\n" * before], body))
