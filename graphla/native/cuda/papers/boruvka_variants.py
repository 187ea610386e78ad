"""What the preprocessing of Boruvka's forest is worth: its four steps on lists in several forms.

    unsorted     weights as ranks: whole lists are read
    sorted       lists by rank
    weights      lists by weight: equal ones are told apart by the edge's ends
    renumbered   lists by rank, connected vertices close to each other
    byte ids     so too, and near neighbours in ten bits

Each variant takes a graph on engine "cuda" and returns what
:func:`graphla.minimum_spanning_forest` does. Lists are made once and kept with the graph.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of
from graphla.cuda.expressions.expression import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.native.cuda.papers.boruvka import (
    Found,
    State,
    checked,
    forest,
    ranked,
    span,
    types,
    walk,
)
from graphla.native.cuda.runtime import kernel
from graphla.transform import ByteIds, breadth_first, byte_ids, rows_by_weight
from graphla.transform.engine import operations

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import Forest


def sorted_(G: Graph) -> Found:
    """Walk along lists sorted by rank."""
    return span(G.n, *walk(derive(ranked(G), rows_by_weight)))


def weights(G: Graph) -> Found:
    """Walk along lists sorted by weight."""
    return span(G.n, *walk(derive(G, rows_by_weight)))


def unsorted(G: Graph) -> Found:
    """Look through whole lists."""
    A = csr_of(ranked(G).A)
    costs = A.full_values()
    run = kernel("boruvka_unsorted", types(costs.dtype, A.indptr.dtype), "lightest")

    def lightest(active: Any, state: State) -> None:
        size = active.size
        run(32 * size, size, active, A.indptr, A.indices, costs, state.tree, state.goal, state.cost)

    return span(G.n, costs.dtype, lightest)


def renumbered(G: Graph) -> Found:
    """Walk along sorted lists, connected vertices being close to each other."""
    near = derive(ranked(G), breadth_first)
    found = span(G.n, *walk(derive(near.graph, rows_by_weight)))
    return _restored(found, near.permutation.order)


def _restored(found: Found, order: Any) -> Found:
    """Return edges and components under the numbers that vertices had before."""
    xp, old = device.xp, order.astype(np.int32)
    src, dst = old[found.src], old[found.dst]
    component, least = (xp.empty(old.size, np.int32) for _ in range(2))
    component[old] = found.least
    least[:] = old.size
    run = kernel("boruvka", types(np.int32), "smallest")
    run(old.size, old.size, component, least)
    return Found(xp.minimum(src, dst), xp.maximum(src, dst), least[component])


class NearAndFar(NamedTuple):
    """Lists sorted by rank, in the parts that :func:`graphla.transform.byte_ids` makes of them."""

    ids: ByteIds
    near_costs: Any
    far_costs: Any


def _near_and_far(G: Graph) -> NearAndFar:
    """Return the lists of a graph so, by the rules of ``byte_ids`` but in the order of ranks."""
    xp, rows, ids = device.xp, rows_by_weight(G), byte_ids(G)
    row = operations("cuda").row_numbers(rows.indptr)
    away = rows.indices - ids.base[row]
    near = (away >= 0) & (away < 1024)
    away = away[near]
    fours = xp.zeros(-(-away.size // 4) * 4, np.uint8)
    fours[: away.size] = away >> 8
    a, b, c, d = (fours[k::4] << (2 * k) for k in range(4))
    ids = ids._replace(
        bytes=(away & 255).astype(np.uint8), blocks=a | b | c | d, far=rows.indices[~near]
    )
    values = rows.values if rows.values is not None else xp.zeros(row.size, np.int32)
    return NearAndFar(ids, values[near], values[~near])


def bytes_(G: Graph) -> Found:
    """Walk along two sorted lists, of near neighbours in ten bits and of the others."""
    near = derive(ranked(G), breadth_first)
    lists = derive(near.graph, _near_and_far)
    ids, text = lists.ids, types(lists.far_costs.dtype, lists.ids.indptr.dtype)
    run = kernel("boruvka_bytes", text, "lightest")
    marks = ids.indptr[:-1].copy(), ids.far_indptr[:-1].copy()

    def lightest(active: Any, state: State) -> None:
        run(
            active.size, active.size, active, ids.base, ids.indptr, ids.bytes, ids.blocks,
            lists.near_costs, ids.far_indptr, ids.far, lists.far_costs, state.tree, *marks,
            state.goal, state.cost,
        )  # fmt: skip

    found = span(G.n, lists.far_costs.dtype, lightest)
    return _restored(found, near.permutation.order)


def _variant(steps: Callable[[Graph], Found]) -> Callable[[Graph], Forest]:
    def run(G: Graph) -> Forest:
        checked(G)
        return forest(G, steps(G))

    run.__name__, run.__doc__ = steps.__name__.strip("_"), steps.__doc__
    run.__qualname__ = run.__name__
    return translate_out_of_memory(run)


forest_variants = {
    name: _variant(steps)
    for name, steps in {
        "unsorted": unsorted,
        "weights": weights,
        "sorted": sorted_,
        "renumbered": renumbered,
        "byte ids": bytes_,
    }.items()
}
