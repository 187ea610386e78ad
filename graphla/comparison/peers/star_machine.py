"""The STAR-machine: closure, shortest paths and spanning forests on tables of bits.

The tables are what is prepared: n x n bits for closure, n x n numbers for shortest paths,
and a list of edges, whose weights are ranks, for spanning forests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementations import Implementation
from graphla.comparison.refusals import too_long
from graphla.core import memory
from graphla.core.results import SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph

STEP = 1e-4  # seconds of the host for a vertex
WORD = {"cpu": 1e-9, "cuda": 1e-11}  # seconds for 64 rows of a column


def words(n: int) -> int:
    """Words of a column of n rows."""
    return -(-n // 64)


def refused(G: Graph, engine: str, columns: int, steps: float, work: int, what: str) -> str | None:
    """Refuse columns, of n rows, beyond half of the memory, and steps that take too long."""
    needed, usable = 8 * columns * words(G.n), memory.available(engine) // 2
    if needed > usable:
        return f"{what} take {needed / 1e6:,.1f} MB; {usable / 1e6:,.1f} MB can be used"
    seconds = steps * (STEP + work * WORD[engine])
    return too_long(seconds, f"{steps:,.0f} steps of {work:,} words each")


# ---- closure


def adjacency(G: Graph, engine: str) -> Any:
    from graphla.star import Table

    return Table.from_graph(G.to(engine))


def closure(T: Any, start: None) -> Any:
    from graphla.star.algorithms import warshall_blocked

    return warshall_blocked(T)


def closure_refuses(G: Graph, engine: str) -> str | None:
    what = f"two tables of {G.n:,} x {G.n:,} bits"
    return refused(G, engine, 2 * G.n, words(G.n), 16 * G.n * words(G.n), what)


def as_closure(G: Graph, T: Any) -> Any:
    from graphblas import Matrix

    src, dst = T.to_numpy().nonzero()
    return Matrix.from_coo(src, dst, True, nrows=G.n, ncols=G.n)


# ---- shortest paths


def weights(G: Graph, engine: str) -> Any:
    from graphla.star import Weights

    return Weights.from_graph(G).to(engine)


def dijkstra(W: Any, source: int) -> Any:
    from graphla.star.algorithms import dijkstra

    return dijkstra(W, source + 1)


def bellman_ford(W: Any, source: int) -> Any:
    from graphla.star.algorithms import bellman_ford

    return bellman_ford(W, source + 1)


def paths_refuse(G: Graph, engine: str) -> str | None:
    if G.dtype.np_type.kind == "f":
        return "needs whole weights"
    largest = max(abs(int(G.min_weight)), abs(int(G.max_weight))) if G.A.nvals else 0
    if largest * G.n >= 2**62:
        return f"paths of {G.n:,} vertices may be longer than 2^62"
    bits = max(1, largest.bit_length() + 1)
    what = f"tables of {G.n:,} x {G.n:,} numbers of {bits} bits"
    return refused(G, engine, G.n * (bits + 1), G.n, 8 * bits * words(G.n), what)


def as_paths(G: Graph, paths: Any) -> SSSP:
    distance, parent, reached = paths.to_numpy()
    parent = (parent - 1).astype(G.index_dtype.np_type)
    return SSSP(convert.vector(distance.astype(np.int64), reached), convert.vector(parent, reached))


# ---- spanning forest


def edges(G: Graph, engine: str) -> Any:
    from graphblas import select

    from graphla.star import Arcs

    src, dst, rank = G.ranks.select(select.triu).new().to_coo()
    return Arcs.from_edges(src + 1, dst + 1, rank.astype(np.int64), n=G.n, engine=engine)


def forest(E: Any, start: None) -> Any:
    from graphla.star.algorithms import prim_dijkstra

    return E, prim_dijkstra(E)


def forest_refuses(G: Graph, engine: str) -> str | None:
    m = G.nedges
    columns = 2 * G.n.bit_length() + m.bit_length()
    return too_long(
        G.n * (STEP + 2 * columns * words(m) * WORD[engine]),
        f"{G.n:,} steps over {m:,} edges each",
    )


def as_forest(G: Graph, result: Any) -> Any:
    E, rows = result
    chosen = rows.to_numpy()
    src, dst = (x.to("cpu").to_integers()[chosen].astype(np.int64) - 1 for x in (E.left, E.right))
    weight = convert.weights_of(G, src, dst) if G.weighted else np.ones(src.size, bool)
    order = np.lexsort((dst, src))
    return convert.forest(src[order], dst[order], weight[order])


def _entries(engine: str) -> tuple[Implementation, ...]:
    def entry(
        algorithm: str, returns: str, prepare: Any, run: Any, result: Any, refuses: Any
    ) -> Implementation:
        return Implementation(
            "star" if engine == "cpu" else f"star-{engine}", algorithm, returns, run,
            prepare=lambda G: prepare(G, engine), result=result,
            refuses=lambda G: refuses(G, engine), family="associative", engine=engine,
        )  # fmt: skip

    tree = "distances, parents"
    return (
        entry("transitive_closure", "closure", adjacency, closure, as_closure, closure_refuses),
        entry("sssp", tree, weights, dijkstra, as_paths, paths_refuse),
        entry("bellman_ford", tree, weights, bellman_ford, as_paths, paths_refuse),
        entry("minimum_spanning_forest", "forest", edges, forest, as_forest, forest_refuses),
    )


IMPLEMENTATIONS = (*_entries("cpu"), *_entries("cuda"))
