"""The STAR-machine: transitive closure, shortest paths and spanning forests on bit tables.

`prepare` makes the tables: n x n bits for the closure, n x n numbers for shortest paths, and an
edge list with ranks as weights for spanning forests. Time and memory of a call are estimated,
and graphs that need too much are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import too_long
from graphla.core import memory
from graphla.core.results import SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph

STEP_SECONDS = 1e-4  # host time of a step of an algorithm
WORD_SECONDS = {"cpu": 1e-9, "cuda": 1e-11}  # time to process 64 rows of one column


def words(rows: int) -> int:
    """Return the number of 64-bit words in a column."""
    return -(-rows // 64)


def refuses_tables(
    G: Graph, engine: str, columns: int, steps: float, words_per_step: int, tables: str
) -> str | None:
    """Return a reason if columns of n bits need over half of the memory or steps take too long."""
    needed, usable = 8 * columns * words(G.n), memory.available(engine) // 2
    if needed > usable:
        return f"{tables} take {needed / 1e6:,.1f} MB; {usable / 1e6:,.1f} MB can be used"
    seconds = steps * (STEP_SECONDS + words_per_step * WORD_SECONDS[engine])
    return too_long(seconds, f"{steps:,.0f} steps of {words_per_step:,} words each")


# ---- closure


def to_table(G: Graph, engine: str) -> Any:
    from graphla.star import Table

    return Table.from_graph(G.to(engine))


def closure(T: Any, start: None) -> Any:
    from graphla.star.algorithms import warshall_blocked

    return warshall_blocked(T)


def closure_refuses(G: Graph, engine: str) -> str | None:
    tables = f"two tables of {G.n:,} x {G.n:,} bits"
    return refuses_tables(G, engine, 2 * G.n, words(G.n), 16 * G.n * words(G.n), tables)


def as_closure(G: Graph, T: Any) -> Any:
    from graphblas import Matrix

    src, dst = T.to_numpy().nonzero()
    return Matrix.from_coo(src, dst, True, nrows=G.n, ncols=G.n)


# ---- shortest paths


def to_weights(G: Graph, engine: str) -> Any:
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
        return "needs integer weights"
    largest = max(abs(int(G.min_weight)), abs(int(G.max_weight))) if G.A.nvals else 0
    if largest * G.n >= 2**62:
        return f"paths of {G.n:,} vertices may be longer than 2^62"
    bits = max(1, largest.bit_length() + 1)
    tables = f"tables of {G.n:,} x {G.n:,} numbers of {bits} bits"
    return refuses_tables(G, engine, G.n * (bits + 1), G.n, 8 * bits * words(G.n), tables)


def as_paths(G: Graph, paths: Any) -> SSSP:
    distance, parent, reached = paths.to_numpy()
    parent = (parent - 1).astype(G.index_dtype.np_type)
    return SSSP(convert.vector(distance.astype(np.int64), reached), convert.vector(parent, reached))


# ---- spanning forest


def to_edge_list(G: Graph, engine: str) -> Any:
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
        G.n * (STEP_SECONDS + 2 * columns * words(m) * WORD_SECONDS[engine]),
        f"{G.n:,} steps over {m:,} edges each",
    )


def as_forest(G: Graph, result: Any) -> Any:
    E, forest_rows = result
    in_forest = forest_rows.to_numpy()
    src, dst = (
        end.to("cpu").to_integers()[in_forest].astype(np.int64) - 1 for end in (E.left, E.right)
    )
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
        entry("transitive_closure", "closure", to_table, closure, as_closure, closure_refuses),
        entry("sssp", tree, to_weights, dijkstra, as_paths, paths_refuse),
        entry("bellman_ford", tree, to_weights, bellman_ford, as_paths, paths_refuse),
        entry("minimum_spanning_forest", "forest", to_edge_list, forest, as_forest, forest_refuses),
    )


IMPLEMENTATIONS = (*_entries("cpu"), *_entries("cuda"))
