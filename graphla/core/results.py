"""The results of algorithms that return more than one value, the same on every engine."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from graphla.core.display import html_table
from graphla.core.engines import engine_of, on_host
from graphla.core.validation import check_vertex_number
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN = 8  # values of a Vector that HTML shows
NO_PREDECESSOR = -9999  # SciPy's mark of a vertex without predecessor
UNREACHED = {"level": np.inf, "distance": np.inf, "parent": NO_PREDECESSOR}


class Result(tuple[Any, ...]):
    """What all results have beside their fields: texts, and conversions.

    A result is a named tuple: ``level, parent = gl.bfs(G, 0)``.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return result_text(self)

    def _repr_html_(self) -> str:
        rows = ((name, _brief(value, 4), first_values(value)) for name, value in self._items())
        return html_table(rows, caption=type(self).__name__)

    def _items(self: Any) -> Iterator[tuple[str, Any]]:
        return zip(self._fields, self, strict=True)

    def to_numpy(self) -> Self:
        """Return the result with NumPy arrays in place of Vectors and Matrices.

        Returns
        -------
        named tuple of the same class
            Numbers stay as they are. Vertices that were not reached have SciPy's values: level and
            distance are float64 arrays and ``inf`` there, the parent is -9999, as is the parent
            of the source. Integers beyond 2^53 are rounded in float64. Arrays of a result on
            engine "cuda" are copies in host memory. The methods of the result accept them too:
            `to_frame` and :func:`graphla.write` leave out vertices that were not reached, and a
            source is its own parent there.

        Examples
        --------
        >>> import graphla as gl
        >>> distance, predecessor = gl.sssp(gl.Graph.from_edges([0], [1], [5], n=3), 0).to_numpy()
        >>> distance
        array([ 0.,  5., inf])
        >>> predecessor.tolist()
        [-9999, 0, -9999]
        """
        return type(self)(*(_numpy(name, value) for name, value in self._items()))

    def to_frame(self, labels: Any = None) -> Any:
        """Return the result as a pandas DataFrame.

        Parameters
        ----------
        labels : array_like, optional
            Labels of the vertices, as :func:`graphla.interop.pandas.from_edges` returns them, in
            place of their numbers.

        Returns
        -------
        pandas.DataFrame
            One row for each vertex that has a value, with the columns ``vertex`` and the fields
            that are Vectors. Matrices have ``row`` and ``column``; a forest has a row for each of
            its edges. For several sources ``row`` is a position in `sources`, which has no label.

        Raises
        ------
        DimensionMismatch
            There are fewer labels than vertices.
        MissingPackage
            pandas is not installed.

        Examples
        --------
        >>> import graphla as gl
        >>> r = gl.bfs(gl.Graph.from_edges([0, 1], [1, 2], n=4), 0)
        >>> r.to_frame(labels=["a", "b", "c", "d"])
          vertex  level parent
        0      a      0      a
        1      b      1      a
        2      c      2      b
        """
        # core is below interop, which loads pandas on use
        return import_module("graphla.interop.pandas").to_frame(self, labels)


class Paths(Result):
    """A result with parents: following them from a vertex leads to the source."""

    __slots__ = ()

    def path(self, target: int, *, row: int | None = None) -> list[int]:
        """Return the vertices of a shortest path from the source to a vertex.

        Parameters
        ----------
        target : int
            In 0..n-1.
        row : int, optional
            For results of :func:`graphla.shortest_path_trees`, which have a row for each source:
            the position of the source in `sources`.

        Returns
        -------
        list of int
            The source first, `target` last; the source alone if it is the target.

        Raises
        ------
        InvalidIndex
            `target` is not a vertex, or `row` not a row.
        InvalidValue
            `target` was not reached; `row` is missing, or given for a result of one source.

        Notes
        -----
        The result is converted by :meth:`to_numpy` first. For many paths convert it once:
        ``arrays = r.to_numpy()``, then ``arrays.path(v)`` takes time for the path alone.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs(gl.Graph.from_edges([0, 0, 1, 3], [1, 3, 2, 4]), 0).path(4)
        [0, 3, 4]
        """
        cost, parent = self.to_numpy()
        if parent.ndim == 2:
            k = _check_row(row, parent.shape[0])
            cost, parent = cost[k], parent[k]
        elif row is not None:
            raise InvalidValue(f"row={row!r} for a result of one source, which has no rows")
        v = check_vertex_number(parent.size, target, "target")
        if is_unreached(cost[v], parent[v]):
            raise InvalidValue(f"there is no path: vertex {v} was not reached from the source")
        vertices = [v]
        while (v := int(parent[v])) != NO_PREDECESSOR:
            vertices.append(v)
        return vertices[::-1]


def is_unreached(cost: Any, parent: Any) -> Any:
    """Whether vertices were not reached, from their values in arrays: a source has no parent."""
    return (parent == NO_PREDECESSOR) & (cost != 0)


def _check_row(row: Any, rows: int) -> int:
    if row is None:
        raise InvalidValue(
            f"a result of {rows} sources: path(target, row=k) starts at the k-th one"
        )
    if not isinstance(row, (int, np.integer)):
        raise DomainMismatch(f"row must be an integer, not {type(row).__name__}")
    if not 0 <= row < rows:
        raise InvalidIndex(f"row={row} is not in 0..{rows - 1}, the rows of {rows} sources")
    return int(row)


def _numpy(name: str, value: Any) -> Any:
    """Return one field of a result with NumPy arrays, unreached vertices as in SciPy."""
    if isinstance(value, Result):
        return value.to_numpy()
    if not hasattr(value, "nvals"):  # a number, or an array already
        return value
    value = on_host(value)
    if name not in UNREACHED:
        return _writable(value.to_dense())
    if name != "parent":
        return _writable(value.to_dense(fill_value=UNREACHED[name], dtype="FP64"))
    parent = value.to_dense(fill_value=NO_PREDECESSOR)
    is_source = parent == np.arange(parent.shape[-1], dtype=parent.dtype)
    return np.where(is_source, parent.dtype.type(NO_PREDECESSOR), parent)


def _writable(array: Any) -> Any:
    """Return an array that the caller may change: one value for all comes as a read-only view."""
    return array if array.flags.writeable else array.copy()


def result_text(result: Any) -> str:
    """Return the text of a result: its class, and each field in a few words."""
    fields = ", ".join(f"{k}={_brief(v)}" for k, v in zip(result._fields, result, strict=True))
    return f"{type(result).__name__}({fields})"


def first_values(value: Any) -> str:
    """Return the first values of a Vector as text, a dot for no entry; "" for other types."""
    if engine_of(value) == "ranks":  # a text that one rank prints waits for no other
        return ""
    if not hasattr(value, "nvals") or len(value.shape) != 1 or not value.size:
        return ""
    index, values = on_host(value[:SHOWN].new()).to_coo()
    entries = dict(zip(index.tolist(), values.tolist(), strict=True))
    texts = [f"{entries[i]:.4g}" if i in entries else "·" for i in range(min(SHOWN, value.size))]
    return ", ".join(texts) + (", ..." if value.size > SHOWN else "")


def _brief(value: Any, digits: int = 17) -> str:
    """Return one field in a few words, without python-graphblas's formatter."""
    if engine_of(value) == "ranks":
        return repr(value)
    if hasattr(value, "nvals") and hasattr(value, "shape"):
        shape = "x".join(map(str, value.shape))
        return f"[{value.dtype.name} {shape}, {value.nvals} entries]"
    if isinstance(value, tuple):
        return f"({value[0].size} edges)"
    return f"{value:.{digits}g}" if isinstance(value, float) and digits < 17 else repr(value)


class BFS(Paths, NamedTuple("BFS", [("level", Any), ("parent", Any)])):
    """Breadth-first search: Vectors of the graph's index dtype, no entry = unreached.

    `level` is the number of edges from the source; `parent` the previous vertex
    on a shortest path; the source is its own parent.
    """

    __slots__ = ()


class SSSP(Paths, NamedTuple("SSSP", [("distance", Any), ("parent", Any)])):
    """Shortest paths from one source; no entry = unreached."""

    __slots__ = ()


class Edges(Result, NamedTuple("Edges", [("src", Any), ("dst", Any), ("weight", Any)])):
    """Edge columns of equal length."""

    __slots__ = ()


class Triangles(Result, NamedTuple("Triangles", [("u", Any), ("v", Any), ("w", Any)])):
    """Vertices of triangles, columns of equal length."""

    __slots__ = ()


class Forest(Result, NamedTuple("Forest", [("edges", Edges), ("weight", Any), ("component", Any)])):
    """Minimum spanning forest: its edges (src < dst), total weight, component of each vertex."""

    __slots__ = ()


class PageRank(
    Result, NamedTuple("PageRank", [("rank", Any), ("iterations", int), ("residual", float)])
):
    """PageRank of each vertex, the iterations done and the last L1 change."""

    __slots__ = ()


class Centrality(
    Result, NamedTuple("Centrality", [("score", Any), ("iterations", int), ("residual", float)])
):
    """A score of each vertex, the iterations done and the last L1 change."""

    __slots__ = ()


class HITS(
    Result,
    NamedTuple(
        "HITS", [("hubs", Any), ("authorities", Any), ("iterations", int), ("residual", float)]
    ),
):
    """Hubs and authorities, the iterations done and the last L1 change of the hubs."""

    __slots__ = ()


class Communities(Result, NamedTuple("Communities", [("community", Any), ("modularity", float)])):
    """The smallest vertex of each vertex's community, and the modularity of all."""

    __slots__ = ()
