"""Read graphs; write graphs and results.

The suffix of the path selects the format; each format is one module.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from graphla.core.validation import explains_wrong_calls, full_name
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue, UnknownArgument
from graphla.io.files import COMPRESSED, split_suffix
from graphla.suggestions import conversion, unknown_argument

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

DUP_RULES = ("min", "max", "sum", "first", "last")


@overload
def read(path: Any, *, client: Any, **options: Any) -> Any: ...
@overload
def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", **options: Any
) -> Graph: ...
@explains_wrong_calls
def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", client: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    """Read a graph from a file, or let the workers of a Dask cluster read it from many.

    Parameters
    ----------
    path : path_like
        The suffix selects the format: ``.mtx`` (Matrix Market), ``.gr`` (DIMACS shortest paths),
        ``.graph`` (METIS), ``.el``, ``.wel``, ``.tsv``, ``.txt``, ``.csv`` (edge lists,
        including SNAP's), each optionally followed by ``.gz`` or ``.zst``; ``.npz`` (SciPy's
        layout) and ``.parquet``.
    kind : {"directed", "undirected"}, optional
        Default: the kind stored in the file; undirected for a symmetric or Hermitian .mtx and for
        METIS; else directed. Edge lists, Parquet files and symmetric .mtx files hold an
        undirected edge once, and its reverse is a duplicate. The other formats hold it in both
        directions, and a missing reverse raises ReadError.
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How the weights of duplicate edges combine, as in ``Graph.from_edges``; None refuses
        duplicates with a ReadError. `Graph.nmerged` says how many were combined.
    client : distributed.Client, optional
        Of a Dask cluster, whose workers read the graph and keep it: each reads its parts of the
        files, which all workers must reach by `path`. There `path` may also be a pattern
        (``"edges/*.parquet"``), a folder or a list of edge lists or Parquet files of one format,
        which are read in that order, edge lists by ranges of bytes, Parquet by row groups. Other
        formats are read by one worker.
    src, dst, weight : str, optional
        Tables (.csv, .tsv with a header, Parquet): the names of the columns. By default those
        called "src", "source" or "from", "dst", "target" or "to", and "weight", in any case. In a
        table of two or three columns beside an index that pandas wrote, other columns take the
        roles that are left, in order; where they would give one of these names another role,
        ReadError asks for `src` and `dst`. Other columns are not read.
    n : int, optional
        Edge lists and Parquet: the number of vertices. Default: the number stored in the file,
        else the largest vertex + 1; required if almost none of these vertices has an edge, as
        their numbers may be labels.
    base : {0, 1}, default 0
        Edge lists: the number of the first vertex.
    dtype : dtype, optional
        Text formats: the dtype of the weights; a weight that it cannot represent raises
        ReadError. Default: INT64 if the format has integers (UINT64 in an edge list with an
        integer beyond INT64), else FP64.

    Returns
    -------
    Graph, or DistributedGraphHandle with a client
        Vertices are numbered from 0, whatever the file's numbering. A stored zero is an
        edge, except in a dense .mtx. A skew-symmetric .mtx becomes a directed graph with both
        entries.

    Raises
    ------
    ReadError
        The content violates the format; the error has the file, the line and what was
        expected. This includes NaN weights, decimals beyond FP64, vertices out of range or with
        labels (which :func:`graphla.interop.pandas.from_edges` numbers), and complex or rectangular
        matrices; the weight ``inf`` is allowed.
    FileNotFoundError
        There is no such file.
    InvalidGraph, InvalidValue, DomainMismatch
        An argument is invalid, or dup="sum" overflows the dtype.
    UnknownArgument
        The format does not take an argument; the error names those that it takes.
    MissingPackage
        .parquet needs pyarrow, .zst zstandard: ``pip install 'graphla[io]'``.

    Notes
    -----
    Text is scanned strictly, in files above 4 MiB, other than METIS, by all threads
    (:func:`graphla.set_threads`); decimals are rounded to the nearest float. A comment
    ``graphla: n=7 kind=undirected dtype=int8`` at the head of a text file, as `write` writes it,
    sets these properties unless an argument does, and so does a line ``%%GraphBLAS type int8_t``
    of a .mtx file. Vertex weights, and fields after the weight, raise ReadError.

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
    if client is not None:  # the ranks are above io
        workers = import_module("graphla.ranks.processes.dask")
        return workers.read(path, client, kind=kind, dup=dup, **options)
    return reader_of(path, kind, dup, options)(path, kind=kind, dup=dup, **options)


def reader_of(path: Any, kind: str | None, dup: str | None, options: dict[str, Any]) -> Any:
    """Return the function that reads the format of a path, after a check of its arguments."""
    if kind not in (None, "directed", "undirected"):
        raise InvalidGraph(f"kind must be 'directed', 'undirected' or None, not {kind!r}")
    if dup is not None and dup not in DUP_RULES:
        raise InvalidGraph(f"dup must be one of {DUP_RULES} or None, not {dup!r}")
    reader = format_of(path).read
    if message := unknown_argument(reader, options, f"read() of a {split_suffix(path)[0]} file"):
        raise UnknownArgument(message)
    return reader


@explains_wrong_calls
def write(path: Any, x: Any) -> None:
    """Write a graph, or the result of an algorithm, to a file.

    Parameters
    ----------
    path : path_like
        The suffix selects the format: for a graph as in :func:`read`; for a result ``.csv`` or
        ``.tsv``, each optionally followed by ``.gz`` or ``.zst``, or ``.npz``. The file is created,
        or replaces an existing one, only after all of it is written.
    x : Graph, or a result: named tuple, Vector, Matrix or number
        :func:`read` returns a graph with the same edges, n, kind and dtype. Properties that the
        format cannot express (isolated last vertices, the kind, an unusual dtype) are written as
        a one-line comment. ``.gr`` and ``.wel`` store an unweighted graph with weights 1 and such
        a comment.

        A result has a header line and one row for each vertex with a value: ``vertex`` and the
        fields that are Vectors (``value`` for a Vector alone), ``row`` and ``column`` for
        Matrices. A forest has a row for each edge. The arrays of ``result.to_numpy()`` have the
        same rows.

    Raises
    ------
    InvalidGraph
        The format does not support the graph: weights in ``.el``, float weights in ``.gr`` and
        METIS, a directed graph in METIS.
    InvalidValue
        A weight is NaN, a weight is not > 0 in METIS, or the suffix is unknown.
    DomainMismatch
        `x` is neither a graph nor a result.
    MissingPackage
        .parquet needs pyarrow, .zst zstandard: ``pip install 'graphla[io]'``.

    Notes
    -----
    A float is written as the shortest decimal that reads back the same; FP32 is first converted to
    FP64. Archives (.npz) are written without compression, Parquet files too, with integers as
    packed differences (DELTA_BINARY_PACKED).

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
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "search.csv")
    ...     gl.write(path, gl.bfs(G, 0))
    ...     print(path.read_text(), end="")
    vertex,level,parent
    0,0,0
    1,1,0
    """
    from graphla.core.graph import Graph
    from graphla.io.results import is_result, write_result

    if isinstance(x, Graph):
        module = format_of(path)
        if x.has_nan:
            raise InvalidValue("a weight is NaN: no format of graphla.io supports it")
        module.write(path, x)
    elif is_result(x):
        write_result(path, x)
    else:
        advice = f"; {way}" if (way := conversion(x, "x")) else ""
        raise DomainMismatch(
            f"write takes a Graph or the result of an algorithm, not {full_name(x)}{advice}"
        )


def format_of(path: Any) -> Any:
    """Return the module of the format that a path's suffix selects."""
    if not isinstance(path, (str, PathLike)):
        raise DomainMismatch(f"path must be a str or a path, not {full_name(path)}")
    suffix, compression = split_suffix(path)
    name = (TEXT if compression else TEXT | BINARY).get(suffix)
    if name is None:
        raise InvalidValue(
            f"unknown file type {Path(path).name!r}: expected one of {', '.join(TEXT)} "
            f"(optionally followed by {' or '.join(COMPRESSED)}), {', '.join(BINARY)}"
        )
    return import_module(f"graphla.io.{name}")
