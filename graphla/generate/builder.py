"""From the edge columns that a generator makes to a simple Graph."""

from __future__ import annotations

from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.graph import Graph
from graphla.core.validation import between
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Kind

VERTICES = 2**32  # the most a generator numbers: vertices are uint32 until the graph is built
MAX_SCALE = VERTICES.bit_length() - 1


def check_integer(value: Any, name: str, low: int = 0, high: int | None = None) -> int:
    """Return `value` as an int in low..high."""
    try:
        i = index(value)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(value).__name__}") from None
    if i < low or (high is not None and i > high):
        raise InvalidValue(
            f"{name}={i} is not {f'>= {low}' if high is None else f'in {low}..{high}'}"
        )
    return i


def check_real(value: Any, name: str, low: float = 0.0, high: float = float("inf")) -> float:
    """Return `value` as a float in [low, high]."""
    if not isinstance(value, Real):
        raise DomainMismatch(f"{name} must be a real number, not {type(value).__name__}")
    return between(float(value), low, high, name)


def draw_uniform_edges(rng: np.random.Generator, n: int, m: int) -> Any:
    """Return m pairs of vertices below n, each end uniform, as two uint32 rows."""
    return rng.integers(0, max(n, 1), size=(2, m), dtype=np.uint32)


class GraphBuilder:
    """What all generators share: checked kind, weights and seed, and the last step.

    `rng` draws the structure. The weights come from a stream of their own, so
    that asking for them changes no edge.
    """

    def __init__(self, kind: Kind, weights: Any, seed: Any) -> None:
        if kind not in ("directed", "undirected"):
            raise InvalidGraph(f"kind must be 'directed' or 'undirected', not {kind!r}")
        self.kind = kind
        self.weights = None if weights is None else _weights(*_sequence(weights))
        self.rng = np.random.default_rng(check_integer(seed, "seed"))
        (self.weight_rng,) = self.rng.spawn(1)

    def graph(self, src: Any, dst: Any, n: int) -> Graph:
        """Drop self-loops, draw a weight for each edge, keep the first of duplicate edges."""
        proper = src != dst
        if not proper.all():
            src, dst = src[proper], dst[proper]
        weight = None
        if self.weights is not None:
            low, high, dtype = self.weights
            weight = self.weight_rng.integers(low, high, src.size, dtype=dtype, endpoint=True)
        return Graph.from_edges(src, dst, weight, n=n, kind=self.kind, dup="first")


def _sequence(weights: Any) -> tuple[Any, ...]:
    if not isinstance(weights, (tuple, list)) or len(weights) not in (2, 3):
        raise DomainMismatch(f"weights must be (low, high) or (low, high, dtype), not {weights!r}")
    return tuple(weights)


def _weights(low: Any, high: Any, dtype: Any = np.int32) -> tuple[int, int, Any]:
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise DomainMismatch(f"weights: {dtype!r} is not a dtype") from None
    if dtype.kind not in "iu":
        raise DomainMismatch(f"weights are drawn from integers; their dtype cannot be {dtype}")
    limits = np.iinfo(dtype)
    low = check_integer(low, "the lowest weight", int(limits.min), int(limits.max))
    return low, check_integer(high, "the highest weight", low, int(limits.max)), dtype
