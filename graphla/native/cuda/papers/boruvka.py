"""Boruvka's minimum spanning forest in four steps on flat arrays.

A round: (1) each vertex scans its list for its lightest edge out of its tree, and each tree chooses
the lightest of these; (2) trees hook along the chosen edges; if two chose each other, one remains a
root; (3) pointer jumping finds the roots; (4) the trees are renumbered. Lists do not change; in a
sorted list a mark advances over the edges inside the tree. The host launches a kernel for each step
and reads one word a round.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core import validation
from graphla.core.results import Edges, Forest
from graphla.cuda.device_arrays import csr_of, vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import EngineMismatch, InvalidValue
from graphla.native.cuda.renumbered.by_degree import MAX_VERTICES
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.transform import Rows


class ForestArrays(NamedTuple):
    """Edges of a forest, in any order, and the smallest vertex of each vertex's tree."""

    src: Any
    dst: Any
    component: Any


class VertexState(NamedTuple):
    """Of each vertex its tree, and the end and the cost of its lightest edge out of the tree.

    `goal` is -1 if no edge leads out.
    """

    tree: Any
    goal: Any
    cost: Any


# step 1: write the goals and costs of the vertices in a list
FindLightest = Callable[[Any, VertexState], None]


def types(cost: Any, offset: Any = np.int32) -> str:
    """Return the types of the kernels."""
    return f"typedef {cuda_type(offset)} Offset;\ntypedef {cuda_type(cost)} Cost;\n"


def span(n: int, cost_dtype: Any, find_lightest: FindLightest) -> ForestArrays:
    """Run Boruvka's rounds with a given step 1."""
    xp, text = device.xp, types(cost_dtype)
    choose, hook, merge, find_smallest = (
        kernel("boruvka", text, name)
        for name in ("choose_edges", "hook_trees", "find_roots", "find_smallest_vertices")
    )
    active = xp.arange(n, dtype=np.int32)
    state = VertexState(active.copy(), active.copy(), xp.zeros(n, cost_dtype))
    src, dst = xp.empty(n, np.int32), xp.empty(n, np.int32)
    counter, num_edges, num_trees = xp.zeros(1, np.uint64), 0, n
    while active.size:
        find_lightest(active, state)
        best, parent = xp.full(num_trees, -1, np.int32), xp.arange(num_trees, dtype=np.int32)
        choose(active.size, active.size, active, *state, best)
        hook(num_trees, num_trees, state.tree, state.goal, best, parent, src, dst, counter)
        before, num_edges = num_edges, int(device.read_scalar(counter))
        if num_edges == before:
            break
        merge(num_trees, num_trees, parent)
        numbers = (parent == xp.arange(num_trees)).cumsum(dtype=np.int32) - np.int32(1)
        state.tree[:] = numbers[parent][state.tree]
        num_trees = n - num_edges
        active = active[state.goal[active] >= 0]
    smallest = xp.full(num_trees, n, np.int32)
    find_smallest(n, n, state.tree, smallest)
    return ForestArrays(src[:num_edges], dst[:num_edges], smallest[state.tree])


def to_result(G: Graph, forest: ForestArrays) -> Forest:
    """Return the result: edges by (src, dst), with their weights in the graph."""
    xp, A = device.xp, csr_of(G.A)
    order = (forest.src.astype(np.int64) * G.n + forest.dst).argsort()
    src, dst = forest.src[order], forest.dst[order]
    entry = xp.empty(src.size, A.indptr.dtype)
    find = kernel("boruvka", types(np.int32, A.indptr.dtype), "find_edge_entries")
    find(src.size, src.size, src, dst, A.indptr, A.indices, entry)
    weight = xp.repeat(A.values[:1], src.size) if A.iso else A.values[entry]
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")

    def vector(x: Any, dtype: Any) -> Any:
        return vector_from_array(x.astype(dtype.np_type, copy=False), dtype)

    T = G.index_dtype
    edges = Edges(vector(src, T), vector(dst, T), vector(weight, G.dtype))
    return Forest(edges, weight.sum(dtype=total).item(), vector(forest.component, T))


def check_graph(G: Graph) -> None:
    """Raise an error unless G has a minimum spanning forest and is on engine "cuda"."""
    if G.engine != "cuda":
        raise EngineMismatch(f"the forest runs on engine 'cuda', the graph is on {G.engine!r}")
    if G.n > MAX_VERTICES:
        raise InvalidValue(f"n={G.n:,} vertices; native forests number at most {MAX_VERTICES:,}")
    validation.require_symmetric(G, "minimum_spanning_forest")
    validation.refuse_nan(G, "minimum_spanning_forest")
    validation.total_weight_dtype(G, "minimum_spanning_forest")


def scan_sorted(rows: Rows, first: int = 0) -> tuple[Any, FindLightest]:
    """Return the dtype of costs, and step 1 on sorted lists of the vertices from `first` on."""
    xp, iso = device.xp, rows.values is None
    costs = xp.ones(1, np.uint8) if iso else rows.values
    run = kernel("boruvka_sorted", types(costs.dtype, rows.indptr.dtype), "find_lightest_edges")
    mark = rows.indptr[:-1].copy()

    def find_lightest(active: Any, state: VertexState) -> None:
        run(
            active.size, active.size, active, first, rows.indptr, rows.indices, costs, int(iso),
            state.tree, mark, state.goal, state.cost,
        )  # fmt: skip

    return costs.dtype, find_lightest
