"""The frontier of a traversal, all of which every rank has: as bits, or as a list of vertices.

A level reads all of the old frontier and finds this rank's part of the new one.

Where ranks can write to each other's device memory (:class:`PeerFrontier`), the kernel itself sends
its part to all of them (``traversal_peers.cuh``). Where each rank has a device of its own, so that
their kernels run at once, they wait for each other, and one launch runs several levels; elsewhere
the hosts exchange a word after each level. Each form has two buffers: a level reads one and writes
the other, so that no rank overwrites what another still reads.

Elsewhere (:class:`GatheredFrontier`) the ranks gather the parts when a level needs them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from graphla.cuda.fused.traversal import (
    LevelsRun,
    Peers,
    PushTraversal,
    TraversalKernel,
    peer_definitions,
)
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult, kernel
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    kernel_index_dtype,
    to_dense,
    to_list,
)
from graphla.execution.push_pull import PushPullState

WORD_BITS, WORD = 32, 8  # bits of a word of a bitmap; bytes of a word of a Peers
LEVELS = "levels of traversals"  # the workspace that counts them, as long as the memory is used
ARRIVAL, PEERS_HEADER = 3, 10  # words of an Arrival, and of a Peers before its array
ALL_BITS = 0xFFFFFFFF
ALIGNMENT = 256  # bytes
MIN_CAPACITY = 1 << 10  # entries of a segment of a list
VERTICES_PER_ENTRY = 256  # of a segment; frontiers that are pushed are smaller than n / 512
# With this state the kernel counts the edges of new entries.
COUNTS_EDGES = PushPullState(0, 1 << 62, 1, -1, 0, 1.0)


class SharedFrontier(ABC):
    """All of the frontier on every rank.

    Attributes
    ----------
    total : int
        The number of entries of all ranks; known after a level, and after :meth:`prepare` for a
        push.
    sizes : array of int
        Those of each rank, where the hosts have exchanged them.
    """

    runs_several_levels_per_launch = False
    peer_key: Any = None  # of kernels that send to peers: the type of a vertex of any rank
    has_type_of_columns = True  # whether vertices of the list have the type of each rank's columns

    def __init__(self, layout: Any, n: int) -> None:
        self.communicator, self.n = layout.communicator, n
        self.boundaries = layout.boundaries(n)
        self.first = int(self.boundaries[self.communicator.rank])
        self.total, self.sizes = 0, np.zeros(0, np.int64)
        self._form = ""  # "bits" or "list", in which all ranks have q
        self._shared_part: Any = None  # this rank's part of q, as it was shared
        lengths = np.diff(self.boundaries).tolist()
        words = np.array([bitmap_words(length) if length else 0 for length in lengths])
        self._bytes_of_bits = words * (WORD_BITS // 8)

    def prepare(self, q: Any, push: bool) -> None:
        """Let all ranks have the frontier q in the form that a level by push, or by pull, reads."""
        form = "list" if push else "bits"
        if self._shared_part is q.block._store and self._form == form:
            return
        self._share(q, push)
        self._form, self._shared_part = form, q.block._store

    def _record_sizes(self, sizes: Any) -> None:
        """Take the numbers of entries of all ranks."""
        self.sizes, self.total = sizes, sum(sizes.tolist())

    def _share(self, q: Any, push: bool) -> None:
        """Send this rank's part of q to the others."""
        communicator, block = self.communicator, q.block
        if not push:
            self._gather_bits(communicator.guarded("level bits", lambda: _bits_of(block)))
            return

        def own_list() -> Any:
            if block._store.form != "sparse":
                block._store = to_list(block._store, block.size)
            return block._store, block._store.nvals

        own, size = communicator.guarded("level list", own_list)
        self._record_sizes(self._gather_sizes(size))
        self._share_list(own)

    def _gather_sizes(self, size: int) -> Any:
        """Return the numbers of entries of all ranks."""
        return self.communicator.gather_words("level list", size).first

    @abstractmethod
    def _share_list(self, own: Sparse) -> None:
        """Send this rank's list to the others; `sizes` are those of all."""

    @abstractmethod
    def run_levels(
        self,
        kernel: TraversalKernel,
        state: PushPullState,
        depth: Any,
        max_levels: int,
        while_running: Callable[[], None],
    ) -> LevelsRun:
        """Run one level or several; see ``TraversalKernel.run_levels_of_peers``.

        The size, the state and the direction of the result are those of all ranks. `while_running`
        may be called while the kernel runs; it exchanges nothing with other ranks.
        """

    def _decide(self, kernel: TraversalKernel, state: PushPullState, run: LevelsRun) -> LevelsRun:
        """Exchange what each rank has found in one level; choose push or pull."""
        edges = state.unexplored_edges - run.state.unexplored_edges
        found = self.communicator.gather_words("level", run.size, edges)
        self._record_sizes(found.first)
        push = isinstance(kernel, PushTraversal)
        state, push_next = state.advance(push, self.total, lambda: sum(found.second.tolist()))
        return LevelsRun(self.total, run.levels, state, push_next)

    @property
    @abstractmethod
    def bits(self) -> Any:
        """The bits of all vertices that the next level by pull reads."""

    def _gather_bits(self, own: Any) -> None:
        content = own.view(np.uint8)[: int(self._bytes_of_bits[self.communicator.rank])]
        self._gather("level bits", content, self._bytes_of_bits, self.bits)

    def _gathered_list(self, own: Sparse, key: Any) -> Any:
        """Return the vertices of all ranks, whose numbers are `sizes`."""

        def encoded() -> Any:
            keys = own.keys[: self.sizes.item(self.communicator.rank)]
            if self.first or keys.dtype != key:
                keys = device.xp.add(keys, self.first, dtype=key, casting="unsafe")
            return keys.view(np.uint8), device.xp.empty(int(self.sizes.sum()), key)

        content, whole = self.communicator.guarded("level list", encoded)
        self._gather("level list", content, self.sizes * key.itemsize, whole)
        return whole

    def _gather(self, call: str, content: Any, counts: Any, out: Any) -> None:
        """Gather arrays of known lengths, once no rank has failed to make its own."""
        self.communicator.gather_words(call, 0)
        self.communicator.allgather_known(call, content, counts, out.view(np.uint8))


class GatheredFrontier(SharedFrontier):
    """A frontier whose parts are gathered by collectives before each level."""

    def __init__(self, layout: Any, n: int) -> None:
        super().__init__(layout, n)
        self._bits = device.xp.empty(bitmap_words(n), np.uint32)
        self._list: Any = None
        lengths = np.diff(self.boundaries).tolist()
        types = {kernel_index_dtype(length) for length in lengths}
        self.has_type_of_columns = types == {kernel_index_dtype(n)}

    @property
    def bits(self) -> Any:
        """The bits of all vertices."""
        return self._bits

    def _share_list(self, own: Sparse) -> None:
        keys = self._gathered_list(own, np.dtype(kernel_index_dtype(self.n)))
        self._list = Sparse(keys, None, None, keys.size, False)
        self._list.count_wanted = True

    def run_levels(
        self,
        kernel: Any,
        state: PushPullState,
        depth: Any,
        max_levels: int,
        while_running: Callable[[], None],
    ) -> LevelsRun:
        """Run one level, whose push or pull the host decides."""
        work = partial(self._run, kernel, state, depth)
        return self._decide(kernel, state, self.communicator.guarded("level", work))

    def _run(self, kernel: Any, state: PushPullState, depth: Any) -> LevelsRun:
        if depth is not None:
            depth.value += 1
        if isinstance(kernel, PushTraversal):
            result = HostResult()
            kernel.run_level(self._list, COUNTS_EDGES, result)
            size, edges = kernel.frontier._store.nvals, result.wait()[0]
        else:
            new = kernel.empty_bitmap()
            new.count_result = HostResult()
            kernel.run_level(Dense(None, self._bits), new)
            size, edges = new.nvals, 0
        state = state._replace(unexplored_edges=state.unexplored_edges - edges)
        return LevelsRun(size, 1, state, False)


class PeerFrontier(SharedFrontier):
    """A frontier whose parts the kernels send to the memory of all ranks.

    Parameters
    ----------
    layout : Layout
    n : int
        Number of vertices of all ranks.
    memory : list of arrays
        Of :meth:`bytes_for` bytes, of each rank, which this rank's kernels can write.
    """

    def __init__(self, layout: Any, n: int, memory: list[Any]) -> None:
        super().__init__(layout, n)
        self.peer_key = np.dtype(kernel_index_dtype(n))
        ranks, rank = self.communicator.size, self.communicator.rank
        self.capacity = segment_capacity(n)
        places, _ = _places(n, ranks)
        own = memory[rank]

        def part(name: str, turn: int, dtype: Any, count: int) -> Any:
            start = places[name, turn]
            return own[start : start + count * np.dtype(dtype).itemsize].view(dtype)

        self._bits = [part("bits", turn, np.uint32, bitmap_words(n)) for turn in (0, 1)]
        self._all_bits = own[: places["sizes", 0]].view(np.uint64)
        self._sizes = [part("sizes", turn, np.uint64, ranks) for turn in (0, 1)]
        self._keys = [part("keys", turn, self.peer_key, ranks * self.capacity) for turn in (0, 1)]
        self._arrivals = [part("arrivals", turn, np.uint64, ranks * ARRIVAL) for turn in (0, 1)]
        segment = rank * self.capacity * self.peer_key.itemsize
        offsets = {"bits": self.first // 8, "keys": segment}
        offsets |= {"sizes": rank * WORD, "arrivals": rank * ARRIVAL * WORD}
        bases = [device.active.address_of(array) for array in memory]
        self._targets = [
            [
                base + places[name, turn] + offset
                for base in bases
                for name, offset in offsets.items()
            ]
            for turn in (0, 1)
        ]
        self._buffer = 0  # that the next level reads
        self._all_arrivals = own[places["arrivals", 0] : places["keys", 0]].view(np.uint64)
        self._all_arrivals.fill(0)  # no level has number 0
        self.communicator.workspaces.setdefault(LEVELS, 1)
        device.active.synchronise()
        self.runs_several_levels_per_launch = self.communicator.has_own_devices
        self._peers = {
            (turn, has_list): self._words(turn, self._keys[turn] if has_list else None)
            for turn in (0, 1)
            for has_list in (False, True)
        }
        self._long_list: Any = None  # words of a Peers whose list is elsewhere, and its array
        self._sent: HostResult | None = None  # written when this rank's list has arrived
        types = peer_definitions(self.peer_key, np.dtype(kernel_index_dtype(self._length)))
        types += "typedef bool U;\n"
        self._send_list = kernel("exchange_frontier", types, "send_list")
        self._list_bits = kernel("exchange_frontier", types, "list_bits")

    @staticmethod
    def bytes_for(n: int, ranks: int) -> int:
        """Return the bytes of memory that each rank needs."""
        return _places(n, ranks)[1]

    @property
    def bits(self) -> Any:
        """The bits of all vertices that the next level reads."""
        return self._bits[self._buffer]

    @property
    def _length(self) -> int:
        """Number of vertices of this rank."""
        return int(self.boundaries[self.communicator.rank + 1]) - self.first

    def _words(self, turn: int, keys: Any) -> Any:
        """Return a Peers for a level that reads buffer `turn`, and one for the level after it.

        `keys` are the list that the first level reads; None: it reads bits.
        """
        address, communicator, words = device.active.address_of, self.communicator, []
        length = PEERS_HEADER + len(self._targets[0])
        for place, read, to_next in (
            (turn, keys, length),
            (1 - turn, self._keys[1 - turn], -length),
        ):
            words += [communicator.size, communicator.rank, self.capacity, self.first, self.n]
            words += [address(self._bits[place]), 0 if read is None else address(read)]
            words += [address(self._sizes[place]), address(self._arrivals[1 - place]), to_next]
            words += self._targets[1 - place]
        return device.xp.asarray(np.array(words, np.int64))

    def prepare(self, q: Any, push: bool) -> None:
        """Let all ranks have q in a form that the level can read; nothing, if they have."""
        if self._shared_part is not q.block._store:
            super().prepare(q, push)
        elif push and self._form == "bits":
            if self.total > self._keys[0].size:
                super().prepare(q, push)
            else:
                self._make_list()

    def _share(self, q: Any, push: bool) -> None:
        self._buffer, self._long_list = 0, None  # an error may have left the ranks at other levels
        self._wait_until_sent()  # a list of a search that failed
        self._all_bits.fill(0)  # so that they are equal on all ranks: kernels send what changes
        if not push:  # with a list the ranks exchange its sizes, and this beside them
            self._agree_on_next_level()
        super()._share(q, push)

    def _gather_sizes(self, size: int) -> Any:
        """Return the numbers of entries of all ranks; agree on the number of the next level."""
        return self._agree_on_next_level(size)

    def _agree_on_next_level(self, size: int = 0) -> Any:
        """Number the next level as the rank does that has run most; return the sizes of all."""
        workspaces = self.communicator.workspaces
        found = self.communicator.gather_words("level number", size, workspaces[LEVELS])
        workspaces[LEVELS] = int(found.second.max())
        return found.first

    def _gather(self, call: str, content: Any, counts: Any, out: Any) -> None:
        """Gather arrays, once the bits are cleared: a rank that only sends may go on at once."""
        self.communicator.guarded(call, device.active.synchronise)
        super()._gather(call, content, counts, out)

    def _make_list(self) -> None:
        """List the bits of all ranks, as one segment."""
        bits, keys, sizes = self.bits, self._keys[self._buffer], self._sizes[self._buffer]
        sizes.fill(0)
        self._list_bits(bits.size, bits.size, bits, keys, sizes)
        self._form = "list"

    def _share_list(self, own: Sparse) -> None:
        if self.sizes.max() <= self.capacity:
            self.communicator.guarded("level list", lambda: self._send(own))
            return
        keys = self._gathered_list(own, self.peer_key)

        def as_one_segment() -> Any:
            sizes = self._sizes[self._buffer]
            sizes.fill(0)
            sizes[:1] = keys.size
            return self._words(self._buffer, keys), keys

        self._long_list = self.communicator.guarded("level list", as_one_segment)

    def _send(self, own: Sparse) -> None:
        """Write this rank's list to the memory of all ranks; `_sent` is written after that."""
        arrived, words = HostResult(), zeroed_words(size=2)
        peers = self._peers[1 - self._buffer, False]  # which writes to the buffer that is read
        threads = max(own.nvals, 1)
        self._send_list(threads, own.count, own.keys, peers, words, arrived.device_words)
        self._sent = arrived

    def run_levels(
        self,
        kernel: TraversalKernel,
        state: PushPullState,
        depth: Any,
        max_levels: int,
        while_running: Callable[[], None],
    ) -> LevelsRun:
        """Run levels: several in one launch, where the kernels of all ranks run at once.

        All ranks begin the launch after all have allocated and compiled what it needs. If a rank
        has failed before this, or in an earlier launch, all ranks raise here.
        """
        communicator, has_list = self.communicator, self._form == "list"
        if not self.runs_several_levels_per_launch:
            max_levels = 1
        buffers = communicator.guarded("level", partial(self._ready, kernel, max_levels))
        communicator.gather_words("level", max_levels)
        words, _ = self._long_list or (self._peers[self._buffer, has_list], None)
        peers = Peers(words, communicator.workspaces[LEVELS], has_list)
        communicator.workspaces[LEVELS] += max_levels  # no number is used twice
        launch = partial(self._run, kernel, buffers, state, depth, max_levels, peers, while_running)
        run, is_cut_off = communicator.guarded("level", launch)
        if max_levels == 1:  # the kernel has not waited for the other ranks
            run = self._decide(kernel, state, run)
            is_cut_off = self.sizes.max() > self.capacity
        elif not run.size or run.levels == max_levels:
            # the search may end here: if a rank has failed, all raise
            communicator.gather_words("last level", run.levels)
        self.total, self._long_list = run.size, None
        self._buffer = (self._buffer + run.levels) % 2
        self._form = "list" if isinstance(kernel, PushTraversal) else "bits"
        is_shared = self._form == "bits" or not is_cut_off
        self._shared_part = kernel.frontier._store if is_shared else None
        return run

    def _ready(self, kernel: TraversalKernel, max_levels: int) -> Any:
        """Return what a launch needs, when this rank's list has arrived on all ranks."""
        size = self.total if self._form == "list" else 0  # only a push needs it
        allocated = kernel.allocate_for_peers(size, max_levels)
        self._wait_until_sent()
        return allocated

    def _wait_until_sent(self) -> None:
        """Wait until this rank's list, if it was sent, has arrived on all ranks."""
        sent, self._sent = self._sent, None
        if sent:
            sent.wait()

    def _run(self, kernel: TraversalKernel, *arguments: Any) -> tuple[LevelsRun, bool]:
        return kernel.run_levels_of_peers(*arguments)


def _bits_of(block: Any) -> Any:
    """Return the presence bits of a Vector of the engine."""
    store = to_dense(block._store, block.size)
    if store.bits is None:  # all entries are present
        return device.xp.full(bitmap_words(block.size), ALL_BITS, np.uint32)
    return store.bits


def segment_capacity(n: int) -> int:
    """Return how many entries of a list each rank can send."""
    return max(MIN_CAPACITY, n // VERTICES_PER_ENTRY)


def _places(n: int, ranks: int) -> tuple[dict[tuple[str, int], int], int]:
    """Return where in the memory of a rank each array begins, and how many bytes that has."""
    key = np.dtype(kernel_index_dtype(n)).itemsize
    lengths = {  # bits come first: PeerFrontier clears them together
        "bits": bitmap_words(n) * (WORD_BITS // 8),
        "sizes": ranks * WORD,
        "arrivals": ranks * ARRIVAL * WORD,
        "keys": ranks * segment_capacity(n) * key,
    }
    places, end = {}, 0
    for name, length in lengths.items():
        for turn in (0, 1):
            places[name, turn] = end
            end += -(-length // ALIGNMENT) * ALIGNMENT
    return places, end


def shared_frontier(layout: Any, n: int) -> SharedFrontier:
    """Return the frontier of a traversal of n vertices, which ranks keep for the next one."""
    communicator, boundaries = layout.communicator, layout.boundaries(n).tolist()
    kept = communicator.workspaces.get("frontier")
    if kept is None or kept[0] != boundaries:
        nbytes = PeerFrontier.bytes_for(n, communicator.size)
        memory = communicator.shared_arrays("frontier", nbytes)

        def make() -> SharedFrontier:
            if memory is None:
                return GatheredFrontier(layout, n)
            return PeerFrontier(layout, n, memory)

        found = communicator.guarded("frontier", make)
        communicator.gather_words("frontier", n)  # all have cleared their memory
        kept = communicator.workspaces["frontier"] = boundaries, found
    return kept[1]
