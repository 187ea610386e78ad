"""The part common to all generators: argument checks, random streams, and building the Graph."""

from __future__ import annotations

from numbers import Real
from operator import index
from typing import Any

import numpy as np

from graphla.core.edge_list import assemble
from graphla.core.graph import Graph, Kind
from graphla.core.validation import check_between
from graphla.errors import DomainMismatch, InvalidGraph, InvalidValue
from graphla.generate.streams import integers

VERTICES = 2**32  # largest number of vertices: they are uint32 until the graph is built
MAX_SCALE = VERTICES.bit_length() - 1


def check_integer(value: Any, name: str, low: int = 0, high: int | None = None) -> int:
    """Return `value` as an int, or raise DomainMismatch or InvalidValue unless in low..high."""
    try:
        i = index(value)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(value).__name__}") from None
    if i < low or (high is not None and i > high):
        valid = f">= {low}" if high is None else f"in {low}..{high}"
        raise InvalidValue(f"{name}={i} must be {valid}")
    return i


def check_real(value: Any, name: str, low: float = 0.0, high: float = float("inf")) -> float:
    """Return `value` as a float, or raise DomainMismatch or InvalidValue unless in [low, high]."""
    if not isinstance(value, Real):
        raise DomainMismatch(f"{name} must be a real number, not {type(value).__name__}")
    return check_between(float(value), low, high, name)


def draw_uniform_edges(rng: np.random.Generator, n: int, m: int) -> Any:
    """Return m pairs of vertices, drawn independently and uniformly from 0..n-1, as uint32 rows."""
    return integers(rng, 0, max(n - 1, 0), 2 * m, np.uint32).reshape(2, m)


class GraphBuilder:
    """The checked arguments kind, weights and seed, and the last step of every generator.

    `rng` draws the edges. The weights come from a separate stream, so that the edges do not
    depend on whether weights are requested.
    """

    def __init__(self, kind: Kind, weights: Any, seed: Any) -> None:
        if kind not in ("directed", "undirected"):
            raise InvalidGraph(f"kind must be 'directed' or 'undirected', not {kind!r}")
        self.kind = kind
        self.weights = None if weights is None else _check_weights(weights)
        self.rng = np.random.default_rng(check_integer(seed, "seed"))
        (self.weight_rng,) = self.rng.spawn(1)

    def graph(self, src: Any, dst: Any, n: int) -> Graph:
        """Drop self-loops, draw a weight for each edge, keep the first of duplicate edges."""
        weight = None
        if self.weights is not None:
            low, high, dtype = self.weights
            count = int(np.count_nonzero(src != dst))
            weight = integers(self.weight_rng, low, high, count, dtype)
        symmetric = self.kind == "undirected"
        A = assemble(src, dst, weight, n=n, dup="first", symmetric=symmetric, skip_loops=True)
        G = Graph.__new__(Graph)
        G.__setstate__((A, self.kind))
        return G


def _check_weights(weights: Any) -> tuple[int, int, Any]:
    """Return the argument `weights` as (low, high, NumPy dtype)."""
    if not isinstance(weights, (tuple, list)) or len(weights) not in (2, 3):
        raise DomainMismatch(f"weights must be (low, high) or (low, high, dtype), not {weights!r}")
    low, high, dtype = (*weights, np.int32)[:3]  # the default dtype, if none is given
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise DomainMismatch(f"weights: {dtype!r} is not a dtype") from None
    if dtype.kind not in "iu":
        raise DomainMismatch(f"weights: the dtype must be an integer dtype, not {dtype}")
    limits = np.iinfo(dtype)
    low = check_integer(low, "the lowest weight", int(limits.min), int(limits.max))
    return low, check_integer(high, "the highest weight", low, int(limits.max)), dtype
