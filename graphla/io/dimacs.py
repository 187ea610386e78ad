"""DIMACS shortest-path graphs (.gr) and coordinates (.co), of the 9th Implementation Challenge.

A .gr file has the line ``p sp n m`` and m arcs ``a u v w`` with vertices from 1 and integer
weights; ``c`` starts a comment. Road networks list both arcs of an edge.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from graphblas import Vector

from graphla.core.graph import Graph
from graphla.io.columns import check_integer_weights, edge_columns, graph_from_columns, weight_dtype
from graphla.io.files import write_pieces
from graphla.io.metadata import metadata_line
from graphla.io.text_reader import INT64, TextFile, record_weights
from graphla.io.text_writer import format_records


class Coordinates(NamedTuple):
    """INT64 Vectors of length n; a vertex without coordinates has no entry."""

    x: Any
    y: Any


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", dtype: Any = None
) -> Graph:
    """Read a .gr file; see :func:`graphla.io.read`."""
    dtype = weight_dtype(dtype)
    file = TextFile(path, b"c")
    n, m = _sizes(file, ["p", "sp"], "p sp n m")
    dtype = file.dtype(dtype, INT64)
    records = file.table(
        f"'a u v w' with u and v in 1..{n} and w an integer",
        vertices=2, values=1, count=m, lead="a", n=n, base=1,
        dtype=dtype if dtype.kind == "u" else INT64,
    )  # fmt: skip
    src, dst = records.index
    kind = kind or file.metadata.get("kind", "directed")
    weight = record_weights(records, dtype)
    return graph_from_columns(
        src, dst, weight, n=n, kind=kind, dup=dup, both_directions=True, fail=records.fail
    )


def write(path: Any, G: Graph) -> None:
    """Write a .gr file; see :func:`graphla.io.write`."""
    check_integer_weights(G, "a .gr file")
    src, dst, weight = edge_columns(G)
    if weight is None:
        weight = np.ones(src.size, np.int64)
    head = metadata_line("c", G, kind="directed", dtype="int64") + f"p sp {G.n} {src.size}\n"
    write_pieces(
        path, chain([head.encode()], format_records((src, dst), weight, base=1, lead="a "))
    )


def read_coordinates(path: Any) -> Coordinates:
    """Read the coordinates of the vertices of a DIMACS graph (.co, or compressed).

    Parameters
    ----------
    path : path_like
        File with the line ``p aux sp co n`` and lines ``v id x y`` with id in 1..n and integers x
        and y (in road networks longitude and latitude in millionths of a degree).

    Returns
    -------
    Coordinates
        INT64 Vectors x and y of length n, with vertices from 0.

    Raises
    ------
    ReadError
        The file has another format, or a vertex occurs twice.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphla.io.dimacs import read_coordinates
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "two.co")
    ...     _ = path.write_text("p aux sp co 2\\nv 1 -73530767 41085396\\nv 2 5 7\\n")
    ...     x, y = read_coordinates(path)
    >>> x.to_dense().tolist()
    [-73530767, 5]
    """
    file = TextFile(path, b"c")
    (n,) = _sizes(file, ["p", "aux", "sp", "co"], "p aux sp co n")
    (index,), values, fail = file.table(
        f"'v id x y' with id in 1..{n} and integers x and y",
        vertices=1, values=2, lead="v", n=n, base=1,
    )  # fmt: skip
    order = np.argsort(index, kind="stable")
    repeated = order[1:][np.diff(index[order]) == 0]
    if repeated.size:
        fail(int(repeated.min()), "expected each vertex once")
    return Coordinates(*(Vector.from_coo(index, column, size=n) for column in values))


def _sizes(file: TextFile, start: list[str], form: str) -> list[int]:
    """Read a header line of the given form; return the numbers after the words of `start`."""
    words = file.header(f"'{form}'")
    names = form.split()
    if words[: len(start)] != start or len(words) != len(names):
        raise file.error(file.line - 1, f"expected '{form}'; found {' '.join(words)[:80]!r}")
    return [
        file.count(word, name, file.line - 1)
        for word, name in zip(words[len(start) :], names[len(start) :], strict=True)
    ]
