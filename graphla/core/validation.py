"""Argument checks, done first, before any work, and the dtypes that results need."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from inspect import signature
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np
from graphblas.dtypes import INT32, INT64, UINT32, lookup_dtype

from graphla.core.engines import RemoteGraph, call_remotely, engine_of
from graphla.core.memory import as_device_error, available, budget, require
from graphla.core.properties import CachedProperties
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    InvalidCall,
    InvalidIndex,
    InvalidValue,
    NegativeWeight,
    OutOfDeviceMemory,
    OutOfMemory,
    SymmetricStructureRequired,
    UnknownArgument,
)
from graphla.suggestions import argument, conversion, suggest, unknown_argument, wrong_call

if TYPE_CHECKING:
    from graphla.core.graph import Graph


P = ParamSpec("P")
R = TypeVar("R")

REAL_DTYPES = (
    *("BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"),
    *("FP32", "FP64"),
)  # python-graphblas's names
NUMPY_DTYPES = tuple(lookup_dtype(name).np_type for name in REAL_DTYPES)
MAX_INT32_VERTICES = 1 << 31  # 0..n-1 fit INT32
LABEL_OF_VERTEX = (  # {}: the label
    "; the vertex of a label is labels.get_loc({0!r}) with the labels of "
    "gl.interop.pandas.from_edges, and H.index[{0!r}] with H of gl.interop.networkx.from_networkx"
)
SEVERAL_SOURCES = "; all_pairs_shortest_paths and shortest_path_trees take several sources"
MANY = 2**26  # vertices from which free memory is checked: five Vectors take 2.5 GiB


def explains_wrong_calls(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function say what is wrong with the arguments of a call.

    An unknown keyword raises UnknownArgument, with a suggestion; arguments that are missing, too
    many, or a graph at the place of another argument raise InvalidCall. Only a call that raised
    TypeError is examined, so that others stay fast. A failed allocation of an array on the device
    of the graph becomes OutOfDeviceMemory. A call with a graph of other processes runs there.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        G = args[0] if args else kwargs.get("G")
        if isinstance(G, RemoteGraph):
            found: R = call_remotely(G, function, args, kwargs)
            return found
        try:
            return function(*args, **kwargs)
        except TypeError:
            if message := unknown_argument(function, kwargs):
                raise UnknownArgument(message) from None
            if message := wrong_call(function, args, kwargs) or _misplaced_graph(function, args):
                raise InvalidCall(message) from None
            raise
        except MemoryError as error:
            engine = getattr(G, "engine", "cpu")
            if (translated := as_device_error(error, engine, function.__qualname__)) is not None:
                raise translated from error
            raise

    return call


def _misplaced_graph(function: Callable, args: tuple[Any, ...]) -> str | None:
    """Return a message on a Graph that is at the place of another argument, None without one."""
    names = list(signature(function).parameters)
    if "G" not in names[: len(args)] or isinstance(args[names.index("G")], CachedProperties):
        return None
    found = next((k for k, x in enumerate(args) if isinstance(x, CachedProperties)), None)
    if found is None:
        return None
    return (
        f"the graph is given as {names[found]!r}: call "
        f"{function.__qualname__}({', '.join(names[: len(args)])})"
    )


def check_graph(G: Graph) -> None:
    """Refuse an object that is not a Graph, or whose dense Vectors do not fit in memory."""
    if not isinstance(G, CachedProperties):
        advice = conversion(G) or (
            "Graph(A) makes it from a matrix, Graph.from_edges(src, dst) from columns"
        )
        raise DomainMismatch(f"expected a graphla.Graph, not {full_name(G)}; {advice}")
    if G.n < MANY:
        return
    layout = getattr(G.A, "layout", None)  # on ranks: each has a piece of every Vector
    n = G.n if layout is None else int(np.diff(layout.boundaries(G.n)).max())
    if (free := available(G.engine)) < (needed := 40 * n):
        what = f"five Vectors over n={G.n:,} vertices"
        if layout is not None:
            what = f"five Vectors over {n:,} vertices, the largest part of a rank,"
        if G.engine == "cuda":
            raise OutOfDeviceMemory(what, needed=needed, free=free)
        raise OutOfMemory(f"{what} take {needed:,} bytes; {free:,} are available")


def check_vertex(G: Graph, v: Any, name: str = "source") -> int:
    """Return `v` as an int in 0..n-1."""
    check_graph(G)
    return check_vertex_number(G.n, v, name)


def check_vertex_number(n: int, v: Any, name: str = "source") -> int:
    """Return `v` as an int in 0..n-1."""
    try:
        i = index(v)
    except TypeError:
        hint = LABEL_OF_VERTEX.format(v) if isinstance(v, str) else ""
        if name == "source" and isinstance(v, (list, tuple, np.ndarray)):
            hint = SEVERAL_SOURCES
        message = f"{name} must be an integer, not {type(v).__name__}{hint}"
        raise DomainMismatch(message) from None
    if not 0 <= i < n:
        given = argument(name, i) if name in ("source", "sources") else f"{name}={i}"
        raise InvalidIndex(f"{given} is not a vertex: the graph has n={n} vertices")
    return i


def check_vertices(G: Graph, vs: Any, name: str = "sources") -> list[int]:
    """Return `vs` as a list of ints in 0..n-1."""
    check_graph(G)
    if isinstance(vs, str):
        raise DomainMismatch(f"{name} must be a sequence of integers{LABEL_OF_VERTEX.format(vs)}")
    if isinstance(vs, np.ndarray) and vs.ndim == 1 and vs.dtype.kind in "iu" and vs.size:
        check_vertex(G, vs.min(), name)
        check_vertex(G, vs.max(), name)
        return vs.tolist()
    try:
        return [check_vertex(G, v, name) for v in vs]
    except TypeError as error:
        if isinstance(error, DomainMismatch):
            raise
        raise DomainMismatch(f"{name} must be a sequence of integers") from None


def check_pairs(G: Graph, src: Any, dst: Any) -> tuple[list[int], list[int]]:
    """Return two lists of vertices of equal length."""
    src, dst = check_vertices(G, src, "src"), check_vertices(G, dst, "dst")
    if len(src) != len(dst):
        raise DimensionMismatch(f"src has {len(src)} vertices and dst {len(dst)}")
    return src, dst


def require_symmetric(G: Graph, algorithm: str) -> None:
    """Refuse a graph whose matrix is not symmetric."""
    check_graph(G)
    if not G.is_symmetric:
        way = argument("kind", "undirected", of="Graph.from_edges")
        raise SymmetricStructureRequired(
            f"{algorithm} is defined on undirected graphs; this {G.kind} graph of {G.n} vertices "
            f"is not symmetric ({way} symmetrises)"
        )


def refuse_nan(G: Graph, algorithm: str) -> None:
    """Refuse NaN weights."""
    if G.has_nan:
        raise InvalidValue(f"{algorithm}: a weight is NaN")


def require_summable(G: Graph, algorithm: str) -> None:
    """Refuse weights that are NaN or infinite, or whose sums may become infinite."""
    refuse_nan(G, algorithm)
    if G.dtype.name.startswith("FP") and not G.n * float(largest := largest_weight(G)) < 1e300:
        raise InvalidValue(
            f"{algorithm}: sums of weights up to {largest} in absolute value may be infinite"
        )


def require_nonnegative(G: Graph, algorithm: str, instead: str) -> None:
    """Refuse negative weights and name the algorithm that takes them."""
    if G.weighted and G.A.nvals and G.min_weight < 0:
        raise NegativeWeight(
            f"{algorithm} needs weights >= 0; the smallest is {G.min_weight}. {instead} takes them"
        )


def require_finite_nonnegative(G: Graph, algorithm: str) -> None:
    """Refuse weights that are NaN, negative or infinite."""
    refuse_nan(G, algorithm)
    if G.A.nvals and G.weighted and not 0 <= G.min_weight <= G.max_weight < float("inf"):
        raise InvalidValue(
            f"{algorithm} needs finite weights >= 0, not from {G.min_weight} to {G.max_weight}"
        )


def check_finite_sum(total: float, G: Graph, algorithm: str) -> float:
    """Return the sum of the weights; refuse infinity."""
    if total == float("inf"):
        raise InvalidValue(f"{algorithm}: weights up to {G.max_weight} have an infinite sum")
    return total


def largest_weight(G: Graph) -> Any:
    """Return max|w|, 0 without edges."""
    return max(abs(G.min_weight or 0), abs(G.max_weight or 0))


def real_dtype(x: Any) -> Any:
    """Return a python-graphblas dtype given as itself, as NumPy's or by name; refuse others."""
    try:
        dtype = lookup_dtype(x)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise DomainMismatch(f"dtype={x!r} is not a dtype") from None
    if dtype.name not in REAL_DTYPES:
        raise DomainMismatch(f"dtype={x!r} is not one of {', '.join(REAL_DTYPES)}")
    return dtype


def check_dtype(dtype: Any) -> None:
    """Refuse a NumPy dtype that is not real."""
    if dtype not in NUMPY_DTYPES:
        known = ", ".join(map(str, NUMPY_DTYPES))
        raise DomainMismatch(f"weights of dtype {dtype} are not supported; use one of {known}")


def index_dtype(n: int) -> Any:
    """Return the dtype of vertices 0..n-1 in results, and of levels and labels: INT32 or INT64."""
    return INT32 if n <= MAX_INT32_VERTICES else INT64


def distance_dtype(G: Graph, algorithm: str) -> tuple[Any, Any]:
    """Return a dtype for path lengths and its value for "not reached".

    A walk of up to n + 1 edges has a length of at most (n + 1) max|w|, so no sum
    overflows if one edge more still fits: in the dtype of the weights, or else
    in INT64. Floats need room for twice that: x is |w| away from x + w, so rounding gives a
    value below x + 2|w|. "Not reached" is larger than all lengths, also after a weight is added.
    """
    dtype, largest = G.dtype, largest_weight(G)
    if dtype.name in ("FP32", "FP64"):
        if 2 * (G.n + 2) * float(largest) < float(np.finfo(dtype.np_type).max):
            return dtype, math.inf
    else:
        for fits in (dtype, INT64):
            if (G.n + 2) * largest < min(np.iinfo(fits.np_type).max, 2**63 - 1):
                return fits, (G.n + 1) * largest + 1
        dtype = INT64
    raise InvalidValue(
        f"{algorithm}: paths over n={G.n} vertices with weights up to {largest} in absolute value "
        f"may be longer than {dtype.name} holds"
    )


def narrow_distance_dtype(G: Graph, dtype: Any, infinity: Any) -> Any:
    """Return a dtype for lengths >= 0 below `infinity`, and one edge more, that takes less memory
    than `dtype`, if there is one as wide as the weights.
    """
    fits = infinity + largest_weight(G) <= np.iinfo(np.uint32).max
    return UINT32 if dtype == INT64 and fits and G.dtype.np_type.itemsize <= 4 else dtype


def largest_below(infinity: Any, dtype: Any) -> Any:
    """Return the largest value of a dtype below `infinity`: no length is beyond, rounded or not."""
    if dtype.name in ("FP32", "FP64"):
        return float(np.finfo(dtype.np_type).max)
    return infinity - 1


def check_real(value: Any, name: str) -> Any:
    """Return `value` if it is a real number."""
    if not isinstance(value, Real):
        raise DomainMismatch(f"{name} must be a real number, not {type(value).__name__}")
    return value


def check_finite(value: Any, name: str) -> float:
    """Return `value` if it is a number, neither infinite nor NaN."""
    try:
        number = float(check_real(value, name))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidValue(f"{name}={value} is not finite")
    return number


def full_name(x: Any) -> str:
    """Return the name of an object's class, with its package if that is not Python."""
    package, name = type(x).__module__.partition(".")[0], type(x).__name__
    return name if package == "builtins" else f"{package}'s {name}"


def refuse_result(x: Any, name: str) -> None:
    """Refuse a result of several fields where one of them is expected."""
    if fields := getattr(x, "_fields", ()):
        wanted = name if name in fields else fields[0]
        raise DomainMismatch(
            f"{name} is a whole {type(x).__name__}, not one of its fields {', '.join(fields)}: "
            f"pass r.{wanted} instead of r"
        )


def check_vector(G: Graph, x: Any, name: str) -> Any:
    """Return `x` if it is a Vector of length n on the engine of the graph."""
    refuse_result(x, name)
    if type(x).__name__ != "Vector" or not hasattr(type(x), "nvals"):
        raise DomainMismatch(f"{name} must be a Vector, not {type(x).__name__}")
    if engine_of(x) != G.engine:
        raise EngineMismatch(f"{name} is on engine {engine_of(x)!r}, the graph on {G.engine!r}")
    if x.size != G.n:
        raise DimensionMismatch(f"{name} is of length {x.size}, not n={G.n}")
    return x


def check_communities(G: Graph, x: Any) -> Any:
    """Return a Vector of integers with all n entries on the engine of the graph."""
    if check_vector(G, x, "community").dtype.np_type.kind not in "iu":
        raise DomainMismatch(f"community must be of integers, not {x.dtype.name}")
    if x.nvals != G.n:
        raise DimensionMismatch(f"community has {x.nvals} entries of {G.n}")
    return x


def check_between(value: float, low: float, high: float, name: str) -> float:
    """Return `value` if low <= value <= high."""
    if not low <= check_real(value, name) <= high:
        raise InvalidValue(f"{name}={value} is not in [{low}, {high}]")
    return value


def check_fraction(value: Any, name: str) -> float:
    """Return `value` if 0 <= value < 1."""
    if not 0 <= check_real(value, name) < 1:
        raise InvalidValue(f"{name}={value} is not in [0, 1)")
    return float(value)


def check_positive(value: Any, name: str) -> float:
    """Return `value` if 0 < value < infinity."""
    if not 0 < check_real(value, name) < math.inf:
        raise InvalidValue(f"{name}={value} is not a positive number")
    return check_finite(value, name)


def check_not_negative(value: Any, name: str) -> float:
    """Return `value` if 0 <= value < infinity."""
    if check_finite(value, name) < 0:
        raise InvalidValue(f"{name}={value} is negative")
    return float(value)


def check_count(value: Any, name: str) -> int:
    """Return `value` as an int of at least 1."""
    try:
        i = index(value)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(value).__name__}") from None
    if i < 1:
        raise InvalidValue(f"{name}={i} is not at least 1")
    return i


def check_choice(value: Any, choices: tuple[str, ...], name: str) -> Any:
    """Return `value` if it is one of `choices`."""
    if value not in choices:
        hint = suggest(value, choices) if isinstance(value, str) else ""
        raise InvalidValue(f"{name}={value!r} is not one of {choices}{hint}")
    return value


def check_iteration(
    damping: Any, tol: Any, max_iter: Any, dtype: Any
) -> tuple[float, float, int, str]:
    """Return the parameters of a PageRank iteration."""
    return (
        check_fraction(damping, "damping"),
        check_positive(tol, "tol"),
        check_count(max_iter, "max_iter"),
        check_choice(dtype, ("FP64", "FP32"), "dtype"),
    )


def check_distance_memory(
    G: Graph, T: Any, rows: int, max_bytes: int | None, algorithm: str
) -> None:
    """Refuse a matrix of distances that would not fit when it is full."""
    size = rows * G.n * (T.np_type.itemsize + 1)
    what, asked = f"{algorithm} of {rows:,} x {G.n:,} distances", max_bytes is not None
    require(size, budget(max_bytes, G.engine), what, "cpu" if asked else G.engine)


def total_weight_dtype(G: Graph, algorithm: str) -> str:
    """Return a NumPy type for the weight of n - 1 edges; refuse integers that may not fit it."""
    if G.dtype.name.startswith("FP"):
        return "float64"
    name, limit = ("uint64", 2**64) if G.dtype.name.startswith("U") else ("int64", 2**63)
    if (G.n - 1) * (top := int(largest_weight(G))) >= limit:
        raise InvalidValue(f"{algorithm}: {G.n - 1} edges of weight up to {top} may leave {name}")
    return name
