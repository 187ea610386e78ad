"""Boruvka's forest on the GPU and the CPU together: they share step 1, which takes longest.

The threads of the CPU scan the lists of the vertices below `split`, the GPU scans the others at the
same time. Trees are copied to the host and edges to the device on a separate stream. The split
is chosen so that both take equally long, by a run of each alone, if sharing is faster at all. With
`max_bytes` it is the first vertex from which the lists fit in that bound; then each side has only
its own lists.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.results import Forest
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.generate.builder import check_integer
from graphla.native.cpu.minimum_spanning_forest import BLOCK
from graphla.native.cpu.minimum_spanning_forest import find_lightest as find_lightest_on_cpu
from graphla.native.cuda.papers.boruvka import (
    FindLightest,
    ForestArrays,
    VertexState,
    check_graph,
    scan_sorted,
    span,
    to_result,
)
from graphla.native.cuda.renumbered.by_rank import ranked_graph
from graphla.native.cuda.runtime import derive_for_stream
from graphla.numba_support.compiling import announce_compilation
from graphla.transform import Rows, rows_by_weight

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@translate_out_of_memory
def minimum_spanning_forest_with_cpu(G: Graph, *, max_bytes: int | None = None) -> Forest:
    """Find a minimum spanning forest on the GPU and the CPU's threads together.

    Parameters
    ----------
    G : Graph
        On engine "cuda", symmetric. The first call with a value of `max_bytes` makes the lists
        (:func:`~graphla.transform.rows_by_weight` of the ranks of the edges), for which all lists
        must fit in device memory, and caches them with the graph. The matrix of the graph is read
        only for the weights of the forest's edges.
    max_bytes : int, optional
        Bound on the bytes of the lists in device memory: 8 for each neighbour, 12 from 2^31 edges
        on. It bounds nothing else: the matrix of the graph and that of the ranks, of at least
        8 bytes for each neighbour, stay in device memory, and working arrays of about 40 bytes
        for each vertex are added. By default all lists are both in device and in host memory, and
        each side takes a share by its measured speed.

    Returns
    -------
    Forest
        The same as from :func:`graphla.minimum_spanning_forest`.

    Raises
    ------
    EngineMismatch
        The graph is on engine "cpu".
    OutOfDeviceMemory
        It does not fit in device memory.
    DomainMismatch, InvalidValue
        `max_bytes` is not an integer, or is negative; or a weight is NaN.
    SymmetricStructureRequired
        The matrix is not symmetric.
    """
    if max_bytes is not None:
        max_bytes = check_integer(max_bytes, "max_bytes")
    check_graph(G)
    return to_result(G, derive_for_stream(G, _make_shared_forest_runner, max_bytes).run())


def _make_shared_forest_runner(G: Graph, max_bytes: int | None) -> SharedForestRunner:
    return SharedForestRunner(rows_by_weight(ranked_graph(G)), max_bytes)


class SharedForestRunner:
    """Runs Boruvka's rounds with step 1 on both sides: lists of each, and buffers for copies."""

    def __init__(self, rows: Rows, max_bytes: int | None) -> None:
        self.n, self.lock = rows.n, Lock()
        offsets, columns, costs = rows.indptr, rows.indices, rows.values
        # the device gets the lists of the vertices from `first` on, the host those below `end`
        first, end = 0, self.n
        if max_bytes is not None:
            room = min(max_bytes // (columns.itemsize + costs.itemsize), columns.size)
            first = end = int(device.read_scalar(((offsets[-1:] - offsets) > room).sum()))
        low, high = (int(device.read_scalar(offsets[v : v + 1])) for v in (first, end))
        self.first = first
        self.device_rows = rows._replace(
            indptr=offsets[first:] - offsets[first],
            indices=columns[low:].copy(),
            values=costs[low:].copy(),
        )
        host_arrays = offsets[: end + 1], columns[:high], costs[:high]
        self.host_rows = tuple(device.to_host(x) for x in host_arrays)
        self.tree, self.goal = pinned_array(self.n, np.int32), pinned_array(end, np.int32)
        self.cost = pinned_array(end, costs.dtype)
        self.vertices, self.copies = np.arange(end, dtype=np.int32), CopyStream()
        self.split = first
        with announce_compilation("native.cuda.minimum_spanning_forest_with_cpu"):
            self.scan_on_cpu(self.host_rows[0][:0], 0)  # compile it
        if max_bytes is None and high:
            self.split = self.choose_split(offsets)

    def choose_split(self, offsets: Any) -> int:
        """Return the split at which both sides take equally long, by a run of each alone.

        It is 0 if the copies make both together slower than the GPU alone.
        """

        def seconds(split: int) -> float:
            self.split = split
            return self.time_step_1()

        seconds(0)  # the first run compiles
        gpu, cpu = seconds(0), seconds(self.n)
        entries = int(gpu / (gpu + cpu) * self.host_rows[1].size)
        split = int(device.read_scalar((offsets < entries).sum()))
        return split if seconds(split) < gpu else 0

    def time_step_1(self) -> float:
        """Return the seconds that step 1 takes in a run."""
        spent = [0.0]
        cost_dtype, find_lightest = self.step_1()

        def timed(active: Any, state: VertexState) -> None:
            device.synchronise()
            start = perf_counter()
            find_lightest(active, state)
            device.synchronise()
            spent[0] += perf_counter() - start

        span(self.n, cost_dtype, timed)
        return spent[0]

    def run(self) -> ForestArrays:
        """Return the forest."""
        with self.lock:
            return span(self.n, *self.step_1())

    def step_1(self) -> tuple[Any, FindLightest]:
        """Return the dtype of costs, and step 1."""
        split = self.split
        cost_dtype, scan_on_gpu = scan_sorted(self.device_rows, self.first)
        mark = self.host_rows[0][:-1].copy()
        self.goal[:] = self.vertices

        def find_lightest(active: Any, state: VertexState) -> None:
            below = int(device.read_scalar((active < split).sum())) if split else 0
            if below:
                wait_for_trees = self.copies.add(partial(copy_to_host, state.tree, self.tree))
            scan_on_gpu(active[below:], state)
            if below:
                wait_for_trees()
                self.scan_on_cpu(mark, split)
                for found, target in ((self.goal, state.goal), (self.cost, state.cost)):
                    self.copies.add(partial(copy_to_device, found[:split], target[:split]))
                self.copies.join()

        return cost_dtype, find_lightest

    def scan_on_cpu(self, mark: Any, split: int) -> None:
        """Scan the lists of the vertices below the split."""
        block_sizes = np.diff(np.append(np.arange(0, split, BLOCK), split))
        scan: Any = find_lightest_on_cpu
        scan(*self.host_rows, self.tree, mark, self.goal, self.cost, self.vertices, block_sizes)


class CopyStream:
    """A stream for copies that overlap kernels of the current stream.

    Without CUDA, as in the simulator of the tests, copies are made at once.
    """

    def __init__(self) -> None:
        cuda = getattr(device.xp, "cuda", None)
        self.stream = cuda and cuda.Stream(non_blocking=True)

    def add(self, copy: Callable[[], Any]) -> Callable[[], None]:
        """Copy after the work queued in the current stream; return a function that waits for it."""
        if self.stream is None:
            copy()
            return lambda: None
        self.stream.wait_event(device.xp.cuda.get_current_stream().record())
        with self.stream:
            copy()
            wait: Callable[[], None] = self.stream.record().synchronize
        return wait

    def join(self) -> None:
        """Make the current stream wait for the copies."""
        if self.stream is not None:
            device.xp.cuda.get_current_stream().wait_event(self.stream.record())


def pinned_array(size: int, dtype: Any) -> Any:
    """Return a NumPy array in page-locked memory, whose copies overlap kernels."""
    cuda = getattr(device.xp, "cuda", None)
    if cuda is None:
        return np.zeros(size, dtype)
    nbytes = max(1, size) * np.dtype(dtype).itemsize
    return np.frombuffer(cuda.alloc_pinned_memory(nbytes), dtype, size)


def copy_to_host(x: Any, host: Any) -> None:
    """Copy a device array to the host in the current stream, without waiting."""
    if hasattr(x, "get"):
        x.get(out=host, blocking=False)
    else:
        host[:] = x


def copy_to_device(host: Any, x: Any) -> None:
    """Copy a host array to the device in the current stream."""
    if hasattr(x, "set"):
        x.set(host)
    else:
        x[:] = host
