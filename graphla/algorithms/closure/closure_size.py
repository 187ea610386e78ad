"""The size of a transitive closure, estimated before it is built.

Every component c gets k exponentially distributed ranks of rate |c|. The smallest rank that c
reaches is exponential as well; its rate is the number of vertices that c reaches. From the sum s
of k such ranks that number is estimated as (k - 1) / s, with a standard error of 1 / sqrt(k - 2).
One sweep over the condensed graph finds the smallest ranks,

    X[level, :] min= A[level, :] min.second X        (from the sinks up),

as the sweep with (any, pair) builds the closure.

Source: E. Cohen, "Size-estimation framework with applications to transitive
closure and reachability", J. Computer and System Sciences 55, 1997.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, indexunary, monoid, semiring, unary
from graphblas.dtypes import FP32, FP64, UINT64

from graphla.algorithms._shared.hashing import mix
from graphla.algorithms.components.condensation import Condensation, condense
from graphla.algorithms.traversal.level_sweep import sweep
from graphla.core import memory, validation
from graphla.execution.push_pull import boolean_matrix_storage

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SAMPLES = 32
min_second = semiring.min_second[FP32]
times, scale = semiring.any_times[UINT64], semiring.any_times[FP32]


class Plan(NamedTuple):
    """How to build a closure that fits into memory."""

    condensed: Condensation
    height: Any  # INT64, all present: the level of each component
    form: str  # storage hint: "sparse", or a dense form of the engine


def make_plan(G: Graph, max_bytes: int | None = None) -> Plan:
    """Condense a graph; raise OutOfMemory if its closure exceeds the memory budget.

    A sparse entry takes about 8 bytes, and a dense relation what the engine needs for n x n
    positions. A vertex of height d reaches at least d others, which bounds the size before it
    is estimated.
    """
    validation.check_graph(G)

    def require(entries: float, qualifier: str) -> None:
        nbytes = min(dense.nbytes, 8 * int(entries))
        closure = f"the closure of {G.n:,} vertices, {qualifier} {int(entries):,} entries"
        memory.require(nbytes, allowed, closure)

    dense, allowed = boolean_matrix_storage(G), memory.budget(max_bytes, G.engine)
    condensed = condense(G)
    height, entries = condensed.size.dup(), 0.0
    for depth, level in enumerate(condensed.iterate_levels()):
        entries += depth * level.nvals
        require(entries, "at least")
        height(level.S) << depth
    if dense.is_small and dense.nbytes <= allowed:
        return Plan(condensed, height, dense.form)
    entries = estimate_size(G, condensed, height)
    require(entries, "about")
    return Plan(condensed, height, dense.form if dense.nbytes <= 8 * entries else "sparse")


def choose_form(G: Graph, max_bytes: int | None = None) -> str:
    """Return the storage hint of a closure that fits; raise OutOfMemory if none does."""
    validation.check_graph(G)
    dense = boolean_matrix_storage(G)
    fits = dense.nbytes <= memory.budget(max_bytes, G.engine)
    return dense.form if fits and dense.is_small else make_plan(G, max_bytes).form


def estimate_size(G: Graph, condensed: Condensation, height: Any) -> float:
    """Estimate the entries of the closure, as if every vertex reached itself."""
    row = G.matrix(UINT64, condensed.size.size, 1)
    column = G.matrix(UINT64, 1, SAMPLES)
    row << 0
    column << 0
    row << row.apply(indexunary.rowindex)
    column << column.apply(indexunary.colindex)
    uniform = times(mix(row) @ mix(column)).new(FP32)  # in 0..2^64
    rank = uniform.apply(unary.log).new().apply(binary.rminus, right=64 * log(2)).new()
    rate = condensed.size.dup(FP32).apply(unary.minv).new()
    X = sweep(condensed.A, height, scale(rate.diag() @ rank).new(), min_second, binary.min)
    rank_sum = X.reduce_rowwise(monoid.plus).new(FP64)
    reached = condensed.size.dup(FP64).ewise_mult(rank_sum, binary.truediv).new()
    return (SAMPLES - 1) * reached.reduce(monoid.plus).new().get(0)
