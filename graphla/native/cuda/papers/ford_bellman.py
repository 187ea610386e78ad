"""Shortest paths by sweeps over all edges, until a sweep changes nothing.

A thread relaxes one edge, in an undirected graph in both directions. Two changes make it faster,
each with and without the other: distances are read through the read-only cache, and edges are
ordered by the segments of vertices of their ends, so that edges relaxed at the same time share few
cache lines.

Each variant takes a graph on engine "cuda" with weights >= 0 and a source, and returns the result
of :func:`graphla.sssp_distances`.

Source: A. Kolganov, 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas.dtypes import INT64

from graphla.core import validation
from graphla.core.properties import derive
from graphla.cuda.device_arrays import empty_bitmap, vector_from_bitmap
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.native.cuda.runtime import kernel
from graphla.native.cuda.sssp import working_dtype
from graphla.transform import block_edges

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SEGMENT = 1 << 20  # vertices whose distances fit in the cache


class Edges(NamedTuple):
    """Both ends and the weight of each edge; an edge of an undirected graph once."""

    starts: Any
    ends: Any
    weights: Any


def _edges(G: Graph, dtype: np.dtype[Any], blocked: bool) -> Edges:
    """Return the edges, if `blocked` in the order of the segments of their ends."""
    blocks = block_edges(G, SEGMENT if blocked else max(G.n, 1))  # one block: the order of G
    weights = device.xp.ones(blocks.src.size, dtype) if blocks.weight is None else blocks.weight
    return Edges(blocks.src, blocks.dst, weights.astype(dtype, copy=False))


def _distances(G: Graph, source: int, read_only: bool, blocked: bool) -> Any:
    validation.refuse_nan(G, "sssp")
    validation.require_nonnegative(G, "sssp", "bellman_ford")
    T, infinity = validation.distance_dtype(G, "sssp") if G.weighted else (INT64, G.n + 1)
    xp, dtype = device.xp, np.dtype(working_dtype(G, infinity))
    edges = derive(G, _edges, dtype, blocked)
    dist = xp.full(G.n, infinity, dtype)
    dist[source] = 0
    flags = f"#define READ_ONLY {int(read_only)}\n#define BOTH {int(G.kind == 'undirected')}\n"
    relax = kernel("ford_bellman", f"typedef {cuda_type(dtype)} Distance;\n" + flags)
    sweep, changed, m = 0, xp.zeros(1, np.uint32), edges.starts.size
    while device.read_scalar(changed) == sweep:
        sweep += 1
        relax(m, m, *edges, dist, dist, sweep, changed)  # it writes `sweep` if a distance changed
    return _vector(G, dist, infinity, T)


def _vector(G: Graph, dist: Any, infinity: Any, T: Any) -> Any:
    """Return the finite distances as the entries of a Vector."""
    n, entries = G.n, empty_bitmap(G.n, T.np_type)
    text = f"typedef {cuda_type(dist.dtype)} Distance;\ntypedef {cuda_type(T.np_type)} Out;\n"
    infinity_code = dist.dtype.type(infinity).view(f"u{dist.itemsize}")
    kernel("pack_distances", text + f"typedef u{8 * dist.itemsize} Code;\n")(
        n, n, dist, int(infinity_code), entries.values, entries.bits
    )
    return vector_from_bitmap(entries, T)


def _variant(name: str, read_only: bool, blocked: bool) -> Callable[[Graph, int], Any]:
    def run(G: Graph, source: int) -> Any:
        return _distances(G, validation.check_vertex(G, source), read_only, blocked)

    run.__name__ = name.replace(", ", "_").replace("-", "_")
    run.__doc__ = f"Find the distances from one vertex by sweeps over all edges: {name}."
    run.__qualname__ = run.__name__
    return translate_out_of_memory(run)


sssp_variants = {
    name: _variant(name, *options)
    for name, options in {
        "edges": (False, False),
        "edges, read-only": (True, False),
        "edges, blocked": (False, True),
        "edges, blocked, read-only": (True, True),
    }.items()
}
