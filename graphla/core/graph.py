"""The graph: an adjacency matrix, its kind, its engine and its cached properties."""

from __future__ import annotations

from collections.abc import Sized
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import unary
from graphblas.dtypes import BOOL

from graphla.core import engines
from graphla.core.conversions import to_matrix
from graphla.core.display import html_table
from graphla.core.edge_list import Kind, adjacency, check_kind
from graphla.core.properties import (
    CACHEABLE,
    CSR,
    CachedProperties,
    cached_property,
    derive,
)
from graphla.core.validation import (
    REAL_DTYPES,
    explains_wrong_calls,
    index_dtype,
    real_dtype,
)
from graphla.core.weight_order import ranks
from graphla.errors import DomainMismatch, InvalidCall, InvalidGraph
from graphla.suggestions import unknown_member

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["CACHEABLE", "CSR", "REAL_DTYPES", "Graph", "Kind"]


class Graph(CachedProperties):
    """A graph as an adjacency matrix: entry (i, j) is the edge i -> j and its weight.

    Parameters
    ----------
    A : graphblas.Matrix, scipy.sparse array or matrix, or 2-D array_like
        On engine "cuda": graphla.cuda.Matrix, cupyx.scipy.sparse matrix, or 2-D CuPy array.
        Square adjacency matrix, of bool, (unsigned) integers of 8 to 64 bits,
        float32 or float64. Every stored entry is an edge, a stored zero too; in
        a dense array, and in SciPy's BSR and DIA formats, which pad with zeros,
        every non-zero is one. A Boolean matrix is an unweighted graph, whose
        edges have weight 1 (one stored as False, too); it holds one value for
        all entries (iso-valued). Entries that SciPy stores twice are refused.
    kind : {"directed", "undirected"}
        An undirected graph has a symmetric matrix, weights included, NaN being
        equal to NaN: this is verified. `nedges` counts its edges once.
    copy : bool, default True
        False keeps a ``graphblas.Matrix`` by reference instead of copying it
        (one of BOOL only if all its values are True); the caller must not
        change it afterwards. Other inputs are always copied, as SuiteSparse's
        indices are wider than SciPy's, and only read; but on the device arrays of
        a CSR or CSC matrix are kept if their dtypes allow it.
    engine, client : optional
        ``Graph(A, engine="dask", client=client)`` is ``Graph(A).to("dask", client=client)``.

    Raises
    ------
    DimensionMismatch
        `A` is not square.
    DomainMismatch
        `A` is of another type, or of a dtype that is not real.
    InvalidIndex
        An index in a SciPy matrix is out of range.
    InvalidGraph
        `kind` is unknown, `A` is not symmetric though undirected, or has
        duplicate entries.

    Notes
    -----
    A graph does not change, and neither may the objects that it hands out (`A`,
    `out_degree`, ...): these are not copies. What is derived from the matrix (`AT`,
    `out_degree`, ...) is computed on first use and kept: absent or correct.
    :meth:`cache` computes it ahead, outside a timing. Two graphs are equal only
    if they are the same object. A pickled, or copied, graph starts with nothing
    computed; ``copy.copy`` shares the matrix, ``copy.deepcopy`` does not.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    >>> G
    <Graph: directed, 3 vertices, 2 edges, INT64, cpu>
    >>> G.out_degree.to_dense().tolist()
    [1, 1, 0]
    """

    __slots__ = (
        *("A", "__dict__", "__weakref__", "_derived", "_engine_objects", "_input_edges"),
        *("engine", "kind"),
    )

    kind: Kind
    engine: str
    _engine_objects: Any  # the module with the Matrix, Vector and Scalar of the engine
    _input_edges: int | None  # edges that the graph was built from, duplicates included

    def __new__(cls, *args: Any, engine: str | None = None, **options: Any) -> Any:
        if engine is None:
            return super().__new__(cls)
        client = options.pop("client", None)
        return cls(*args, **options).to(engine, client=client)

    @explains_wrong_calls
    def __init__(
        self, A: Any, *, kind: Kind = "directed", copy: bool = True, engine: str | None = None,
        client: Any = None,
    ) -> None:  # fmt: skip
        if engine is not None:  # made by __new__
            return
        if client is not None:
            raise InvalidCall("client= needs engine='dask'")
        check_kind(kind)
        self.__setstate__((to_matrix(A, copy=copy), "directed"))
        if kind == "undirected":
            if not self.is_symmetric:
                raise InvalidGraph(
                    f"the {self.n} x {self.n} matrix is not symmetric, so the graph is directed; "
                    "Graph.from_edges(..., kind='undirected') adds the reverse of each edge, "
                    "and so does A.maximum(A.T) of a SciPy matrix"
                )
            object.__setattr__(self, "kind", kind)

    __signature__ = Signature(list(signature(__init__).parameters.values())[1:])  # not __new__'s

    def __getstate__(self) -> tuple[Any, Kind]:
        return self.A, self.kind

    def __setstate__(self, state: tuple[Any, Kind]) -> None:
        """Set a matrix and a kind without checks."""
        A, kind = state
        A.wait()
        engine = engines.engine_of(A)
        attributes = {"A": A, "kind": kind, "engine": engine, "_derived": {}, "_input_edges": None}
        for name, value in (*attributes.items(), ("_engine_objects", engines.objects_of(A))):
            object.__setattr__(self, name, value)
        if kind == "undirected":
            vars(self).update(is_symmetric=True, AT=A)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph does not change; {name!r} cannot be set")

    def __getattr__(self, name: str) -> Any:
        raise unknown_member(name, dir(type(self)))

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        raise DomainMismatch("a Graph has no len(): G.n vertices and G.nedges edges")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Graph does not change; {name!r} cannot be deleted")

    @classmethod
    @explains_wrong_calls
    def from_edges(
        cls,
        src: ArrayLike,
        dst: ArrayLike,
        weight: ArrayLike | None = None,
        *,
        n: int | None = None,
        kind: Kind = "directed",
        dup: str | None = "min",
    ) -> Graph:
        """Build a graph from edge columns; see :func:`graphla.core.edge_list.adjacency`."""
        G = cls.__new__(cls)
        G.__setstate__((adjacency(src, dst, weight, n=n, kind=kind, dup=dup), kind))
        G._record_input_edges(len(src) if isinstance(src, Sized) else np.asarray(src).size)
        return G

    def _record_input_edges(self, count: int) -> None:
        """Record how many edges the graph was built from, for :attr:`nmerged`."""
        object.__setattr__(self, "_input_edges", count)

    # ---- sizes

    @property
    def n(self) -> int:
        """Number of vertices; they are 0..n-1."""
        return self.A.nrows

    @property
    def nedges(self) -> int:
        """Number of edges; an edge of an undirected graph, or a self-loop, counts once."""
        if self.kind == "directed":
            return self.A.nvals
        return (self.A.nvals + self.nself_edges) // 2

    @property
    def nmerged(self) -> int:
        """Number of edges that were combined with an equal one when the graph was made.

        That is by :meth:`from_edges` or :func:`graphla.read`, whose argument `dup` says how. It
        is 0 for a graph that was made from a matrix or computed from another graph.
        """
        return 0 if self._input_edges is None else self._input_edges - self.nedges

    @property
    def dtype(self) -> Any:
        """Type of the weights (a python-graphblas dtype); BOOL if unweighted."""
        return self.A.dtype

    @property
    def weighted(self) -> bool:
        """Whether edges carry weights (anything but Boolean)."""
        return self.A.dtype != BOOL

    @property
    def index_dtype(self) -> Any:
        """Dtype of vertices, levels and labels in results: INT32 up to n = 2^31, else INT64."""
        return index_dtype(self.n)

    @cached_property
    def ranks(self) -> Any:
        """Rank of each undirected edge by (weight, edge): see :func:`graphla.transform.ranks`."""
        return ranks(self)

    # ---- new objects on this graph's engine

    @explains_wrong_calls
    def vector(self, dtype: Any, size: int | None = None) -> Any:
        """Return an empty Vector on the engine of the graph, of length `n` by default.

        ``v[:] = 1.0`` gives all vertices a value, ``v[i] = 1.0`` one of them.
        """
        return self._engine_objects.Vector(real_dtype(dtype), self.n if size is None else size)

    def matrix(self, dtype: Any, nrows: int | None = None, ncols: int | None = None) -> Any:
        """Return an empty Matrix on the engine of the graph, `n` x `n` by default."""
        shape = (self.n if k is None else k for k in (nrows, ncols))
        return self._engine_objects.Matrix(real_dtype(dtype), *shape)

    def scalar(self, dtype: Any) -> Any:
        """Return a Scalar of value 0 on the engine of the graph."""
        return self._engine_objects.Scalar.from_value(0, real_dtype(dtype), is_cscalar=True)

    def reversed(self) -> Graph:
        """Return the graph with every edge turned round; it shares the matrices of this one."""
        if self.AT is self.A:
            return self
        G = Graph.__new__(Graph)
        G.__setstate__((self.AT, self.kind))
        vars(G).update(AT=self.A, out_degree=self.in_degree, in_degree=self.out_degree)
        return G

    def to(self, engine: str, *, devices: Any = None, client: Any = None) -> Any:
        """Return this graph on another engine, "cpu" or "cuda"; nothing ever moves by itself.

        Parameters
        ----------
        engine : {"cpu", "cuda", "dask"}
            "dask" sends the workers of a Dask cluster a block each.
        devices : int or sequence of int, optional
            For "cuda": how many GPUs, or which. The graph is cut into blocks, one for each, in
            processes that are started for it.
        client : distributed.Client, optional
            For "dask": of the cluster.

        Returns
        -------
        Graph, or with `devices` or `client` a DistributedGraphHandle
            Itself if it is there, else a copy in the memory of that engine, with nothing
            computed. Algorithms take a handle in place of a graph.

        Raises
        ------
        EngineUnavailable
            There is no such engine, or it cannot run here: no CuPy, or no device.
        OutOfDeviceMemory
            It does not fit.
        InvalidValue
            `devices` are given for another engine.
        NotSupported
            The engine is "ranks", or this graph is distributed to ranks.
        InvalidCall
            "dask" without a client, or a client for another engine.
        RankLost
            A worker has ended.
        """
        if client is not None or engine == "dask":
            return engines.on_workers(self, engine, client)
        if devices is not None:
            return engines.on_devices(self, engine, devices)
        if engine == self.engine:
            return self
        G = Graph.__new__(Graph)
        G.__setstate__((engines.moved(self.A, engine), self.kind))
        if self._input_edges is not None:
            G._record_input_edges(self._input_edges)
        return G

    def astype(self, dtype: Any) -> Graph:
        """Return this graph with weights of another dtype; made once and kept.

        Parameters
        ----------
        dtype : dtype
            Any real one, as a python-graphblas or NumPy dtype or its name. To bool
            drops the weights; from floats to integers is refused, as it truncates.
        """
        dtype = real_dtype(dtype)
        if self.dtype.np_type.kind == "f" and dtype.np_type.kind in "iu":
            raise DomainMismatch(f"weights of {self.dtype.name} would be cut to {dtype.name}")
        return self if dtype == self.dtype else derive(self, _astype, dtype)

    # ---- text

    def __repr__(self) -> str:
        return f"<Graph: {self._summary()}>"

    def _repr_html_(self) -> str:
        facts = {
            "kind": self.kind,
            "vertices": f"{self.n:,}",
            "edges": f"{self.nedges:,}{self._merged_text()}",
            "entries a row": f"{self.A.nvals / max(self.n, 1):.3g}",
            "weights": self.dtype.name if self.weighted else "none",
            "engine": self.engine,
        }
        return html_table(facts.items(), caption="Graph")

    def _summary(self) -> str:
        def count(k: int, what: str) -> str:
            return f"{k:,} {what if k == 1 else plural[what]}"

        plural = {"vertex": "vertices", "edge": "edges"}
        return (
            f"{self.kind}, {count(self.n, 'vertex')}, {count(self.nedges, 'edge')}"
            f"{self._merged_text()}, {self.dtype.name}, {self.engine}"
        )

    def _merged_text(self) -> str:
        if self.nmerged < 1:  # below 0 if somebody has written to `A`
            return ""
        return f" ({self.nmerged:,} duplicate{'s' * (self.nmerged > 1)} merged)"


def _astype(G: Graph, dtype: Any) -> Graph:
    A = G.A.apply(unary.one).new(dtype) if dtype == BOOL else G.A.dup(dtype)
    H = Graph.__new__(Graph)
    H.__setstate__((A, G.kind))
    return H
