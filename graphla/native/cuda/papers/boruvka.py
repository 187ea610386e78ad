"""Boruvka's forest in four steps on flat arrays.

A round: (1) each vertex walks along its list to the lightest edge out of its tree, and the trees
take the least of these; (2) trees hook along them, one of two that chose each other stays a root;
(3) pointers jump to the roots; (4) trees are numbered anew. Lists never move, marks in them do. The
host starts a kernel for every step and reads one word a round.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core import validation
from graphla.core.properties import CSR, derive
from graphla.core.results import Edges, Forest
from graphla.cuda.device_arrays import csr_of, vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import EngineMismatch, InvalidValue
from graphla.native.cuda.by_degree import MAX_VERTICES
from graphla.native.cuda.runtime import kernel
from graphla.transform.engine import graph_from_rows

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.transform import Rows


class Found(NamedTuple):
    """Edges of a forest, in any order, and the smallest vertex of each vertex's tree."""

    src: Any
    dst: Any
    least: Any


class State(NamedTuple):
    """The tree of each vertex, and an edge out of it: `goal` is -1 where there is none any more."""

    tree: Any
    goal: Any
    cost: Any


Step = Callable[[Any, State], None]  # step 1 for vertices in a list: goals and their costs


def types(cost: Any, offset: Any = np.int32) -> str:
    """Return what the kernels take as given."""
    return f"typedef {cuda_type(offset)} Offset;\ntypedef {cuda_type(cost)} Cost;\n"


def span(n: int, dtype: Any, lightest: Step) -> Found:
    """Run Boruvka's rounds."""
    xp, text = device.xp, types(dtype)
    choose, hook, merge, smallest = (
        kernel("boruvka", text, name) for name in ("choose", "hook", "merge", "smallest")
    )
    active = xp.arange(n, dtype=np.int32)
    state = State(active.copy(), active.copy(), xp.zeros(n, dtype))
    src, dst = xp.empty(n, np.int32), xp.empty(n, np.int32)
    chosen, found, trees = xp.zeros(1, np.uint64), 0, n
    while active.size:
        lightest(active, state)
        best, parent = xp.full(trees, -1, np.int32), xp.arange(trees, dtype=np.int32)
        choose(active.size, active.size, active, *state, best)
        hook(trees, trees, state.tree, state.goal, best, parent, src, dst, chosen)
        before, found = found, int(device.read_scalar(chosen))
        if found == before:
            break
        merge(trees, trees, parent)
        numbers = (parent == xp.arange(trees)).cumsum(dtype=np.int32) - np.int32(1)
        state.tree[:] = numbers[parent][state.tree]
        trees = n - found
        active = active[state.goal[active] >= 0]
    least = xp.full(trees, n, np.int32)
    smallest(n, n, state.tree, least)
    return Found(src[:found], dst[:found], least[state.tree])


def forest(G: Graph, found: Found) -> Forest:
    """Return the result: edges by (src, dst), with the weights that they have in the graph."""
    xp, A = device.xp, csr_of(G.A)
    order = (found.src.astype(np.int64) * G.n + found.dst).argsort()
    src, dst = found.src[order], found.dst[order]
    entry = xp.empty(src.size, A.indptr.dtype)
    find = kernel("boruvka", types(np.int32, A.indptr.dtype), "entries")
    find(src.size, src.size, src, dst, A.indptr, A.indices, entry)
    weight = xp.repeat(A.values[:1], src.size) if A.iso else A.values[entry]
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")

    def full(x: Any, dtype: Any) -> Any:
        return vector_from_array(x.astype(dtype.np_type, copy=False), dtype)

    T = G.index_dtype
    edges = Edges(full(src, T), full(dst, T), full(weight, G.dtype))
    return Forest(edges, weight.sum(dtype=total).item(), full(found.least, T))


def checked(G: Graph) -> None:
    """Refuse what has no forest on engine "cuda"."""
    if G.engine != "cuda":
        raise EngineMismatch(f"the forest runs on engine 'cuda', the graph is on {G.engine!r}")
    if G.n > MAX_VERTICES:
        raise InvalidValue(f"n={G.n:,} vertices; native forests number at most {MAX_VERTICES:,}")
    validation.require_symmetric(G, "minimum_spanning_forest")
    validation.refuse_nan(G, "minimum_spanning_forest")
    validation.total_weight_dtype(G, "minimum_spanning_forest")


def ranked(G: Graph) -> Graph:
    """Return the graph with the ranks of its edges as weights, without self-loops; kept."""
    return derive(G, _make_ranked)


def _make_ranked(G: Graph) -> Graph:
    R = csr_of(G.ranks)
    return graph_from_rows(CSR(R.indptr, R.indices, R.full_values()), G, G.ranks.dtype)


def walk(rows: Rows, first: int = 0) -> tuple[Any, Step]:
    """Return the dtype of costs and step 1 on lists that are sorted, from a vertex on."""
    xp, iso = device.xp, rows.values is None
    costs = xp.ones(1, np.uint8) if iso else rows.values
    run = kernel("boruvka_sorted", types(costs.dtype, rows.indptr.dtype), "lightest")
    mark = rows.indptr[:-1].copy()

    def lightest(active: Any, state: State) -> None:
        run(
            active.size, active.size, active, first, rows.indptr, rows.indices, costs, int(iso),
            state.tree, mark, state.goal, state.cost,
        )  # fmt: skip

    return costs.dtype, lightest
