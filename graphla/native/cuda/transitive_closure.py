"""Native transitive closure: the strong component of a hub first, then Warshall's algorithm.

A sparse digraph with a large closure usually has one large strongly connected component S. With F
the vertices that S reaches and B those that reach S (S is part of both),

    closure(A) = closure(A without S) | B F'

so that Warshall's algorithm closes only the graph without S. In a sparse digraph the rows of this
graph have few pivots each, so that a step of many pivots would wait for the closure of the
relation of the pivots: a step takes 64. Graphs are closed as a whole if they are small, if S is a
small part of them, or if a search from the hub takes many steps.

Source: P. Purdom, "A transitive closure algorithm", BIT 10, 1970; G. Slota, S. Rajamanickam,
K. Madduri, "BFS and coloring-based parallel algorithms for strongly connected components",
IPDPS 2014 (the component of a hub, by two searches).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of, matrix_from_bits
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix, bit_matrix_words
from graphla.native.cuda.runtime import kernel
from graphla.native.cuda.transitive_closure_warshall import (
    close,
    close_graph,
    closure_bytes,
    has_few_rows,
    padded_rows,
    require_memory,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.cuda.storage.csr import CSR

SMALL = 8192  # vertices up to which Warshall's algorithm takes no longer than the searches
DEEPEST = 256  # steps of a search after which it is given up
VERTEX = 32  # bytes of working memory for each vertex
SPARSE = 4  # arcs for each vertex up to which the graph without S is closed 64 pivots at a time
PART = 8  # the component has more than n divided by this vertices, else the graph is closed whole


class Component(NamedTuple):
    """The strong component S of a hub.

    Distances from and to the hub are -1 if there is no path. `number` is that of each vertex among
    the `num_outside` vertices outside S, -1 in S.
    """

    from_hub: Any
    to_hub: Any
    number: Any
    num_outside: int


def prepare(G: Graph) -> int:
    """Return the hub: the vertex on most paths of two edges. It is computed once."""
    return derive(G, _find_hub) if G.n else 0


def _find_hub(G: Graph) -> int:
    out, into = (device.xp.diff(csr_of(x).indptr).astype(np.int64) for x in (G.A, G.AT))
    return int(device.read_scalar((out * into).argmax().reshape(1)))


def transitive_closure(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins."""
    require_memory(G, max_bytes)
    component = _find_component(G) if G.n > SMALL else None
    if component is not None and max_bytes is not None and _needed(component) > max_bytes:
        component = None
    R = close_graph(G) if component is None else _close_around(G, component)
    return matrix_from_bits(R)


def _launch(A: CSR, name: str, threads: int, *args: Any) -> None:
    cooperative = name == "hub_distances"
    kernel("hub_component", A.typedefs(), name, cooperative=cooperative)(threads, *args)


def _find_component(G: Graph) -> Component | None:
    """Return the strong component of the hub, None if it is small or takes many steps to find."""
    xp, n, hub = device.xp, G.n, prepare(G)
    A, AT = csr_of(G.A), csr_of(G.AT)
    from_hub, to_hub = (xp.full(n, -1, np.int32) for _ in range(2))
    from_hub[hub] = to_hub[hub] = 0
    last_level = xp.zeros(1, np.int32)
    threads = min(n, 1024 * device.multiprocessors)
    _launch(
        A, "hub_distances", threads, n, A.indptr, A.indices, AT.indptr, AT.indices, from_hub,
        to_hub, DEEPEST, zeroed_words(), last_level,
    )  # fmt: skip
    outside = (from_hub < 0) | (to_hub < 0)
    counts = device.read_words(xp.stack((outside.sum(), last_level[0])))
    num_outside, steps = (int(x) for x in counts)
    if steps == DEEPEST or n - num_outside <= max(1, n // PART):
        return None
    number = xp.where(outside, outside.cumsum(dtype=np.int64) - 1, -1).astype(np.int32)
    return Component(from_hub, to_hub, number, num_outside)


def _needed(S: Component) -> int:
    """Return the bytes of the closure and, beside it, of the closure of the graph without S."""
    n, k = S.number.size, S.num_outside
    inner = max(closure_bytes(k), 4 * bit_matrix_words(padded_rows(k, True), k))
    return closure_bytes(n) + inner + VERTEX * n


def _close_around(G: Graph, S: Component) -> BitMatrix:
    """Close the graph without the component, and assemble the closure of the whole graph."""
    A, n, k = csr_of(G.A), G.n, S.num_outside
    by_64_pivots = has_few_rows(k) or A.nvals < SPARSE * n
    inner = BitMatrix.allocate(padded_rows(k, by_64_pivots), k)
    inner.words[:] = 0
    _launch(
        A, "relation_outside_component", A.nvals, A.nvals, n, A.indptr, A.indices, S.number,
        inner.row_quads, inner.words,
    )  # fmt: skip
    inner = close(inner, by_64_pivots)
    R = BitMatrix.allocate(n, n)
    row_words = 4 * R.row_quads
    columns = device.xp.empty(4 * row_words, np.uint32)
    _launch(A, "describe_columns", row_words, row_words, n, S.from_hub, S.number, columns)
    _launch(
        A, "assemble_closure", R.words.size, n, row_words, columns, S.to_hub, S.number,
        4 * inner.row_quads, inner.words, R.words,
    )  # fmt: skip
    return R
