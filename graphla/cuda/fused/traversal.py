"""A level of a traversal in one kernel: q<~visited, replace> = product, and writes of the new q.

The writes store the new entries of q in one or two bitmaps, ``visited`` among them:
``level(accum) << q.apply(...)``, or ``visited(q.S) << value``. The kernel that finds an entry
writes it to all bitmaps; one statement after the other would read the frontier again for each.
Statements of another kind, or other storage forms, run one after the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.core import tracing
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.statement import (
    CachedPlan,
    Elementwise,
    Fill,
    Update,
    evaluate,
    out_of_device_memory,
    require_same_device,
)
from graphla.cuda.fused import list_chain
from graphla.cuda.memory.buffer_pool import PlanBuffers, zeroed_words
from graphla.cuda.operations.definitions import constants, semiring_definitions
from graphla.cuda.operations.spmv.dispatch import MatrixVectorProduct
from graphla.cuda.operations.spmv.spmspv import UNIT
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import FALSE, NO_ACCUM, Formula
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult, LazyKernel, kernel
from graphla.cuda.storage.vector_formats import Dense, Sparse, bitmap_words, cuda_type
from graphla.errors import KernelFailure, OutOfMemory
from graphla.execution.push_pull import PushPullState

BLOCK = 1024  # threads
STATE_WORDS = 13  # words of a launch's counters and barriers in device memory
WRITTEN_AT_ONCE, OF_VISITED, CONSTANT = 0, 1, 2  # values of a frontier (traversal_pull.cu)
PUSH_NEXT, IS_CUT_OFF = 1, 2  # bits of what a launch reports (traversal_peers.cuh)
FILTER_WORDS = 1 << 14  # of shared memory, where a block of a pull has a filter of the frontier
MAX_FILTERED = 8 * FILTER_WORDS  # vertices of such a frontier: at most a quarter of the bits
MIN_FILTERED = 1 << 23  # vertices of a graph; filters were measured from 2^24 on
LIST_BYTES = 72  # of shared memory for a thread of a pull: WarpRows divided by the lanes of a warp
NO_WRITER_STRUCT = (
    "struct Writer1 { typedef bool C; typedef bool S; enum { EXISTS = 0, ACCUM = 0 }; };\n"
)
ONE_LEVEL = PushPullState(0, 0, 1, 0, 0, 1.0)  # stops after one level
NO_DEPTH = np.int32(0)
NO_WRITER = (None, None, FALSE)
NO_LIST = (None, None, None)


class Peers(NamedTuple):
    """The other devices, as a launch takes them (traversal_peers.cuh)."""

    words: Any  # of two Peers on this device
    first_level: int  # the number of levels before
    has_list: bool  # whether the first level reads a list of the frontier, or bits

    @property
    def arguments(self) -> tuple[Any, int]:
        """Those of the kernel."""
        return self.words, self.first_level


NO_PEERS = Peers(None, 0, False)


class LevelsRun(NamedTuple):
    """The outcome of a launch: the new frontier's size, and how to go on."""

    size: int
    levels: int
    state: PushPullState
    push_next: bool


@cache
def _kernel(
    file: str, product: tuple[Any, ...], rows: tuple[Any, ...], writers: tuple[Any, ...],
    visited: int, has_long_rows: bool, edge_offset: Any, peer_key: Any,
) -> LazyKernel:  # fmt: skip
    op, flip, u_dtype, transposed = product
    offset, index, value, iso = rows
    text = constants(BLOCK=BLOCK, STATE_WORDS=STATE_WORDS, UNIT=UNIT, LIST_BYTES=LIST_BYTES)
    text += constants(VISITED=visited, HAS_LONG_ROWS=has_long_rows)
    text += constants(Q_VALUES=_values_of_frontier(op, flip, writers[visited]))
    text += peer_definitions(peer_key, index)
    text += f"typedef {cuda_type(offset)} Offset;\ntypedef {cuda_type(edge_offset)} EdgeOffset;\n"
    text += semiring_definitions(
        op, cuda_type(value), cuda_type(u_dtype.np_type), iso, flip, transposed
    )
    text += '#include "functions.cuh"\n#include "elementwise_formula.cuh"\n'
    text += "".join(_struct(f"Writer{k}", *types) for k, types in enumerate(writers))
    return kernel(file, text + NO_WRITER_STRUCT * (len(writers) == 1), cooperative=True)


def _values_of_frontier(op: Any, flip: bool, visited: tuple[Any, ...]) -> int:
    """Return Q_VALUES (traversal_pull.cu): from what the values of a frontier can be recovered.

    `visited` describes the writer of the visited set.
    """
    reads, (formula, out, *_) = tables.uses(op), visited
    if ("x" if flip else "y") in reads:
        return WRITTEN_AT_ONCE
    types = {formula.dtype, out}
    if formula.template == "Apply" and tables.name_of(formula.op) == "identity":
        types |= {formula.op.type, formula.op.return_type}
    elif formula.template != "Identity":
        types = set()
    if types == {op.return_type}:  # else the value is cast
        return OF_VISITED
    return WRITTEN_AT_ONCE if reads else CONSTANT


def peer_definitions(peer_key: Any, index: Any) -> str:
    """Return the types of vertices (traversal_peers.cuh): of all devices, and of this one.

    `peer_key` is None if there are no other devices.
    """
    text = constants(PEERS=peer_key is not None)
    text += f"typedef {cuda_type(index)} Index;\n"
    return text + f"typedef {cuda_type(index if peer_key is None else peer_key)} FrontierKey;\n"


def _struct(name: str, formula: Any, out: Any, scalar: Any, accum: Any) -> str:
    """Return the definition of a writer of new frontier entries (traversal_epilogue.cuh)."""
    c_type, s_type = (cuda_type(np.bool_ if x is None else x.np_type) for x in (out, scalar))
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return (
        f"struct {name} {{\ntypedef {c_type} C; typedef {s_type} S;\n"
        f"enum {{ EXISTS = 1, ACCUM = {accum is not None:d} }};\n"
        f"{added}{formula.definitions(False)}}};\n"
    )


def host_address(result: HostResult | None) -> Any:
    """Return the address that a kernel publishes its result to.

    Call this directly before the launch: waiting for a result that no kernel publishes never ends.
    """
    return None if result is None else result.device_words


class TraversalKernel(ABC):
    """A kernel that runs one or several levels of a traversal in one launch.

    Parameters
    ----------
    frontier : Vector
    product : MatrixVectorProduct
    writers : sequence of BitmapWriter
    visited : Vector
        The output of one of the writers.
    edge_offsets : array, optional
        Its differences are the numbers of edges of the vertices, if they are not the row lengths.
    peer_key : dtype, optional
        Type of the vertices of all devices, if other devices have some (traversal_peers.cuh).
    """

    __slots__ = ("A", "edge_offsets", "frontier", "kernel", "prepared_buffers", "writers")
    file: str
    prepared_buffers: Any  # of the next launch, or None

    def __init__(
        self, frontier: Any, product: MatrixVectorProduct, writers: Any, visited: Any,
        edge_offsets: Any = None, peer_key: Any = None,
    ) -> None:  # fmt: skip
        self.frontier, self.writers, self.prepared_buffers = frontier, writers, None
        A, transposed = product.operands[0]._rows(self.reads_own_rows(product), make=True)
        self.A = A
        types = A.indptr.dtype, A.indices.dtype, A.values.dtype, A.iso
        writer_types, is_visited = (
            tuple(w.types for w in writers),
            [w.out is visited for w in writers],
        )
        product_key = product.op, product.flip, frontier.dtype, transposed
        has_long_rows = self.inspect_rows(product)
        self.edge_offsets = A.indptr if edge_offsets is None else edge_offsets
        self.kernel = _kernel(
            self.file, product_key, types, writer_types, is_visited.index(True), has_long_rows,
            self.edge_offsets.dtype, peer_key,
        )  # fmt: skip

    @abstractmethod
    def __call__(self) -> None:
        """Run one level."""

    @staticmethod
    @abstractmethod
    def reads_own_rows(product: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""

    @abstractmethod
    def inspect_rows(self, product: MatrixVectorProduct) -> bool:
        """Set what launches need of the rows of A.

        Return whether rows of UNIT or more entries exist, if the kernel treats them apart.
        """

    @abstractmethod
    def allocate_buffers(self) -> Any:
        """Return the output buffers of a launch of several levels."""

    def prepare_buffers(self) -> None:
        """Allocate the buffers of the next launch ahead of it."""
        if self.prepared_buffers is None:
            self.prepared_buffers = self.allocate_buffers()

    def run_levels(
        self, state: PushPullState, depth: Any, max_levels: int, while_running: Callable[[], None]
    ) -> LevelsRun:
        """Run up to `max_levels` levels from a sparse frontier, until push or pull would change.

        `while_running` is called between the launch and the wait for its result. After an
        interrupt during the wait the traversal cannot go on: its bitmaps are written already.
        """
        self.prepare_buffers()
        buffers, self.prepared_buffers = self.prepared_buffers, None
        depth_writers = 0  # a bit for each writer that takes the depth
        if depth is not None:
            depth_writers = sum((w.scalar is depth) << k for k, w in enumerate(self.writers))
        results = HostResult(), HostResult()
        lists = self.launch_levels(buffers, state, np.int32(depth_writers), max_levels, results)
        self.invalidate_counts()
        while_running()
        (size, levels), (explored_edges, push_next) = (result.wait() for result in results)
        out = lists[levels % len(lists)]
        out._nvals = size
        self.frontier._store = out
        state = state._replace(
            previous_size=size, unexplored_edges=state.unexplored_edges - explored_edges
        )
        return LevelsRun(size, levels, state, bool(push_next))

    def allocate_for_peers(self, size: int, max_levels: int) -> Any:
        """Return all that a launch of :meth:`run_levels_of_peers` needs, and compile the kernel.

        The launch waits for other devices, so that nothing may fail between this and it.

        Parameters
        ----------
        size : int
            Of the frontier of all devices, in a push of one level.
        max_levels : int
        """
        prepared, self.prepared_buffers = self.prepared_buffers, None
        if prepared is not None and max_levels > 1:
            return prepared
        self.kernel.compile()
        buffers = self.output_for_peers(size, max_levels)
        return buffers, zeroed_words(size=STATE_WORDS), (HostResult(), HostResult())

    def prepare_for_peers(self) -> None:
        """Allocate what the next launch of several levels with other devices needs, ahead of it."""
        if self.prepared_buffers is None:
            self.prepared_buffers = self.allocate_for_peers(0, MAX_LEVELS)

    def run_levels_of_peers(
        self,
        allocated: Any,
        state: PushPullState,
        depth: Any,
        max_levels: int,
        peers: Peers,
        while_running: Callable[[], None],
    ) -> tuple[LevelsRun, bool]:
        """Run up to `max_levels` levels together with other devices, whose sizes are in the state.

        Parameters
        ----------
        allocated : tuple
            Of :meth:`allocate_for_peers`.
        depth : Scalar
            It grows by the number of levels.
        max_levels : int
            The launch of several levels waits for the other devices. One level is run without them.
        peers : Peers
        while_running : function
            Called between the launch and the wait for its result.

        Returns
        -------
        LevelsRun
            After several levels it is that of all devices. After one its size is that of this
            device's part of the new frontier, its state is the old one but for the edges of that
            part, and `push_next` means nothing.
        bool
            Whether the new list is cut off, as a device found more than a segment can have; only
            after several levels.

        Raises
        ------
        KernelFailure
            Another device has not ended a level in time.
        """
        depth_writers = sum((w.scalar is depth) << k for k, w in enumerate(self.writers))
        *_, results = allocated
        out = self.launch_levels_of_peers(
            allocated, state, np.int32(depth_writers), max_levels, peers
        )
        while_running()
        (size, levels), (explored_edges, decision) = (result.wait() for result in results)
        if not levels:
            raise KernelFailure("another device has not ended a level of the traversal in time")
        self.frontier._store = out
        self.invalidate_counts()
        if depth is not None:
            depth.value += levels
        state = state._replace(unexplored_edges=state.unexplored_edges - explored_edges)
        if max_levels == 1:
            out._nvals = size
        else:
            state = state._replace(previous_size=size)
        run = LevelsRun(size, levels, state, bool(decision & PUSH_NEXT))
        return run, bool(decision & IS_CUT_OFF)

    @abstractmethod
    def output_for_peers(self, size: int, max_levels: int) -> Any:
        """Return the output buffers of a launch together with other devices."""

    @abstractmethod
    def launch_levels_of_peers(
        self,
        allocated: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        peers: Peers,
    ) -> Any:
        """Launch the kernel; return the store of this device's part of the new frontier."""

    @abstractmethod
    def launch_levels(
        self,
        buffers: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        results: tuple[HostResult, HostResult],
    ) -> tuple[Sparse, ...]:
        """Launch the kernel; after k levels the frontier is in list k modulo their number."""

    def invalidate_counts(self) -> None:
        """Make the outputs count their entries again at the next request."""
        for writer in self.writers:
            writer.out._store.forget_count()

    def _empty_list(self) -> Sparse:
        """Return a list for all positions."""
        n = self.frontier.size
        return Sparse.allocate(n, n, self.frontier.dtype, whole=True)

    def writer_arguments(self) -> tuple[Any, ...]:
        """Return the kernel arguments of the writers."""
        first, *others = self.writers
        return first.arguments() + (others[0].arguments() if others else NO_WRITER)


class PullTraversal(TraversalKernel):
    """Levels by pull, along the rows of unvisited vertices."""

    __slots__ = ("block", "has_filter", "hubs", "shared", "threads")
    file = "traversal_pull"

    @staticmethod
    def reads_own_rows(product: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return not product.flip

    def inspect_rows(self, product: MatrixVectorProduct) -> bool:
        """Choose the size of blocks and of their shared memory.

        Take the hub neighbors of all rows, unless the product needs values of A, too.
        """
        A = self.A
        room = device.active.shared_per_block
        self.block = min(BLOCK, room // LIST_BYTES // 32 * 32)
        self.threads = min(max(A.nrows, 1), device.active.multiprocessors * self.block)
        self.shared = self.block * LIST_BYTES
        self.has_filter = A.ncols >= MIN_FILTERED and self.shared + 4 * FILTER_WORDS <= room
        valued = ("y" if product.flip else "x") in tables.uses(product.op) and not A.iso
        columns, rows, longer_rows = A.hub_neighbors
        self.hubs = (None if valued else columns), rows, longer_rows
        return False

    def __call__(self) -> None:
        """Run one level of a frontier that is a bitmap."""
        new = self.empty_bitmap()
        new.count_result = HostResult()
        self.run_level(self.frontier._store, new)

    def run_level(self, u: Dense, new: Dense) -> None:
        """Run one level from a bitmap of all vertices to one of the rows of A."""
        results = new.count_result, None
        self._launch(NO_LIST, (u, new), 1, ONE_LEVEL, NO_DEPTH, NO_LIST, results)
        self.frontier._store = new
        self.invalidate_counts()

    def allocate_buffers(self) -> Any:
        """Return a list for the last frontier and two bitmaps for those between."""
        return self._empty_list(), (self.empty_bitmap(), self.empty_bitmap())

    def launch_levels(
        self,
        buffers: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        results: tuple[HostResult, HostResult],
    ) -> tuple[Sparse, ...]:
        """Launch the kernel from a list to a list."""
        out, bitmaps = buffers
        old = self.frontier._store
        frontier, output = (old.count, old.keys, old.values), (out.keys, out.values, out.count)
        self._launch(frontier, bitmaps, max_levels, state, depth_writers, output, results)
        return (out,)

    def output_for_peers(self, size: int, max_levels: int) -> Any:
        """Return a bitmap."""
        return self.empty_bitmap()

    def launch_levels_of_peers(
        self,
        allocated: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        peers: Peers,
    ) -> Any:
        """Launch the kernel, which writes one bitmap."""
        new, counters, results = allocated
        bitmaps = Dense(None, None), new
        self._launch(
            NO_LIST, bitmaps, max_levels, state, depth_writers, NO_LIST, results, counters, peers
        )
        return new

    def empty_bitmap(self) -> Dense:
        """Return a bitmap for a new frontier."""
        xp, n = device.active.xp, self.frontier.size
        return Dense(xp.empty(n, self.frontier.dtype.np_type), xp.empty(bitmap_words(n), np.uint32))

    def _launch(
        self, frontier: Any, bitmaps: Any, max_levels: int, state: PushPullState,
        depth_writers: Any, output: Any, results: tuple[HostResult | None, ...],
        counters: Any = None, peers: Peers = NO_PEERS,
    ) -> None:  # fmt: skip
        A, (x, y), writers = self.A, bitmaps, self.writer_arguments()
        counters = zeroed_words(size=STATE_WORDS) if counters is None else counters
        filter_words = self._filter_words(peers.has_list or frontier is not NO_LIST, state)
        self.kernel(
            self.threads, A.nrows, *self.hubs, A.indptr, A.indices, A.values, *frontier,
            filter_words, x.values, x.bits, y.values, y.bits, counters, max_levels,
            state.previous_size, state.push_size_shrinking, depth_writers, *output,
            *map(host_address, results), *peers.arguments, *writers, block=self.block,
            shared=self.shared + 4 * filter_words,
        )  # fmt: skip

    def _filter_words(self, has_list: bool, state: PushPullState) -> int:
        """Return the words of a filter of the first frontier; 0 leaves the memory to a cache."""
        is_filtered = self.has_filter and has_list and state.previous_size <= MAX_FILTERED
        return FILTER_WORDS if is_filtered else 0


class PushTraversal(TraversalKernel):
    """Levels by push, along the rows of the frontier."""

    __slots__ = ("buffers", "longs", "shared", "threads")
    file = "traversal_push"

    @staticmethod
    def reads_own_rows(product: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return product.flip

    def inspect_rows(self, product: MatrixVectorProduct) -> bool:
        """Bound the number of long rows."""
        A = self.A
        self.longs = min(A.nrows, A.nvals // UNIT) if A.max_row_length >= UNIT else 0  # at most
        entry = 2 * max(A.indices.dtype.itemsize, self.frontier.dtype.np_type.itemsize)
        self.shared = BLOCK // 32 * 2 * UNIT * entry
        self.threads, self.buffers = device.active.multiprocessors * BLOCK, PlanBuffers()
        return self.longs > 0

    def __call__(self) -> None:
        """Run one level."""
        self.run_level(self.frontier._store, ONE_LEVEL, None)

    def run_level(self, old: Sparse, state: PushPullState, edges_result: HostResult | None) -> None:
        """Run one level from a list; `edges_result` gets the number of edges of the new entries."""
        out, buffer, longs = self._output(old.max_nvals, old)
        frontier, results = (old.count, old.keys, old.values), (out.count_result, edges_result)
        self._launch(frontier, None, out, buffer, longs, 1, state, NO_DEPTH, results)
        self.frontier._store = out
        self.invalidate_counts()

    def output_for_peers(self, size: int, max_levels: int) -> Any:
        """Return a list and a buffer for long rows; of later levels no size is known."""
        return self._output(self.A.nrows if max_levels > 1 else size)

    def launch_levels_of_peers(
        self,
        allocated: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        peers: Peers,
    ) -> Any:
        """Launch the kernel, which writes one list."""
        (out, long_rows, longs), counters, results = allocated
        self._launch(
            NO_LIST, None, out, long_rows, longs, max_levels, state, depth_writers, results,
            counters, peers,
        )  # fmt: skip
        return out

    def _output(self, size: int, before: Sparse | None = None) -> tuple[Sparse, Any, int]:
        """Return a list for what a frontier of this size can reach, and a buffer for long rows."""
        n, most = self.frontier.size, size * self.A.max_row_length
        out = Sparse.allocate(n, min(n, most), self.frontier.dtype, before, self.buffers, True)
        longs = min(self.longs, size)
        return out, self._long_row_buffer(longs), longs

    def allocate_buffers(self) -> Any:
        """Return two lists, which the kernel fills in turn, and a buffer of long rows."""
        return (self._empty_list(), self._empty_list()), self._long_row_buffer(self.longs)

    def launch_levels(
        self,
        buffers: Any,
        state: PushPullState,
        depth_writers: Any,
        max_levels: int,
        results: tuple[HostResult, HostResult],
    ) -> tuple[Sparse, ...]:
        """Launch the kernel, which fills the two lists in turn."""
        (even, odd), long_rows = buffers
        old = self.frontier._store
        frontier = old.count, old.keys, old.values
        self._launch(
            frontier, even, odd, long_rows, self.longs, max_levels, state, depth_writers, results
        )
        return even, odd

    def _long_row_buffer(self, longs: int) -> Any:
        return device.active.xp.empty(2 * longs, np.int64) if longs else None

    def _launch(
        self, frontier: Any, even: Any, odd: Any, long_rows: Any, longs: int, max_levels: int,
        state: PushPullState, depth_writers: Any, results: tuple[HostResult | None, ...],
        counters: Any = None, peers: Peers = NO_PEERS,
    ) -> None:  # fmt: skip
        A, writers = self.A, self.writer_arguments()
        counters = zeroed_words(size=STATE_WORDS) if counters is None else counters
        first = NO_LIST if even is None else (even.keys, even.values, even.count)
        self.kernel(
            self.threads, *frontier, A.indptr, self.edge_offsets, A.indices, A.values, long_rows,
            longs, counters, *first, odd.keys,
            odd.values, odd.count, max_levels, state.previous_size, state.unexplored_edges, state.n,
            state.push_size_after_pull, np.float64(state.alpha), depth_writers,
            *map(host_address, results), *peers.arguments, *writers, block=BLOCK,
            shared=self.shared,
        )  # fmt: skip


# ---- plans

MAX_LEVELS = 4096  # levels of one launch, after which Python may be interrupted
FORMULAS = ("Identity", "Apply", "BindFirst", "BindSecond", "Constant")  # that a writer can compute


class BitmapWriter(NamedTuple):
    """A write of each new frontier entry into a bitmap."""

    out: Any
    formula: Formula
    scalar: Any
    accum: Any

    @property
    def types(self) -> tuple[Any, ...]:
        """What the definition of the writer in a kernel depends on."""
        scalar = None if self.scalar is None else self.scalar.dtype
        return self.formula, self.out.dtype, scalar, self.accum

    def arguments(self) -> tuple[Any, ...]:
        """Return the kernel arguments of the writer."""
        store = self.out._store
        return store.values, store.bits, FALSE if self.scalar is None else typed(self.scalar)


class TraversalLevel:
    """The statements of one level: one kernel if a plan for it exists, else one by one."""

    __slots__ = ("plans", "statements")

    def __init__(self, statements: Any) -> None:
        self.statements = statements
        self.plans: dict[Any, CachedPlan | None] = {}  # by storage form, or by class of kernel

    def __call__(self, times: int = 1, continue_up_to: int = 0) -> None:
        """Run the level `times` times; `continue_up_to` has no effect."""
        for _ in range(times):
            form = self.statements[0][0].out._store.form
            kernel = self._kernel(form, PullTraversal if form == "bitmap" else PushTraversal)
            if kernel is None:
                for update, expression in self.statements:
                    update << expression
            else:
                self._execute(kernel)

    def run_levels(
        self, push: bool, state: PushPullState, depth: Any, max_levels: int, opposite: Any
    ) -> LevelsRun | None:
        """Run several levels from a sparse frontier in one launch.

        The kernel stops when the frontier is empty, after `max_levels` levels, or when `push`
        must change. `depth` grows by one before each level. While the kernel runs, the buffers
        of the `opposite` direction, which probably runs next, are allocated.

        Returns
        -------
        LevelsRun or None
            None if no kernel can do this; nothing has run then.
        """
        if tracing.active() or self.statements[0][0].out._store.form != "sparse":
            return None
        kernel_class, opposite_class = (
            (PushTraversal, PullTraversal) if push else (PullTraversal, PushTraversal)
        )
        opposite = opposite if isinstance(opposite, TraversalLevel) else None
        if opposite:
            opposite.drop_buffers()
        kernel = self._kernel(kernel_class, kernel_class)
        max_levels = min(max_levels, MAX_LEVELS, increments_left(depth))
        if kernel is None or max_levels < 1:
            return None
        if push and state.push_size_after_pull >= 0:  # push again, after pull: pull rarely returns
            opposite = None
        results: list[LevelsRun] = []

        def while_running() -> None:
            if opposite:
                opposite.prepare_buffers(opposite_class)

        def run() -> None:
            results.append(kernel.run_levels(state, depth, max_levels, while_running))

        self._execute(run)
        (result,) = results
        if depth is not None:
            depth.value += result.levels
        return result

    def prepare_buffers(self, kind: type[TraversalKernel]) -> None:
        """Allocate the buffers of a kernel that may run next, unless it needs a new transpose."""
        product = self.statements[0][1]
        try:
            if product.operands[0]._rows(kind.reads_own_rows(product))[0] is not None:
                kernel = self._cached_kernel(kind, kind)
                if kernel is not None:
                    kernel.prepare_buffers()
        except device.out_of_memory:  # raised when the kernel is really used
            pass

    def drop_buffers(self) -> None:
        """Release the buffers of kernels that were prepared and did not run."""
        for plan in self.plans.values():
            if plan is not None:
                kernel: Any = plan.run
                kernel.prepared_buffers = None

    def _kernel(self, key: Any, kind: type[TraversalKernel]) -> Any:
        """Return the kernel of the level, or None if its statements run one by one."""
        try:
            return self._cached_kernel(key, kind)
        except OutOfMemory:
            raise
        except device.out_of_memory as error:
            operation = self.statements[0][1].operation
            raise out_of_device_memory(error, f"{operation} and the statements after it") from error

    def _cached_kernel(self, key: Any, kind: type[TraversalKernel]) -> Any:
        plan = self.plans.get(key)
        if plan is None or not plan.is_valid():
            plan = self.plans[key] = self._make_plan(kind)
        return None if plan is None else plan.run

    def _execute(self, work: Callable[[], Any]) -> None:
        update, product = self.statements[0]
        evaluate(product, update.out, update.mask, work)

    def _make_plan(self, kind: type[TraversalKernel]) -> CachedPlan | None:
        """Return a plan with a kernel for the statements; None if they do not fit one."""
        (update, product), *others = self.statements
        frontier, mask = update.out, update.mask
        candidates = [bitmap_writer(frontier, *statement) for statement in others]
        writers = [writer for writer in candidates if writer is not None]
        if len(writers) < len(others) or len(writers) not in (1, 2):
            return None
        if not _is_masked_product(update, product):
            return None
        outs = [writer.out for writer in writers]
        if all(x is not mask.parent for x in outs):
            return None
        if len({id(x) for x in (frontier, *outs)}) < 1 + len(outs):
            return None
        require_same_device(product, frontier, *outs)
        dependencies = product.dependencies()
        if dependencies is None or any(x._store.form != "bitmap" for x in outs):
            return None
        rows, _ = product.operands[0]._rows(kind.reads_own_rows(product))
        if kind is PushTraversal and rows is None:
            return None  # a transpose would have to be made
        kernel = kind(frontier, product, writers, mask.parent)
        return CachedPlan((*dependencies, *((x, "bitmap") for x in outs)), kernel)


def increments_left(depth: Any) -> int:
    """Return how many times a Scalar can grow by one."""
    if depth is None or depth.dtype.np_type.kind not in "iu":
        return MAX_LEVELS
    return _largest_integer(depth.dtype.np_type) - int(depth.value)


@cache
def _largest_integer(dtype: Any) -> int:
    return int(np.iinfo(dtype).max)


def is_traversal(statements: Any) -> bool:
    """Whether statements begin with a product whose monoid takes any value, as in a BFS."""
    product = statements[0][1]
    return isinstance(product, MatrixVectorProduct) and _takes_any(product.op)


@cache
def _takes_any(semiring: Any) -> bool:
    return tables.is_any(semiring.monoid)


def _is_masked_product(update: Any, product: Any) -> bool:
    """Whether a statement is q<~visited.S, replace> = A q or q' A, with a square A."""
    q, mask = update.out, update.mask
    if mask is None or mask.kind != 3 or update.accum is not None or not update.replace:
        return False
    A, u = product.operands
    is_square = A.nrows == A.ncols == q.size == mask.parent._positions
    has_hinted_form = q._store.form == q._storage_hint in ("sparse", "bitmap")
    return u is q and product.dtype == q.dtype and is_square and has_hinted_form


def bitmap_writer(frontier: Any, update: Any, value: Any) -> BitmapWriter | None:
    """Return a statement as a writer of new frontier entries; None if it cannot be one."""
    mask, out = update.mask, update.out
    if mask is None:
        reads_frontier = isinstance(value, Elementwise) and [
            x is frontier for x in value.operands
        ] == [True]
        if not reads_frontier or update.accum is None:
            return None  # without an accumulator it would delete the other entries
        formula, scalar = value.formula, value.scalar
    elif mask.kind == 1 and mask.parent is frontier and not update.replace and np.isscalar(value):
        fill = Fill(value)
        formula, scalar = Formula("Constant", None, fill.dtype), fill.scalar
    else:
        return None
    fits = formula.template in FORMULAS and out.ndim == 1 and out.size == frontier.size
    return BitmapWriter(out, formula, scalar, update.accum) if fits else None


def plan(statements: Any) -> Any:
    """Return a function that runs pairs of an update, or an output, and an expression.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        The mask of an update does not fit its output.
    """
    statements = [(x if isinstance(x, Update) else x(), e) for x, e in statements]
    for update, _ in statements:
        update.out._mask(update.mask)
    if is_traversal(statements):
        return TraversalLevel(statements)
    return list_chain.StatementChain(statements)
