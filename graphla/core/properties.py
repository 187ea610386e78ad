"""The data that a Graph derives from its adjacency matrix and caches.

Its own properties are in its ``__dict__``, by :class:`cached_property`; the data of other owners
are in ``_derived``, by :func:`derive`. A pickle or a copy has neither.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, TypeVarTuple

import numpy as np
from graphblas import binary, monoid, select, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.core.engines import engine_of, objects_of
from graphla.core.memory import as_device_error
from graphla.errors import EngineMismatch, InvalidGraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphla.core.graph import Graph

T = TypeVar("T")
Variant = TypeVarTuple("Variant")

# the properties that `Graph.cache` computes
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
    "ranks",
)


class CSR(NamedTuple):
    """Compressed sparse rows in NumPy arrays; ``values`` is None for an unweighted graph."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    values: NDArray[Any] | None


class cached_property(functools.cached_property[T]):
    """That of Python 3.12: without the lock that all objects share in 3.11.

    While one thread computes a property of its graph, others compute those of theirs.
    """

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        cache = instance.__dict__
        if self.attrname not in cache:
            try:
                cache[self.attrname] = self.func(instance)
            except MemoryError as error:
                translated = as_device_error(error, instance.engine, f"G.{self.attrname}")
                if translated is not None:
                    raise translated from error
                raise
        return cache[self.attrname]


def derive(G: Graph, make: Callable[[Graph, *Variant], T], *variant: *Variant) -> T:
    """Return ``make(G, *variant)``, computed by the first call and cached with the graph.

    The key is `make` itself and the hashable `variant`, so the data of two owners never collide.
    `make` is a function or a class of a module: a lambda would be a new key at every call.
    """
    cache, key = G._derived, (make, *variant)
    if key not in cache:
        cache[key] = make(G, *variant)
    return cache[key]


def is_derived(G: Graph, make: Callable[[Graph, *Variant], Any], *variant: *Variant) -> bool:
    """Return whether :func:`derive` has computed this already."""
    return (make, *variant) in G._derived


def _name_of(key: Any) -> str:
    """Return the name of the function of :func:`derive`, with its variant."""
    makers = [x.__name__.lstrip("_") for x in key if hasattr(x, "__name__")]
    variant = [str(x) for x in key if not hasattr(x, "__name__") and not isinstance(x, tuple)]
    return f"{makers[-1]}({', '.join(variant)})" if variant else makers[-1]


class CachedProperties:
    """The properties of a Graph that are derived from its matrix `A`: computed on first use."""

    __slots__ = ()

    A: Any
    _derived: dict[Any, Any]

    def cache(self, *names: str) -> Self:
        """Compute the named properties now (all of :data:`CACHEABLE` are possible)."""
        for name in names:
            if name not in CACHEABLE:
                raise InvalidGraph(f"nothing called {name!r} is cached; known: {CACHEABLE}")
            getattr(self, name)
        return self

    @property
    def cached(self) -> tuple[str, ...]:
        """Names of the properties, and of other derived data, computed so far."""
        return (*vars(self), *map(_name_of, self._derived))

    @cached_property
    def AT(self) -> Any:
        """Transposed adjacency matrix; `A` itself if the graph is undirected."""
        return transpose(self.A)

    @cached_property
    def out_degree(self) -> Any:
        """Stored edges leaving each vertex: INT64 Vector with all `n` entries."""
        return row_counts(self.A)

    @cached_property
    def max_out_degree(self) -> int:
        """Largest out-degree; 0 without vertices."""
        return self.out_degree.reduce(monoid.max).new().value or 0

    @cached_property
    def in_degree(self) -> Any:
        """Stored edges entering each vertex: INT64 Vector with all `n` entries."""
        return self.out_degree if vars(self).get("AT") is self.A else row_counts(self.A.T)

    @cached_property
    def nself_edges(self) -> int:
        """Number of self-loops."""
        return self.A.select(select.diag).new().nvals

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose, weights included."""
        cached_transpose = vars(self).get("AT")
        AT = transpose(self.A) if cached_transpose is None else cached_transpose
        symmetric = equal(self.A, AT)
        vars(self)["AT"] = self.A if symmetric else AT
        if symmetric and cached_transpose is None:  # this is the only reference: free it now
            AT.clear()
        return symmetric

    @cached_property
    def min_weight(self) -> Any:
        """Smallest weight; NaN only if all are NaN, None without edges."""
        return self.A.reduce_scalar(monoid.min).new().value

    @cached_property
    def max_weight(self) -> Any:
        """Largest weight; NaN only if all are NaN, None without edges."""
        return self.A.reduce_scalar(monoid.max).new().value

    @cached_property
    def mean_weight(self) -> float | None:
        """Mean weight; None without edges."""
        return mean(self.A)

    @cached_property
    def has_nan(self) -> bool:
        """Whether a weight is NaN."""
        return has_nan(self.A)

    @cached_property
    def csr(self) -> CSR:
        """The matrix in NumPy arrays, for native code: 32-bit indices if they fit.

        `indptr` is 64-bit only from 2^31 entries on, `indices` only from 2^31
        vertices on. The arrays are copies, in addition to `A`. On engine
        "cuda" it raises EngineMismatch: use ``G.to("cpu").csr``.
        """
        return to_csr(self.A)

    @cached_property
    def csr_transposed(self) -> CSR:
        """The transpose in NumPy arrays, as `csr`; `csr` itself if known to be symmetric."""
        return self.csr if vars(self).get("is_symmetric") else to_csr(self.AT)


def transpose(A: Any) -> Any:
    """Return A' as a new Matrix, complete."""
    AT = A.T.new()
    AT.wait()
    return AT


def row_counts(A: Any) -> Any:
    """Entries in each row: A plus.pair 1, with zeros for empty rows."""
    Vector = objects_of(A).Vector
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
    """Copy a Matrix into NumPy arrays, with 32-bit indices if they fit."""
    if (engine := engine_of(A)) != "cpu":
        way = "G.A.gathered().to_csr()" if engine == "ranks" else "G.to('cpu').csr"
        raise EngineMismatch(f"NumPy arrays are of a graph on engine 'cpu': {way}")
    return narrow(A, *A.to_csr(sort=True))


def narrow(A: Any, indptr: Any, indices: Any, values: Any) -> CSR:
    """Return a Matrix's arrays in NumPy's with 32-bit indices if they fit."""
    max_int32 = np.iinfo(np.int32).max
    return CSR(
        indptr.astype(np.int32 if A.nvals <= max_int32 else np.int64),
        indices.astype(np.int32 if A.ncols <= max_int32 else np.int64),
        None if A.dtype == BOOL else np.require(values, requirements=["C", "W"]),
    )
