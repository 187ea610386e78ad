"""The graph: an adjacency matrix, its kind, its engine and what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import graphblas as gb
import numpy as np
from graphblas import Matrix, Scalar, Vector, binary, monoid, select, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.errors import DimensionMismatch, DomainMismatch, EngineUnavailable, InvalidGraph

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Kind = Literal["directed", "undirected"]

REAL_DTYPES = (
    *("BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"),
    *("FP32", "FP64"),
)  # python-graphblas's names

# what a Graph computes on first use and keeps
CACHEABLE = (
    "AT",
    "out_degree",
    "in_degree",
    "max_out_degree",
    "nself_edges",
    "is_symmetric",
    "min_weight",
    "max_weight",
    "mean_weight",
    "has_nan",
    "csr",
    "ranks",
)


class CSR(NamedTuple):
    """Compressed sparse rows in NumPy arrays; ``values`` is None for an unweighted graph."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    values: NDArray[Any] | None


class Graph:
    """A graph as an adjacency matrix: entry (i, j) is the edge i -> j and its weight.

    Parameters
    ----------
    A : graphblas.Matrix, scipy.sparse array or matrix, or 2-D array_like
        Square adjacency matrix, of bool, (unsigned) integers of 8 to 64 bits,
        float32 or float64. Every stored entry is an edge, a stored zero too; in
        a dense array every non-zero is one. A Boolean matrix is an unweighted
        graph, whose edges have weight 1, and is kept with one value for all
        entries (iso-valued). Entries that SciPy stores twice are refused.
    kind : {"directed", "undirected"}
        An undirected graph has a symmetric matrix, weights included: this is
        verified. `nedges` counts its edges once.
    copy : bool, default True
        False keeps a ``graphblas.Matrix`` by reference instead of copying it;
        the caller must not change it afterwards. Other inputs are always
        copied, as SuiteSparse's indices are wider than SciPy's.

    Raises
    ------
    DimensionMismatch
        `A` is not square.
    DomainMismatch
        `A` is of another type, or of a dtype that is not real.
    InvalidGraph
        `kind` is unknown, `A` is not symmetric though undirected, or has
        duplicate entries.

    Notes
    -----
    A graph does not change. What is derived from the matrix (`AT`,
    `out_degree`, ...) is computed on first use and kept: absent or correct.
    :meth:`cache` computes it ahead, outside a timing.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    >>> G
    <Graph: directed, 3 vertices, 2 edges, INT64, cpu>
    >>> G.out_degree.to_dense().tolist()
    [1, 1, 0]
    """

    __slots__ = ("A", "_cache", "engine", "kind")

    A: Any
    kind: Kind
    engine: str
    _cache: dict[str, Any]

    def __init__(self, A: Any, *, kind: Kind = "directed", copy: bool = True) -> None:
        if kind not in ("directed", "undirected"):
            raise InvalidGraph(f"kind must be 'directed' or 'undirected', not {kind!r}")
        A = _adjacency(A, copy=copy)
        if A.nrows != A.ncols:
            raise DimensionMismatch(f"an adjacency matrix is square; got {A.nrows} x {A.ncols}")
        A.wait()
        for name, value in (("A", A), ("kind", kind), ("engine", "cpu"), ("_cache", {})):
            object.__setattr__(self, name, value)
        if kind == "undirected":
            if not self.is_symmetric:
                raise InvalidGraph(
                    f"the {A.nrows} x {A.nrows} matrix is not symmetric, so the graph is directed; "
                    "Graph.from_edges(..., kind='undirected') adds the reverse of each edge"
                )
            self._cache["AT"] = A

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph does not change; {name!r} cannot be set")

    @classmethod
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
        """Build a graph from edge columns; see :func:`graphla.build.adjacency`."""
        from graphla.build import adjacency

        A = adjacency(src, dst, weight, n=n, kind=kind, dup=dup)
        G = cls(A, copy=False)
        if kind == "undirected":  # symmetric by construction
            object.__setattr__(G, "kind", kind)
            G._cache.update(is_symmetric=True, AT=A)
        return G

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
    def dtype(self) -> Any:
        """Type of the weights (a python-graphblas dtype); BOOL where unweighted."""
        return self.A.dtype

    @property
    def weighted(self) -> bool:
        """Whether edges carry weights (anything but Boolean)."""
        return self.A.dtype != BOOL

    # ---- new objects on this graph's engine

    def vector(self, dtype: Any) -> Any:
        """Return an empty Vector of length `n` on the engine of the graph."""
        return Vector(dtype, self.n)

    def matrix(self, dtype: Any, nrows: int | None = None, ncols: int | None = None) -> Any:
        """Return an empty Matrix on the engine of the graph, `n` x `n` by default."""
        return Matrix(dtype, self.n if nrows is None else nrows, self.n if ncols is None else ncols)

    def scalar(self, dtype: Any) -> Any:
        """Return a Scalar of value 0 on the engine of the graph."""
        return Scalar.from_value(0, dtype, is_cscalar=True)

    def to(self, engine: str) -> Graph:
        """Return this graph on another engine; nothing ever moves by itself."""
        if engine == self.engine:
            return self
        raise EngineUnavailable(f"engine {engine!r}: this version of graphla runs on 'cpu' only")

    def astype(self, dtype: Any) -> Graph:
        """Return this graph with weights of another dtype; made once and kept."""
        if dtype == self.dtype:
            return self
        return self._keep(f"astype({dtype.name})", lambda: self._cast(dtype))

    def _cast(self, dtype: Any) -> Graph:
        H = Graph(_ready(self.A.dup(dtype)), copy=False)
        object.__setattr__(H, "kind", self.kind)
        if self.kind == "undirected":
            H._cache.update(is_symmetric=True, AT=H.A)
        return H

    # ---- what is computed once

    def cache(self, *names: str) -> Graph:
        """Compute the named properties now (all of :data:`CACHEABLE` are possible)."""
        for name in names:
            if name not in CACHEABLE:
                raise InvalidGraph(f"nothing called {name!r} is cached; known: {CACHEABLE}")
            getattr(self, name)
        return self

    @property
    def cached(self) -> tuple[str, ...]:
        """Names of the properties computed so far."""
        return tuple(self._cache)

    def _keep(self, name: str, compute: Any) -> Any:
        if name not in self._cache:
            self._cache[name] = compute()
        return self._cache[name]

    @property
    def AT(self) -> Any:
        """Transposed adjacency matrix; `A` itself where the graph is undirected."""
        return self._keep("AT", lambda: _ready(self.A.T.new()))

    @property
    def out_degree(self) -> Any:
        """Stored edges leaving each vertex: INT64 Vector with all `n` entries."""
        return self._keep("out_degree", lambda: _row_counts(self.A))

    @property
    def max_out_degree(self) -> int:
        """Largest out-degree; 0 without vertices."""
        return self._keep(
            "max_out_degree", lambda: self.out_degree.reduce(monoid.max).new().value or 0
        )

    @property
    def in_degree(self) -> Any:
        """Stored edges entering each vertex: INT64 Vector with all `n` entries."""
        return self._keep(
            "in_degree", lambda: self.out_degree if self.is_symmetric else _row_counts(self.AT)
        )

    @property
    def nself_edges(self) -> int:
        """Number of self-loops."""
        return self._keep("nself_edges", lambda: self.A.select(select.diag).new().nvals)

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose, weights included."""
        return self._keep("is_symmetric", lambda: _equal(self.A, self.AT))

    @property
    def min_weight(self) -> Any:
        """Smallest weight, NaN apart; None without edges."""
        return self._keep("min_weight", lambda: self.A.reduce_scalar(monoid.min).new().value)

    @property
    def max_weight(self) -> Any:
        """Largest weight, NaN apart; None without edges."""
        return self._keep("max_weight", lambda: self.A.reduce_scalar(monoid.max).new().value)

    @property
    def mean_weight(self) -> Any:
        """Mean weight, as a float; None without edges."""
        return self._keep("mean_weight", lambda: _mean(self.A))

    @property
    def has_nan(self) -> bool:
        """Whether a weight is NaN."""
        return self._keep("has_nan", lambda: _has_nan(self.A))

    @property
    def csr(self) -> CSR:
        """The matrix in NumPy arrays, for native code: 32-bit indices where they fit.

        `indptr` is 64-bit only from 2^31 entries on, `indices` only from 2^31
        vertices on. The arrays are copies and count beside `A` in memory.
        """
        return self._keep("csr", lambda: _to_csr(self.A))

    @property
    def ranks(self) -> Any:
        """Rank of each undirected edge by (weight, edge): see :func:`graphla.transform.ranks`."""
        from graphla.transform import ranks

        return self._keep("ranks", lambda: ranks(self))

    # ---- text

    def __repr__(self) -> str:
        return f"<Graph: {self._summary()}>"

    def _repr_html_(self) -> str:
        return f"<p><b>graphla.Graph</b>: {self._summary()}</p>"

    def _summary(self) -> str:
        def count(k: int, what: str) -> str:
            return f"{k:,} {what if k == 1 else plural[what]}"

        plural = {"vertex": "vertices", "edge": "edges"}
        return (
            f"{self.kind}, {count(self.n, 'vertex')}, {count(self.nedges, 'edge')}, "
            f"{self.dtype.name}, {self.engine}"
        )


def _ready(A: Any) -> Any:
    A.wait()
    return A


def _adjacency(A: Any, *, copy: bool) -> Any:
    """Return `A` as a graphblas.Matrix of a real dtype, iso-valued where Boolean."""
    if isinstance(A, Matrix):
        _check_dtype(A.dtype.name)
        if A.dtype == BOOL and not A.ss.is_iso:
            return A.apply(unary.one).new()
        return A.dup() if copy else A
    if type(A).__module__.startswith("scipy.sparse"):
        return _from_scipy(A)
    if isinstance(A, (list, tuple, np.ndarray)) or hasattr(A, "__array__"):
        dense = np.asarray(A)
        if dense.ndim != 2:
            raise DimensionMismatch(f"an adjacency matrix has 2 dimensions; got {dense.ndim}")
        _check_dtype(dense.dtype)
        rows, cols = np.nonzero(dense)
        return _build(rows, cols, dense[rows, cols], dense.shape)
    raise DomainMismatch(
        "a Graph is made from a graphblas.Matrix, a scipy.sparse array or a 2-D array, "
        f"not from {type(A).__name__}"
    )


def _from_scipy(S: Any) -> Any:
    _check_dtype(S.dtype)
    if S.ndim != 2:
        raise DimensionMismatch(f"an adjacency matrix has 2 dimensions; got {S.ndim}")
    S = S.tocsr() if S.format != "coo" else S
    if S.format == "coo":
        return _build(S.row, S.col, S.data, S.shape)
    # every entry kept, whatever the order inside a row; SuiteSparse sorts
    rows = np.repeat(np.arange(S.shape[0]), np.diff(S.indptr))
    return _build(rows, S.indices, S.data, S.shape)


def _build(rows: Any, cols: Any, values: Any, shape: tuple[int, int]) -> Any:
    values = True if values.dtype == bool else values
    try:
        return Matrix.from_coo(rows, cols, values, nrows=shape[0], ncols=shape[1])
    except gb.exceptions.InvalidValue:
        raise InvalidGraph(
            f"the {shape[0]} x {shape[1]} matrix stores an entry twice; "
            "call its sum_duplicates() or use Graph.from_edges(..., dup=...)"
        ) from None


def _check_dtype(dtype: Any) -> None:
    try:
        name = gb.dtypes.lookup_dtype(dtype).name
    except (TypeError, ValueError):
        name = str(dtype)
    if name not in REAL_DTYPES:
        raise DomainMismatch(f"weights of dtype {name} are not supported; use one of {REAL_DTYPES}")


def _row_counts(A: Any) -> Any:
    """Entries in each row: A plus.pair 1, with zeros where a row is empty."""
    ones = Vector(BOOL, A.ncols)
    ones << True
    degree = Vector(INT64, A.nrows)
    degree << 0
    degree(binary.plus) << A.mxv(ones, semiring.plus_pair[INT64])
    return degree


def _equal(A: Any, B: Any) -> bool:
    """Same structure and values, a NaN being equal to a NaN."""
    if A.isequal(B) or A is B:
        return True
    if not _has_nan(A) or A.nvals != B.nvals:
        return False
    same = A.ewise_mult(B, binary.eq).new()
    both_nan = A.apply(unary.isnan).new().ewise_mult(B.apply(unary.isnan).new(), binary.land)
    same(binary.lor) << both_nan
    return same.nvals == A.nvals and bool(same.reduce_scalar(monoid.land).new().value)


def _mean(A: Any) -> Any:
    total = A.reduce_scalar(monoid.plus[FP64]).new().value
    return total / A.nvals if A.nvals else None


def _has_nan(A: Any) -> bool:
    if A.dtype.name not in ("FP32", "FP64"):
        return False
    return bool(A.apply(unary.isnan).new().reduce_scalar(monoid.lor).new().value)


def _to_csr(A: Any) -> CSR:
    indptr, indices, values = A.to_csr(sort=True)
    narrow = np.iinfo(np.int32).max
    return CSR(
        indptr.astype(np.int32 if A.nvals <= narrow else np.int64),
        indices.astype(np.int32 if A.ncols <= narrow else np.int64),
        None if A.dtype == BOOL else values,
    )
