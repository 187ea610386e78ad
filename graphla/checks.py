"""Argument checks shared by all algorithms: done first, before any work."""

from __future__ import annotations

from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from graphla.errors import (
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    NegativeWeight,
    SymmetricStructureRequired,
)

if TYPE_CHECKING:
    from graphla.graph import Graph


def vertex(G: Graph, v: Any, name: str = "source") -> int:
    """Return `v` as an int in 0..n-1."""
    try:
        i = index(v)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(v).__name__}") from None
    if not 0 <= i < G.n:
        raise InvalidIndex(f"{name}={i} is not a vertex: the graph has n={G.n} vertices")
    return i


def vertices(G: Graph, vs: Any, name: str = "sources") -> list[int]:
    """Return `vs` as a list of ints in 0..n-1."""
    try:
        return [vertex(G, v, name) for v in vs]
    except TypeError as error:
        if isinstance(error, DomainMismatch):
            raise
        raise DomainMismatch(f"{name} must be a sequence of integers") from None


def symmetric(G: Graph, algorithm: str) -> None:
    """Refuse a graph whose matrix is not symmetric."""
    if not G.is_symmetric:
        raise SymmetricStructureRequired(
            f"{algorithm} is defined on undirected graphs; this {G.kind} graph of {G.n} vertices "
            "is not symmetric (Graph.from_edges(..., kind='undirected') symmetrises)"
        )


def no_nan(G: Graph, algorithm: str) -> None:
    """Refuse NaN weights."""
    if G.has_nan:
        raise InvalidValue(f"{algorithm}: a weight is NaN")


def nonnegative(G: Graph, algorithm: str, instead: str) -> None:
    """Refuse negative weights and name the algorithm that takes them."""
    if G.weighted and G.A.nvals and G.min_weight < 0:
        raise NegativeWeight(
            f"{algorithm} needs weights >= 0; the smallest is {G.min_weight}. {instead} takes them"
        )


def between(value: float, low: float, high: float, name: str) -> float:
    """Return `value` where low <= value <= high."""
    if not isinstance(value, Real):
        raise DomainMismatch(f"{name} must be a real number, not {type(value).__name__}")
    if not low <= value <= high:
        raise InvalidValue(f"{name}={value} is not in [{low}, {high}]")
    return value


def fraction(value: Any, name: str) -> float:
    """Return `value` where 0 <= value < 1."""
    if not 0 <= real(value, name) < 1:
        raise InvalidValue(f"{name}={value} is not in [0, 1)")
    return float(value)


def positive(value: Any, name: str) -> float:
    """Return `value` where 0 < value < infinity."""
    if not 0 < real(value, name) < float("inf"):
        raise InvalidValue(f"{name}={value} is not a positive number")
    return float(value)


def count(value: Any, name: str) -> int:
    """Return `value` as an int of at least 1."""
    try:
        i = index(value)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(value).__name__}") from None
    if i < 1:
        raise InvalidValue(f"{name}={i} is not at least 1")
    return i


def real(value: Any, name: str) -> Any:
    """Return `value` where it is a real number."""
    if not isinstance(value, Real):
        raise DomainMismatch(f"{name} must be a number, not {type(value).__name__}")
    return value


def one_of(value: Any, choices: tuple[str, ...], name: str) -> Any:
    """Return `value` where it is one of `choices`."""
    if value not in choices:
        raise InvalidValue(f"{name}={value!r} is not one of {choices}")
    return value
