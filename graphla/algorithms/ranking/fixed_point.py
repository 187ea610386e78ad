"""The loop of all fixed-point iterations: step until the change is small.

x = f(x)   until   |x - last x|_1 < tol
"""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import FP64

from graphla.algorithms._shared.vectors import make_full_vector
from graphla.core import validation
from graphla.core.display import Progress
from graphla.errors import ConvergenceFailure, InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus = monoid.plus[FP64]
square_root, times, truediv = unary.sqrt[FP64], binary.times[FP64], binary.truediv[FP64]


def iterate_to_fixed_point(
    algorithm: str, x: Any, step: Callable[[], None], tol: float, max_iter: int, progress: bool
) -> tuple[int, float]:
    """Repeat a step that updates x until x converges; return iterations and last change.

    Parameters
    ----------
    algorithm : str
        Name for messages.
    x : Vector
        FP64 with all entries.
    step : callable
        One iteration, which writes into `x`.
    tol : float
        Stop when the L1 norm of the change is below `tol`.
    max_iter : int
        Iterations allowed, at least 1.
    progress : bool
        Show a bar of the iterations.

    Raises
    ------
    ConvergenceFailure
        The change is not below `tol` after `max_iter` iterations.
    """
    change = x.dup()
    difference, magnitude, norm = (
        x.ewise_mult(change, binary.minus[FP64]),
        change.apply(unary.abs[FP64]),
        change.reduce(plus),
    )
    with Progress(progress, algorithm) as bar:
        for iteration in range(1, max_iter + 1):
            change << x
            step()
            change << difference
            change << magnitude
            residual = float(norm.new().value)
            bar.step()
            if residual < tol:
                return iteration, residual
            if isnan(residual):  # it stays NaN
                break
    raise ConvergenceFailure(
        f"{algorithm}: the L1 change is {residual:.3g} after {iteration} of "
        f"max_iter={max_iter} iterations, not below {tol:.3g}",
        iterations=iteration,
        residual=residual,
        result=x,
    )


def check_options(G: Graph, tol: Any, max_iter: Any, algorithm: str) -> tuple[float, int]:
    """Check the graph and its weights, and return `tol` and `max_iter` checked."""
    validation.check_graph(G)
    validation.require_summable(G, algorithm)
    return validation.check_positive(tol, "tol"), validation.check_count(max_iter, "max_iter")


def fill_with_zeros(G: Graph, x: Any, name: str) -> Any:
    """Return a Vector as FP64 with missing entries 0; raise InvalidValue if a sum is infinite."""
    validation.check_vector(G, x, name)
    full = make_full_vector(G, FP64, 0.0)
    full(binary.plus[FP64]) << x.apply(times, right=1.0)
    size = full.apply(unary.abs[FP64]).new().reduce(plus).new().get(0.0)
    if not size < float("inf"):
        raise InvalidValue(f"{name}: the sum of its absolute values is {size}")
    return full


def normalize_distribution(G: Graph, x: Any, name: str) -> Any:
    """Return a Vector scaled to sum 1, with missing entries 0; the uniform one for None."""
    if x is None:
        return make_full_vector(G, FP64, 1 / max(G.n, 1))
    full = fill_with_zeros(G, x, name)
    total, least = (full.reduce(m[FP64]).new().value or 0.0 for m in (monoid.plus, monoid.min))
    if not (least >= 0 and total > 0):
        raise InvalidValue(f"{name} must be >= 0 with a positive sum, not min={least}, sum={total}")
    full << full.apply(truediv, right=total)
    return full


def prepare_product(G: Graph) -> tuple[Graph, Any]:
    """Return the graph with FP64 weights, and the semiring that multiplies its matrix by a vector.

    An unweighted graph is returned as it is, with a semiring that reads no values of the matrix.
    """
    if G.weighted:
        return G.astype(FP64), semiring.plus_times[FP64]
    return G, semiring.plus_second[FP64]


def compute_l2_norm(x: Any) -> float:
    """Return the L2 norm of an FP64 Vector; 1 instead of 0, so that one can divide by it."""
    square = x.ewise_mult(x, times).reduce(plus).new().value
    if 1e-200 < square < float("inf"):  # neither underflow nor overflow
        return float(square**0.5)
    peak = x.apply(unary.abs[FP64]).new().reduce(monoid.max[FP64]).new().value
    if not peak:
        return 1.0
    y = x.apply(truediv, right=peak).new()
    return float(peak * y.ewise_mult(y, times).reduce(plus).new().value ** 0.5)
