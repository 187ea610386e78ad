"""Boruvka's forest on the GPU and the CPU together: step 1 is shared, most of the time goes there.

The CPU's threads walk along the lists of the vertices below `split`, the GPU along the others, at
the same time. Trees come down and edges go up by copies on a stream of their own. The split is
where both take as long by runs of each alone, if that is of any use; or where the lists from it on
fit in a bound on device memory: then each side has its own lists only.

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
from graphla.cuda.expressions.expression import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.generate.builder import check_integer
from graphla.native.cpu.minimum_spanning_forest import BLOCK, find_lightest
from graphla.native.cuda.papers.boruvka import Found, State, checked, forest, ranked, span, walk
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
        On engine "cuda", symmetric. Its lists are made on the first call with these `max_bytes`,
        for which all are in device memory once more, and kept, as are the ranks of the weights
        (:func:`~graphla.transform.rows_by_weight`); of the graph's own matrix the rows of the
        forest's edges are read for their weights.
    max_bytes : int, optional
        For these lists alone in device memory, 8 bytes a neighbour (12 from 2^31 edges on). It
        bounds nothing else: the graph's matrix and that of the ranks, of 8 bytes a neighbour and
        more each, stay in device memory beside them, and working arrays, of about 40 bytes a
        vertex, come on top. By default all lists are there and in host memory, and each side
        takes a share by its measured rate.

    Returns
    -------
    Forest
        As of :func:`graphla.minimum_spanning_forest`.

    Raises
    ------
    EngineMismatch
        The graph is on engine "cpu".
    OutOfDeviceMemory
        Device memory ends.
    DomainMismatch, InvalidValue
        `max_bytes` is no integer, or negative; or a weight is NaN.
    SymmetricStructureRequired
        The matrix is not symmetric.
    """
    if max_bytes is not None:
        max_bytes = check_integer(max_bytes, "max_bytes")
    checked(G)
    return forest(G, derive_for_stream(G, _share, max_bytes).run())


def _share(G: Graph, max_bytes: int | None) -> Shared:
    return Shared(rows_by_weight(ranked(G)), max_bytes)


class Shared:
    """Lists of both sides, and what goes between them."""

    def __init__(self, rows: Rows, max_bytes: int | None) -> None:
        self.n, self.lock = rows.n, Lock()
        ends, bound, low = rows.indptr, max_bytes is not None, 0
        if max_bytes is not None:
            each = rows.indices.itemsize + rows.values.itemsize
            room = min(max_bytes // each, rows.indices.size)
            low = int(device.read_scalar(((ends[-1:] - ends) > room).sum()))
        high = low if bound else self.n
        begin, end = (int(device.read_scalar(ends[v : v + 1])) for v in (low, high))
        columns, costs = rows.indices, rows.values
        self.first = low  # of the vertices whose lists are on the device
        self.near = rows._replace(
            indptr=ends[low:] - ends[low],
            indices=columns[begin:].copy(),
            values=costs[begin:].copy(),
        )
        self.far = tuple(device.to_host(x) for x in (ends[: high + 1], columns[:end], costs[:end]))
        self.tree, self.goal = pinned(self.n, np.int32), pinned(high, np.int32)
        self.cost = pinned(high, costs.dtype)
        self.numbers, self.beside = np.arange(high, dtype=np.int32), Beside()
        self.split = low
        with announce_compilation("native.cuda.minimum_spanning_forest_with_cpu"):
            self.on_cpu(self.far[0][:0], 0)
        if not bound and end:
            self.split = self.measured(ends)

    def measured(self, ends: Any) -> int:
        """Return the split at which both sides would take as long, by a run of each alone.

        It is 0 where the two together take longer than the GPU alone, for what goes between them.
        """

        def seconds(split: int) -> float:
            self.split = split
            return self.timed()

        seconds(0)  # which compiles
        gpu, cpu = seconds(0), seconds(self.n)
        entries = int(gpu / (gpu + cpu) * self.far[1].size)
        split = int(device.read_scalar((ends < entries).sum()))
        return split if seconds(split) < gpu else 0

    def timed(self) -> float:
        """Return the seconds that step 1 takes in a run."""
        spent = [0.0]
        dtype, step = self.step()

        def lightest(active: Any, state: State) -> None:
            device.synchronise()
            start = perf_counter()
            step(active, state)
            device.synchronise()
            spent[0] += perf_counter() - start

        span(self.n, dtype, lightest)
        return spent[0]

    def run(self) -> Found:
        """Return the forest."""
        with self.lock:
            return span(self.n, *self.step())

    def step(self) -> tuple[Any, Callable[[Any, State], None]]:
        """Return the dtype of costs, and step 1."""
        split = self.split
        dtype, on_gpu = walk(self.near, self.first)
        mark = self.far[0][:-1].copy()
        self.goal[:] = self.numbers

        def lightest(active: Any, state: State) -> None:
            below = int(device.read_scalar((active < split).sum())) if split else 0
            come = self.beside(partial(down, state.tree, self.tree)) if below else None
            on_gpu(active[below:], state)
            if come is not None:
                come()
                self.on_cpu(mark, split)
                for mine, there in ((self.goal, state.goal), (self.cost, state.cost)):
                    self.beside(partial(up, mine[:split], there[:split]))
                self.beside.join()

        return dtype, lightest

    def on_cpu(self, mark: Any, split: int) -> None:
        """Walk along the lists of the vertices below the split."""
        held = np.diff(np.append(np.arange(0, split, BLOCK), split))
        walk_on: Any = find_lightest
        walk_on(*self.far, self.tree, mark, self.goal, self.cost, self.numbers, held)


class Beside:
    """A stream of copies beside the current one; without a device they are made at once."""

    def __init__(self) -> None:
        cuda = getattr(device.xp, "cuda", None)
        self.stream = cuda and cuda.Stream(non_blocking=True)

    def __call__(self, copy: Callable[[], Any]) -> Callable[[], None]:
        """Copy after what the current stream was given so far; return what waits for it."""
        if self.stream is None:
            copy()
            return lambda: None
        self.stream.wait_event(device.xp.cuda.get_current_stream().record())
        with self.stream:
            copy()
            wait: Callable[[], None] = self.stream.record().synchronize
        return wait

    def join(self) -> None:
        """Let the current stream wait for the copies."""
        if self.stream is not None:
            device.xp.cuda.get_current_stream().wait_event(self.stream.record())


def pinned(size: int, dtype: Any) -> Any:
    """Return a NumPy array whose copies run beside kernels."""
    cuda = getattr(device.xp, "cuda", None)
    if cuda is None:
        return np.zeros(size, dtype)
    nbytes = max(1, size) * np.dtype(dtype).itemsize
    return np.frombuffer(cuda.alloc_pinned_memory(nbytes), dtype, size)


def down(x: Any, host: Any) -> None:
    """Copy an array of the device to the host, in the current stream."""
    if hasattr(x, "get"):
        x.get(out=host, blocking=False)
    else:
        host[:] = x


def up(host: Any, x: Any) -> None:
    """Copy an array of the host to the device, in the current stream."""
    if hasattr(x, "set"):
        x.set(host)
    else:
        x[:] = host
