"""Graphs from and to files, one module a format, chosen by the suffix of the path."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphla.errors import InvalidGraph, InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

TEXT = {
    ".mtx": "matrix_market",
    ".gr": "dimacs",
    ".graph": "metis",
    ".el": "edge_list",
    ".wel": "edge_list",
    ".tsv": "edge_list",
    ".csv": "edge_list",
    ".txt": "edge_list",
}
BINARY = {".npz": "npz", ".parquet": "parquet"}
COMPRESSED = (".gz", ".zst")
DUP_RULES = ("min", "max", "sum", "first", "last")


def read(path: Any, *, kind: str | None = None, dup: str | None = None, **options: Any) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : path_like
        The suffix is the format: ``.mtx`` (Matrix Market), ``.gr`` (DIMACS shortest paths),
        ``.graph`` (METIS), ``.el``, ``.wel``, ``.tsv``, ``.txt``, ``.csv`` (edge lists,
        SNAP's too), each also with ``.gz`` or ``.zst`` after it; ``.npz`` (SciPy's layout)
        and ``.parquet``.
    kind : {"directed", "undirected"}, optional
        By default what the file says: undirected for a symmetric or Hermitian .mtx and for
        METIS, directed where it says nothing. An undirected edge stands once in an edge list, a
        Parquet file or a symmetric .mtx, its reverse being a duplicate; in the other
        formats it stands in both directions, and this is verified.
    dup : {"min", "max", "sum", "first", "last"}, optional
        How edges that occur twice combine; by default they are refused.
    n : int, optional
        Edge lists and Parquet: the number of vertices, where the last ones are
        isolated; otherwise the largest vertex + 1.
    base : {0, 1}, default 0
        Edge lists: the first vertex.
    dtype : dtype, optional
        Text formats: the type of the weights; a weight that it does not hold is
        refused. By default INT64 where the format has integers (UINT64 in an
        edge list with an integer beyond INT64), else FP64.

    Returns
    -------
    Graph
        Vertices are numbered from 0 whatever the file does. A stored zero is an
        edge, except in a dense .mtx. A skew-symmetric .mtx gives a directed graph with both
        entries.

    Raises
    ------
    ReadError
        The content is not what the format asks for: with file, line and what was expected.
        NaN weights, decimals beyond FP64, vertices out of range and repeated edges are
        among it; ``inf`` is a weight like another.
    FileNotFoundError
        There is no such file.
    InvalidGraph, InvalidValue, DomainMismatch
        An argument is not one of the above, or dup="sum" goes beyond the dtype.
    MissingPackage
        .parquet needs pyarrow, .zst zstandard: ``pip install 'graphla[io]'``.

    Notes
    -----
    Text is scanned in one strict pass, decimals rounded to the nearest float of their
    type. A comment ``graphla: n=7 kind=undirected dtype=int8`` at the head of a text file,
    as `write` puts it there, is heeded; arguments go before it. Complex matrices, vertex
    weights, and fields beyond the weight are refused, not dropped.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import graphla as gl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "three.wel")
    ...     _ = path.write_text("# a comment\\n0 1 2.5\\n1 2 1\\n")
    ...     gl.read(path)
    <Graph: directed, 3 vertices, 2 edges, FP64, cpu>
    """
    if kind not in (None, "directed", "undirected"):
        raise InvalidGraph(f"kind must be 'directed', 'undirected' or None, not {kind!r}")
    if dup is not None and dup not in DUP_RULES:
        raise InvalidGraph(f"dup must be one of {DUP_RULES} or None, not {dup!r}")
    return format_of(path).read(path, kind=kind, dup=dup, **options)


def write(path: Any, G: Graph) -> None:
    """Write a graph to a file that `read` gives back: same edges, size, kind and dtype.

    Parameters
    ----------
    path : path_like
        The suffix is the format, as in :func:`read`. The file appears, or replaces the old one,
        only when all of it is written.
    G : Graph
        What the format itself cannot say (isolated last vertices, the kind, an unusual
        dtype) is written as a comment of one line. ``.gr`` and ``.wel`` give the
        edges of an unweighted graph weight 1 and such a comment.

    Raises
    ------
    InvalidGraph
        The format does not hold such a graph: weights in ``.el``, floats in ``.gr`` and
        METIS, a directed graph in METIS.
    InvalidValue
        A weight is NaN, or METIS is asked to hold one that is not > 0; the suffix is unknown.
    MissingPackage
        .parquet needs pyarrow, .zst zstandard: ``pip install 'graphla[io]'``.

    Notes
    -----
    A float is spelled as its shortest decimal that reads back the same, FP32 by way of FP64.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import graphla as gl
    >>> G = gl.Graph([[0, 1], [1, 0]], kind="undirected")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "edge.mtx")
    ...     gl.write(path, G)
    ...     print(path.read_text(), end="")
    %%MatrixMarket matrix coordinate integer symmetric
    2 2 1
    2 1 1
    """
    format_of(path).write(path, G)


def format_of(path: Any) -> Any:
    """Return the module of the format that the suffix names."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes[-2:]]
    if suffixes and suffixes[-1] in COMPRESSED:
        name = TEXT.get(suffixes[0])
    else:
        name = (TEXT | BINARY).get(suffixes[-1]) if suffixes else None
    if name is None:
        raise InvalidValue(
            f"{Path(path).name!r} does not end in one of {(*TEXT, *BINARY)}, the first "
            f"{len(TEXT)} also with {' or '.join(COMPRESSED)} after it"
        )
    return import_module(f"graphla.io.{name}")
