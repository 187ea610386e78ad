"""What is computed once from an adjacency matrix and kept by its Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from graphblas import binary, monoid, select, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.core.engines import engine_of, objects
from graphla.errors import EngineMismatch, InvalidGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    "csr_transposed",
    "csr_by_weight",
    "ranks",
)


class CSR(NamedTuple):
    """Compressed sparse rows in NumPy arrays; ``values`` is None for an unweighted graph."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    values: NDArray[Any] | None


class Derived:
    """What a Graph knows about its matrix `A`: each property is absent or correct."""

    __slots__ = ()

    A: Any
    _cache: dict[str, Any]

    def cache(self, *names: str) -> Self:
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
        return self._keep("AT", lambda: transpose(self.A))

    @property
    def out_degree(self) -> Any:
        """Stored edges leaving each vertex: INT64 Vector with all `n` entries."""
        return self._keep("out_degree", lambda: row_counts(self.A))

    @property
    def max_out_degree(self) -> int:
        """Largest out-degree; 0 without vertices."""
        return self._keep(
            "max_out_degree", lambda: self.out_degree.reduce(monoid.max).new().value or 0
        )

    @property
    def in_degree(self) -> Any:
        """Stored edges entering each vertex: INT64 Vector with all `n` entries."""
        if self._cache.get("AT") is self.A:
            return self._keep("in_degree", lambda: self.out_degree)
        return self._keep("in_degree", lambda: row_counts(self.A.T))

    @property
    def nself_edges(self) -> int:
        """Number of self-loops."""
        return self._keep("nself_edges", lambda: self.A.select(select.diag).new().nvals)

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose, weights included."""
        return self._keep("is_symmetric", self._compare_transpose)

    def _compare_transpose(self) -> bool:
        known = self._cache.get("AT")
        AT = transpose(self.A) if known is None else known
        symmetric = equal(self.A, AT)
        self._cache["AT"] = self.A if symmetric else AT
        if symmetric and known is None:  # nobody else has it: give its memory back now
            AT.clear()
        return symmetric

    @property
    def min_weight(self) -> Any:
        """Smallest weight; NaN only where all are NaN, None without edges."""
        return self._keep("min_weight", lambda: self.A.reduce_scalar(monoid.min).new().value)

    @property
    def max_weight(self) -> Any:
        """Largest weight; NaN only where all are NaN, None without edges."""
        return self._keep("max_weight", lambda: self.A.reduce_scalar(monoid.max).new().value)

    @property
    def mean_weight(self) -> float | None:
        """Mean weight; None without edges."""
        return self._keep("mean_weight", lambda: mean(self.A))

    @property
    def has_nan(self) -> bool:
        """Whether a weight is NaN."""
        return self._keep("has_nan", lambda: has_nan(self.A))

    @property
    def csr(self) -> CSR:
        """The matrix in NumPy arrays, for native code: 32-bit indices where they fit.

        `indptr` is 64-bit only from 2^31 entries on, `indices` only from 2^31
        vertices on. The arrays are copies and count beside `A` in memory. A graph on
        engine "cuda" has none (EngineMismatch): ``G.to("cpu").csr``.
        """
        return self._keep("csr", lambda: to_csr(self.A))

    @property
    def csr_transposed(self) -> CSR:
        """The transpose in NumPy arrays, as `csr`; `csr` itself where symmetric."""
        if self._cache.get("is_symmetric"):
            return self.csr
        return self._keep("csr_transposed", lambda: to_csr(self.AT))

    @property
    def csr_by_weight(self) -> CSR:
        """The matrix in NumPy arrays, as `csr`, with each row sorted by (weight, column).

        It is `csr` itself where unweighted. NaN is refused.
        """
        from graphla.core import validation
        from graphla.numba_support.compiling import announced
        from graphla.transform.sort_rows import rows_by_weight

        def compute() -> CSR:
            validation.no_nan(self, "csr_by_weight")  # type: ignore[arg-type]
            with announced("Graph.csr_by_weight"):
                return rows_by_weight(self.csr, self.min_weight, self.max_weight)

        return self._keep("csr_by_weight", compute)

    @property
    def ranks(self) -> Any:
        """Rank of each undirected edge by (weight, edge): see :func:`graphla.transform.ranks`."""
        from graphla.transform import ranks

        return self._keep("ranks", lambda: ranks(self))  # type: ignore[arg-type]


def transpose(A: Any) -> Any:
    """Return A' as a matrix of its own, complete."""
    AT = A.T.new()
    AT.wait()
    return AT


def row_counts(A: Any) -> Any:
    """Entries in each row: A plus.pair 1, with zeros where a row is empty."""
    Vector = objects(engine_of(A)).Vector
    ones = Vector(BOOL, A.ncols)
    ones << True
    degree = Vector(INT64, A.nrows)
    degree << 0
    degree(binary.plus) << A.mxv(ones, semiring.plus_pair[INT64])
    return degree


def equal(A: Any, B: Any) -> bool:
    """Same structure and values, a NaN being equal to a NaN."""
    if A is B or A.isequal(B):
        return True
    if not has_nan(A) or A.nvals != B.nvals:
        return False
    same = A.ewise_mult(B, binary.eq).new()
    both_nan = A.apply(unary.isnan).new().ewise_mult(B.apply(unary.isnan).new(), binary.land)
    same(binary.lor) << both_nan
    return same.nvals == A.nvals and bool(same.reduce_scalar(monoid.land).new().value)


def mean(A: Any) -> float | None:
    """Mean of the values, summed in FP64; None without any."""
    return A.reduce_scalar(monoid.plus[FP64]).new().value / A.nvals if A.nvals else None


def has_nan(A: Any) -> bool:
    """Whether a value is NaN."""
    if A.dtype.name not in ("FP32", "FP64"):
        return False
    return bool(A.apply(unary.isnan).new().reduce_scalar(monoid.lor).new().value)


def to_csr(A: Any) -> CSR:
    """Copy a Matrix into NumPy arrays, with 32-bit indices where they fit."""
    if engine_of(A) != "cpu":
        raise EngineMismatch("NumPy arrays are of a graph on engine 'cpu': G.to('cpu').csr")
    return narrow(A, *A.to_csr(sort=True))


def narrow(A: Any, indptr: Any, indices: Any, values: Any) -> CSR:
    """Return a Matrix's arrays in NumPy's with 32-bit indices where they fit."""
    most = np.iinfo(np.int32).max
    return CSR(
        indptr.astype(np.int32 if A.nvals <= most else np.int64),
        indices.astype(np.int32 if A.ncols <= most else np.int64),
        None if A.dtype == BOOL else np.require(values, requirements=["C", "W"]),
    )
