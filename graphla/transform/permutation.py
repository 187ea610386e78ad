"""The permutation of a renumbered graph, which brings results back to the old numbers."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.engines import engine_of, objects
from graphla.core.results import Edges, result_text
from graphla.core.validation import index_dtype
from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch, InvalidIndex
from graphla.transform.engine import (
    graph_from_rows,
    inverse_permutation,
    operations_for,
    translate_out_of_memory,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Permutation:
    """New vertex k was vertex ``order[k]``; vertices that are not in `order` were cut off.

    Attributes
    ----------
    n : int
        Number of vertices before.
    order : array of int, one element for each new vertex
        On the engine of the graph; INT32 if `n` vertices fit, else INT64.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 3, 3], [3, 1, 4], n=5, kind="undirected")
    >>> H, permutation = gl.transform.by_degree(G)
    >>> H, permutation
    (<Graph: undirected, 4 vertices, 3 edges, BOOL, cpu>, <Permutation: 4 of 5 vertices, cpu>)
    >>> permutation.order.tolist(), permutation.vertex(1)
    ([3, 0, 1, 4], 2)
    >>> r = gl.bfs(H, permutation.vertex(1))
    >>> permutation.undo(r).level.to_dense(fill_value=-1).tolist()
    [2, 0, -1, 1, 2]
    """

    __slots__ = ("_place", "engine", "n", "order", "xp")

    def __init__(self, order: Any, n: int, engine: str, xp: Any) -> None:
        self.order = order.astype(index_dtype(n).np_type, copy=False)
        self.n, self.engine, self.xp = n, engine, xp
        self._place: Any = None

    @property
    def place(self) -> Any:
        """The new number of each old vertex, -1 if it was cut off; computed on first use.

        Its dtype is that of `order`.
        """
        if self._place is None:
            self._place = inverse_permutation(self.order, self.n, self.xp)
        return self._place

    def vertex(self, v: int) -> int:
        """Return the new number of an old vertex, such as a source.

        Raises
        ------
        InvalidIndex
            It is out of range, or was cut off as it has no edge.
        """
        try:
            i = index(v)
        except TypeError:
            raise DomainMismatch(f"a vertex is an integer, not {type(v).__name__}") from None
        if not 0 <= i < self.n:
            raise InvalidIndex(f"{i} is not a vertex: the original graph has n={self.n}")
        new_number = int(self.place[i])
        if new_number < 0:
            raise InvalidIndex(f"vertex {i} has no edge and was cut off")
        return new_number

    @translate_out_of_memory
    def undo(self, result: Any) -> Any:
        """Return a result in the old numbers of the vertices.

        Parameters
        ----------
        result : NamedTuple, Vector or Matrix
            The result of an algorithm, or a native kernel, for the new graph. The values
            of a bare Vector are not changed: see also :meth:`undo_vertices` and
            :meth:`undo_components`.

        Returns
        -------
        Undone, Vector or Matrix
            For a NamedTuple, an object with the same fields, each computed on first use and
            cached; ``new()`` returns the NamedTuple. A vertex that was cut off has no entry.

        Raises
        ------
        DimensionMismatch
            A length is not the number of new vertices.
        DomainMismatch, EngineMismatch
            It is of another type, or on another engine.
        """
        if hasattr(result, "_fields"):
            return Undone(self, result)
        dimensions = len(self._checked(result, 1, 2).shape)
        out = self._empty(result.dtype, dimensions)
        if dimensions == 1:
            out[self.order] << result
        else:
            out[self.order, self.order] << result
        return out

    @translate_out_of_memory
    def undo_vertices(self, v: Any) -> Any:
        """Return a Vector whose values are vertices, such as parents, in the old numbers."""
        indices, values = self._checked(v, 1).to_coo()
        dtype = index_dtype(self.n)
        old = self.order[values].astype(dtype.np_type)
        return objects(self.engine).Vector.from_coo(self.order[indices], old, dtype, size=self.n)

    @translate_out_of_memory
    def undo_components(self, v: Any) -> Any:
        """Return a Vector of the smallest vertex of each component, in the old numbers.

        A vertex that was cut off is a component by itself.
        """
        xp = self.xp
        indices, values = self._checked(v, 1).to_coo()
        label = xp.arange(self.n, dtype=index_dtype(self.n).np_type)
        label[self.order[indices]] = self.order[values]
        by_label = label.argsort(kind="stable")
        first = xp.ones(self.n, np.bool_)
        first[1:] = label[by_label[1:]] != label[by_label[:-1]]
        smallest = by_label[xp.flatnonzero(first)]
        label[by_label] = smallest[first.cumsum() - 1] if self.n else smallest
        out = self._empty(index_dtype(self.n), 1)
        out[:] = label
        return out

    @translate_out_of_memory
    def undo_edges(self, edges: Edges) -> Edges:
        """Return edge columns in the old numbers: src < dst, sorted by (src, dst)."""
        xp = self.xp
        src, dst = (self.order[x.to_dense()] for x in edges[:2])
        src, dst = xp.minimum(src, dst), xp.maximum(src, dst)
        by_ends = xp.lexsort(xp.stack([dst, src])) if src.size else src
        columns = src[by_ends], dst[by_ends], edges.weight.to_dense()[by_ends]
        dtypes = (*(index_dtype(self.n),) * 2, edges.weight.dtype)
        vectors = [objects(self.engine).Vector(dtype, src.size) for dtype in dtypes]
        for vector, column in zip(vectors, columns, strict=True):
            vector[:] = column
        return Edges(*vectors)

    @translate_out_of_memory
    def restore(self, G: Graph) -> Graph:
        """Return G with the old numbers of the vertices: the inverse of the transform."""
        ops = operations_for(G)
        if G.n != self.order.size or G.engine != self.engine:
            raise DimensionMismatch(
                f"{self!r} restores graphs of {self.order.size} vertices on engine "
                f"{self.engine!r}; this has n={G.n} on {G.engine!r}"
            )
        ascending = self.order.argsort()
        rows = ops.permute(G, self.n, self.order, ascending, self.order[ascending])
        return graph_from_rows(rows, G)

    def _checked(self, x: Any, *dimensions: int) -> Any:
        """Return x if it is a Vector or a Matrix over the new vertices; raise otherwise."""
        if not hasattr(x, "nvals") or len(x.shape) not in dimensions:
            raise DomainMismatch(f"undo takes results of algorithms, not {type(x).__name__}")
        if any(length != self.order.size for length in x.shape):
            raise DimensionMismatch(f"a result of shape {x.shape} for {self!r}")
        if engine_of(x) != self.engine:
            raise EngineMismatch(f"a result on engine {engine_of(x)!r} for {self!r}")
        return x

    def _empty(self, dtype: Any, dimensions: int) -> Any:
        classes = objects(self.engine)
        make = classes.Vector if dimensions == 1 else classes.Matrix
        return make(dtype, *[self.n] * dimensions)

    def __repr__(self) -> str:
        return f"<Permutation: {self.order.size:,} of {self.n:,} vertices, {self.engine}>"


class Undone:
    """A result in the old numbers of the vertices; each field is computed on first use."""

    def __init__(self, permutation: Permutation, result: Any) -> None:
        self._permutation, self._result = permutation, result
        self._fields = result._fields

    def __getattr__(self, name: str) -> Any:
        if name[:1] == "_" or name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value, permutation = getattr(self._result, name), self._permutation
        if name == "parent":
            value = permutation.undo_vertices(value)
        elif name == "component":
            value = permutation.undo_components(value)
        elif isinstance(value, Edges):
            value = permutation.undo_edges(value)
        elif hasattr(value, "nvals"):
            value = permutation.undo(value)
        setattr(self, name, value)
        return value

    def __iter__(self) -> Any:
        return (getattr(self, name) for name in self._fields)

    def new(self) -> Any:
        """Return the NamedTuple with all fields computed."""
        return type(self._result)(*self)

    def __repr__(self) -> str:
        return f"<undone on first use: {result_text(self._result)}>"
