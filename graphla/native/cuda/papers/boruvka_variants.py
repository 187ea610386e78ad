"""Boruvka's forest on neighbour lists in several forms, which show what their preparation gains.

    unsorted     weights are ranks: step 1 reads whole lists
    sorted       lists sorted by rank
    weights      lists sorted by weight: ties are broken by the ends of the edge
    renumbered   lists sorted by rank, vertices renumbered so that connected ones are close
    byte ids     the same, with near neighbours in ten bits

Each variant takes a graph on engine "cuda" and returns the result of
:func:`graphla.minimum_spanning_forest`. Lists are made once and cached with the graph.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.native.cuda.papers.boruvka import (
    ForestArrays,
    VertexState,
    check_graph,
    scan_sorted,
    span,
    to_result,
    types,
)
from graphla.native.cuda.renumbered.by_rank import ranked_graph
from graphla.native.cuda.runtime import kernel
from graphla.transform import ByteIds, breadth_first, byte_ids, rows_by_weight
from graphla.transform.engine import operations

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import Forest


def sorted_(G: Graph) -> ForestArrays:
    """Scan lists sorted by rank."""
    return span(G.n, *scan_sorted(derive(ranked_graph(G), rows_by_weight)))


def weights(G: Graph) -> ForestArrays:
    """Scan lists sorted by weight."""
    return span(G.n, *scan_sorted(derive(G, rows_by_weight)))


def unsorted(G: Graph) -> ForestArrays:
    """Read whole lists."""
    A = csr_of(ranked_graph(G).A)
    costs = A.full_values()
    run = kernel("boruvka_unsorted", types(costs.dtype, A.indptr.dtype), "find_lightest_edges")

    def find_lightest(active: Any, state: VertexState) -> None:
        size = active.size
        run(32 * size, size, active, A.indptr, A.indices, costs, state.tree, state.goal, state.cost)

    return span(G.n, costs.dtype, find_lightest)


def renumbered(G: Graph) -> ForestArrays:
    """Scan sorted lists of a graph whose connected vertices are close to each other."""
    nearby = derive(ranked_graph(G), breadth_first)
    forest = span(G.n, *scan_sorted(derive(nearby.graph, rows_by_weight)))
    return _restore(forest, nearby.permutation.order)


def _restore(forest: ForestArrays, order: Any) -> ForestArrays:
    """Return edges and components in the numbering before a renumbering by `order`."""
    xp, old = device.xp, order.astype(np.int32)
    src, dst = old[forest.src], old[forest.dst]
    component, smallest = (xp.empty(old.size, np.int32) for _ in range(2))
    component[old] = forest.component
    smallest[:] = old.size
    run = kernel("boruvka", types(np.int32), "find_smallest_vertices")
    run(old.size, old.size, component, smallest)
    return ForestArrays(xp.minimum(src, dst), xp.maximum(src, dst), smallest[component])


class NearAndFar(NamedTuple):
    """Lists sorted by rank, split into near and far neighbours as by ``transform.byte_ids``."""

    ids: ByteIds
    near_costs: Any
    far_costs: Any


def _near_and_far(G: Graph) -> NearAndFar:
    """Return the lists of a graph in the encoding of ``byte_ids``, but in the order of ranks."""
    xp, rows, ids = device.xp, rows_by_weight(G), byte_ids(G)
    row = operations("cuda").row_numbers(rows.indptr)
    away = rows.indices - ids.base[row]
    is_near = (away >= 0) & (away < 1024)
    away = away[is_near]
    fours = xp.zeros(-(-away.size // 4) * 4, np.uint8)
    fours[: away.size] = away >> 8
    a, b, c, d = (fours[k::4] << (2 * k) for k in range(4))
    ids = ids._replace(
        bytes=(away & 255).astype(np.uint8), blocks=a | b | c | d, far=rows.indices[~is_near]
    )
    values = rows.values if rows.values is not None else xp.zeros(row.size, np.int32)
    return NearAndFar(ids, values[is_near], values[~is_near])


def bytes_(G: Graph) -> ForestArrays:
    """Scan two sorted lists of each vertex: near neighbours in ten bits, and the others."""
    nearby = derive(ranked_graph(G), breadth_first)
    lists = derive(nearby.graph, _near_and_far)
    ids, text = lists.ids, types(lists.far_costs.dtype, lists.ids.indptr.dtype)
    run = kernel("boruvka_bytes", text, "find_lightest_edges")
    marks = ids.indptr[:-1].copy(), ids.far_indptr[:-1].copy()

    def find_lightest(active: Any, state: VertexState) -> None:
        run(
            active.size, active.size, active, ids.base, ids.indptr, ids.bytes, ids.blocks,
            lists.near_costs, ids.far_indptr, ids.far, lists.far_costs, state.tree, *marks,
            state.goal, state.cost,
        )  # fmt: skip

    forest = span(G.n, lists.far_costs.dtype, find_lightest)
    return _restore(forest, nearby.permutation.order)


def _variant(find_forest: Callable[[Graph], ForestArrays]) -> Callable[[Graph], Forest]:
    def run(G: Graph) -> Forest:
        check_graph(G)
        return to_result(G, find_forest(G))

    run.__name__, run.__doc__ = find_forest.__name__.strip("_"), find_forest.__doc__
    run.__qualname__ = run.__name__
    return translate_out_of_memory(run)


forest_variants = {
    name: _variant(find_forest)
    for name, find_forest in {
        "unsorted": unsorted,
        "weights": weights,
        "sorted": sorted_,
        "renumbered": renumbered,
        "byte ids": bytes_,
    }.items()
}
