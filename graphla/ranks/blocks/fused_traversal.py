"""Levels of a traversal on blocks of the CUDA engine.

A rank is a process with its GPU and its part of the graph. The kernels are those of one device
(:mod:`graphla.cuda.fused.traversal`). Where the kernels of all ranks run at once and can write to
each other's memory, one launch runs levels until the direction changes; elsewhere it runs one
level. Every rank has all of the frontier (:mod:`graphla.ranks.blocks.shared_frontier`).

Pull reads the rows of this rank's unvisited vertices and looks up the bits of the frontier. Push
goes through a list of the frontier's vertices and reads those of their edges that end at vertices
of this rank, for which it needs its block by columns, too; where one of the ranks has no memory for
that, a pushed level runs as statements. Either way the rank has all new entries of its vertices,
and the ranks exchange the numbers of new vertices and of their edges, by which all choose the same
direction next.
"""

from __future__ import annotations

import operator
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from graphla import cuda
from graphla.core import tracing
from graphla.core.properties import row_counts
from graphla.core.validation import index_dtype
from graphla.cuda.device_arrays import csr_of
from graphla.cuda.fused.traversal import (
    MAX_LEVELS,
    LevelsRun,
    PullTraversal,
    PushTraversal,
    TraversalKernel,
    bitmap_writer,
    increments_left,
)
from graphla.cuda.operators import tables
from graphla.cuda.storage.csr import prefix_sum
from graphla.cuda.storage.vector_formats import to_dense
from graphla.execution.push_pull import PushPullState
from graphla.ranks.blocks.operators import (
    FIRST,
    KEPT,
    SECOND,
    index_of,
    reads,
    typed_semiring,
)
from graphla.ranks.blocks.shared_frontier import SharedFrontier, shared_frontier
from graphla.ranks.statements import Expression

WORD_BITS = 32


def is_block_traversal(statements: list[tuple[Any, Any]]) -> bool:
    """Whether statements are q<~visited, replace> = A q, or q' A, and writes of the new q.

    The product takes any value and reads none of q. All ranks have the same answer.
    """
    (update, expression), *others = statements
    product = expression.product if isinstance(expression, Expression) else None
    if product is None or not others or len(others) > 2 or update.mask is None:
        return False
    A, q, mask = product.A, product.u, update.mask
    if q is not update.out or A.transposed_of is not None or A.nrows != A.ncols:
        return False
    if not (mask.structure and mask.complement and update.replace) or update.accum is not None:
        return False
    if not _needs_pattern_of_frontier_only(product.op, q.dtype, A.dtype, product.flip):
        return False
    outs = [x.out for x, _ in others]
    layout, n = q.layout, q.size
    if any(x.ndim != 1 or not x.layout.cuts_as(layout, n) for x in (*outs, mask.parent)):
        return False
    aligned = not any(first % WORD_BITS for first in layout.boundaries(n)[:-1].tolist())
    is_visited = any(x is mask.parent for x in outs)
    return (
        aligned
        and A.layout.cuts_as(layout, n)
        and is_visited
        and len({id(q), *map(id, outs)}) > len(outs)
    )


@lru_cache(KEPT)
def _needs_pattern_of_frontier_only(op: Any, q: Any, A: Any, flip: bool) -> bool:
    """Whether q A, if `flip`, or A q takes any of its products, and reads no value of q."""
    semiring = typed_semiring(op, *((q, A) if flip else (A, q)))
    if not tables.is_any(semiring.monoid) or semiring.return_type != q:
        return False
    reads_q = reads(semiring, FIRST if flip else SECOND)
    return not reads_q and index_of(semiring) in (None, "inner")


class BlockTraversal:
    """The statements of one level, on the blocks of all ranks."""

    def __init__(self, statements: list[tuple[Any, Any]]) -> None:
        self.statements = statements
        self.writers: Any = None  # of this rank's block, once a kernel was made
        self.made_ahead: Any = None  # a BlockLevel
        self._levels: dict[bool, Any] = {}  # by push: a BlockLevel, or None if there is none

    def __call__(self, times: int = 1, continue_up_to: int = 0) -> None:
        """Run the statements `times` times, one by one."""
        for _ in range(times):
            for update, expression in self.statements:
                update << expression

    def run_levels(
        self, push: bool, state: PushPullState, depth: Any, max_levels: int, opposite: Any
    ) -> LevelsRun | None:
        """Run levels until the frontier is empty, or `push` must change; see TraversalLevel.

        Returns None, with nothing run, if no kernel can do it.
        """
        if tracing.active():
            return None
        if not isinstance(opposite, BlockTraversal) or not self._has_writes_of(opposite):
            opposite = None
        level = self._level(push, opposite)
        max_levels = min(max_levels, increments_left(depth))
        if level is None or max_levels < 1:
            return None
        if push and state.push_size_after_pull >= 0:  # after a pull: it mostly ends by push
            opposite = None

        def while_running() -> None:
            if opposite is not None:
                opposite.make_ahead(not push, self.writers, level.frontier)

        levels, size, push_next = 0, 0, push
        while levels < max_levels and push_next == push:
            level.frontier.prepare(level.q, push)
            most = min(max_levels - levels, MAX_LEVELS)
            run = level.frontier.run_levels(level.kernel, state, depth, most, while_running)
            size, levels = run.size, levels + run.levels
            state, push_next = run.state, run.push_next
            if not size:
                break
        return LevelsRun(size, levels, state, push_next)

    def _level(self, push: bool, opposite: BlockTraversal | None) -> Any:
        """Return the level of a direction, or None on all ranks."""
        if push not in self._levels:
            if opposite is not None:
                self.writers = opposite.writers
            self._levels[push] = _make(self, push)
            self.made_ahead = None
        return self._levels[push]

    def make_ahead(self, push: bool, writers: Any, frontier: SharedFrontier) -> None:
        """Make the level of a direction, and its buffers, while the other direction runs.

        This makes only what needs no exchange between ranks. If memory runs out, nothing is kept:
        the level is made when it is used, and the error is raised there. The level of a push is
        not made, as a search begins with a push.
        """
        try:
            level = self._levels.get(push) or self.made_ahead
            hub_neighbors = self.product.A.derived_or_none(_hub_neighbors)
            if level is None and not (push or self.product.flip or hub_neighbors is None):
                self.writers = writers
                level = self.made_ahead = _pull_level(self, frontier, hub_neighbors)
            if level is not None and frontier.runs_several_levels_per_launch:
                level.kernel.prepare_for_peers()
        except MemoryError:
            pass

    @property
    def product(self) -> Any:
        """The Product of the first statement."""
        return self.statements[0][1].product

    def _has_writes_of(self, other: BlockTraversal) -> bool:
        """Whether the statements of both are the same objects, but for their products."""
        own, others = _objects_written(self.statements), _objects_written(other.statements)
        return len(own) == len(others) and all(map(operator.is_, own, others))


def _objects_written(statements: list[tuple[Any, Any]]) -> list[Any]:
    """Return the updates and expressions of a level, without the product."""
    (update, _), *others = statements
    return [update, *chain.from_iterable(others)]


def _make(traversal: BlockTraversal, push: bool) -> Any:
    """Return the level of a direction on this rank's block.

    None, on all ranks, if it does not fit a kernel, or if a rank has no memory for its second block
    of a symmetric matrix.
    """
    product = traversal.product
    A, q = product.A, product.u
    if product.flip != push:
        return None
    frontier = shared_frontier(q.layout, q.size)
    make: Any
    if push:
        edge_offsets = _edge_offsets(A)
        if not A.derive(_all_have_columns) or not frontier.has_type_of_columns:
            return None
        make = partial(_push_level, traversal, frontier, edge_offsets)
    else:
        hub_neighbors = A.derive(_hub_neighbors)
        if hub_neighbors is None:
            return None
        make = partial(_pull_level, traversal, frontier, hub_neighbors)
    return q.layout.communicator.guarded("traversal", lambda: traversal.made_ahead or make())


def _push_level(traversal: BlockTraversal, frontier: SharedFrontier, edge_offsets: Any) -> Any:
    """Return the level of a push on this rank's block; None if a write does not fit the kernel."""
    return _block_level(traversal, frontier, partial(PushTraversal, edge_offsets=edge_offsets))


def _pull_level(traversal: BlockTraversal, frontier: SharedFrontier, hub_neighbors: Any) -> Any:
    """Return the level of a pull on this rank's block; None if a write does not fit the kernel."""
    rows, _ = traversal.product.A.local(0)._rows(True)
    rows.hub_neighbors = hub_neighbors
    return _block_level(traversal, frontier, PullTraversal)


def _block_level(traversal: BlockTraversal, frontier: SharedFrontier, kernel: Any) -> Any:
    (update, _), *others = traversal.statements
    A, q, op, flip = traversal.product
    if traversal.writers is None:
        traversal.writers = [_writer(q.block, *statement) for statement in others]
    if any(writer is None for writer in traversal.writers):
        return None
    whole, block = cuda.Vector(q.dtype, q.size), A.local(int(flip))
    product: Any = whole.vxm(block, op) if flip else block.mxv(whole, op)
    visited, peer_key = update.mask.parent.block, frontier.peer_key
    return BlockLevel(
        q, kernel(q.block, product, traversal.writers, visited, peer_key=peer_key), frontier
    )


def _edge_offsets(A: Any) -> Any:
    """Return an array whose differences are the numbers of entries of this rank's rows.

    All ranks call this together.
    """
    return csr_of(A.local(0)).indptr if A.axis == 0 else A.derive(_sums_of_row_counts)


def _sums_of_row_counts(A: Any) -> Any:
    degrees = A.derive(row_counts)
    return A.layout.communicator.guarded("degrees", lambda: prefix_sum(degrees.block.to_dense()))


def _hub_neighbors(A: Any) -> Any:
    """Return the hub neighbors of this rank's rows, by the lengths of all ranks' rows.

    None if a rank has no memory for a block of rows: a level as statements needs one block only.
    All ranks call this together. No rank keeps the lengths.
    """
    block = A.local_if_it_fits(0)
    if not A.layout.communicator.all("rows", block is not None):
        return None
    lengths = A.derive(row_counts).dup(index_dtype(A.ncols)).gathered()
    return block._rows(True)[0].find_hub_neighbors(A.layout.blocks.values_of_full(lengths))


def _all_have_columns(A: Any) -> bool | None:
    """Return True if all ranks have a block of columns, or memory for it; otherwise None.

    All ranks call this together.
    """
    has_columns = A.local_if_it_fits(1) is not None
    return A.layout.communicator.all("columns", has_columns) or None


def _writer(frontier: Any, update: Any, value: Any) -> Any:
    """Return a statement on this rank's block as a writer of new entries, or None.

    The block becomes a bitmap.
    """
    block = update.out.block
    block._store = to_dense(block._store, block.size)
    block.store("bitmap")
    if isinstance(value, Expression):
        if value.name != "apply":
            return None
        value = value.evaluate(0)
    elif not np.isscalar(value):
        return None
    return bitmap_writer(frontier, update.of_block(block), value)


class BlockLevel(NamedTuple):
    """The levels of one direction on this rank's block."""

    q: Any  # the frontier
    kernel: TraversalKernel
    frontier: SharedFrontier  # the same on all ranks
