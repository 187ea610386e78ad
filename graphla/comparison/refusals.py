"""Reasons why an implementation does not run on a graph: too slow, or not defined on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphla.comparison import convert

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MAX_SECONDS = 300  # estimated time of one call above which an implementation is skipped


def intersection_steps(G: Graph) -> int:
    """Return the sum over the edges of the smaller degree of their ends."""
    src, dst, _ = convert.edges(G)
    degree = np.diff(G.csr.indptr)
    return int(np.minimum(degree[src], degree[dst]).sum())


def too_long(seconds: float, why: str) -> str | None:
    """Return a reason if a call of `seconds` would exceed :data:`MAX_SECONDS`, else None."""
    if seconds <= MAX_SECONDS:
        return None
    return f"would take about {seconds / 60:,.0f} minutes: {why}"


def directed(G: Graph) -> str | None:
    """Return a reason if the graph is directed, and the library reads it as undirected."""
    return "defined on undirected graphs only" if G.kind == "directed" else None


def negative_weights(G: Graph) -> str | None:
    """Return a reason if a weight is negative, which Dijkstra's algorithm does not allow."""
    if G.weighted and G.A.nvals and G.min_weight < 0:
        return f"needs weights >= 0; the smallest is {G.min_weight}"
    return None
