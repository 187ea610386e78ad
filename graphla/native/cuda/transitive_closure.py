"""Transitive closure by hand: the strong component of a hub first, then Warshall's algorithm.

Most of a sparse digraph that has much of a closure is usually one strong component S. With
what S reaches, F, and what reaches S, B, both of which contain it,

    closure(A) = closure(A without S) | B F'

so that Warshall's algorithm has the others alone to close; in a sparse digraph their rows have few
of the pivots, and a block of many would wait for its relation. Small graphs are closed as they are,
and so are those of which S is a small part, or a search from the hub takes many steps.

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
    bytes_of,
    closed,
    closed_graph,
    is_small,
    require,
    rows,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SMALL = 8192  # vertices up to which Warshall's algorithm takes no longer than the searches
DEEPEST = 256  # steps of a search
VERTEX = 32  # bytes of what is found of each while the component is sought and left out
SPARSE = 4  # arcs of a vertex; what a component leaves of fewer is closed few pivots at a time
PART = 8  # the component has more than this part of the vertices, or is left where it is


class Component(NamedTuple):
    """What it reaches, what reaches it (distances, -1: not), numbers of the vertices outside."""

    ahead: Any
    behind: Any
    number: Any
    others: int


def prepare(G: Graph) -> int:
    """Return the vertex through which most paths of two edges lead; found once and kept."""
    return derive(G, _hub) if G.n else 0


def _hub(G: Graph) -> int:
    out, into = (device.xp.diff(csr_of(x).indptr).astype(np.int64) for x in (G.A, G.AT))
    return int(device.read_scalar((out * into).argmax().reshape(1)))


def transitive_closure(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins: the hand-written kernel."""
    require(G, max_bytes)
    component = _component(G) if G.n > SMALL else None
    if component is not None and max_bytes is not None and _needed(component) > max_bytes:
        component = None
    if component is None:
        R = closed_graph(G)
    else:
        R = _expanded(G, component)
    return matrix_from_bits(R)


def _run(A: Any, name: str, threads: int, *args: Any) -> None:
    text = A.typedefs()
    kernel("hub_component", text, name, cooperative=name == "hub_distances")(threads, *args)


def _component(G: Graph) -> Component | None:
    """Find the strong component of a hub, where that is worth while."""
    xp, n, hub = device.xp, G.n, prepare(G)
    A, AT = (csr_of(x) for x in (G.A, G.AT))
    ahead, behind = (xp.full(n, -1, np.int32) for _ in range(2))
    ahead[hub] = behind[hub] = 0
    last = xp.zeros(1, np.int32)
    threads = min(n, 1024 * device.multiprocessors)
    _run(
        A, "hub_distances", threads, n, A.indptr, A.indices, AT.indptr, AT.indices, ahead, behind,
        DEEPEST, zeroed_words(), last,
    )  # fmt: skip
    outside = (ahead < 0) | (behind < 0)
    found = device.read_words(xp.stack((outside.sum(), last[0])))
    others, steps = (int(x) for x in found)
    if steps == DEEPEST or n - others <= max(1, n // PART):
        return None
    number = xp.where(outside, outside.cumsum(dtype=np.int64) - 1, -1).astype(np.int32)
    return Component(ahead, behind, number, others)


def _needed(c: Component) -> int:
    """Return the bytes of the closure and of that of the others, from which it is made."""
    inner = max(bytes_of(c.others), 4 * bit_matrix_words(rows(c.others, True), c.others))
    return bytes_of(c.ahead.size) + inner + VERTEX * c.ahead.size


def _expanded(G: Graph, c: Component) -> BitMatrix:
    """Close the graph without the component, and then all of it."""
    A, xp, k = csr_of(G.A), device.xp, c.others
    few = is_small(k) or G.A.nvals < SPARSE * G.n
    inner = BitMatrix.allocate(rows(k, few), k)
    inner.words[:] = 0
    _run(A, "relation_outside_component", A.nvals, A.nvals, G.n, A.indptr, A.indices, c.number,
         inner.row_quads, inner.words)  # fmt: skip
    inner = closed(inner, few)
    R = BitMatrix.allocate(G.n, G.n)
    size = 4 * R.row_quads
    columns = xp.empty(4 * size, np.uint32)
    _run(A, "describe_columns", size, size, G.n, c.ahead, c.number, columns)
    _run(A, "assemble_closure", R.words.size, G.n, size, columns, c.behind, c.number,
         4 * inner.row_quads, inner.words, R.words)  # fmt: skip
    return R
