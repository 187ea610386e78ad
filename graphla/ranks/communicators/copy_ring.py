"""All-gather of long arrays by copies from device to device, through rings of shared buffers.

Between two H200 a copy moves 380 GB/s; NCCL's kernels move 236 GB/s of pieces of unequal lengths
(benchmarks/results/cuda-scripts.txt). A copy needs memory that the other process has mapped, which
arrays of CuPy's pool are not. So each rank copies its piece, chunk by chunk, to a ring of three
buffers, from which the others read it. For chunk k:

    current stream   copy chunk k to buffer k mod 3
    host             wait for that, and for the reads of chunk k - 2; exchange a word
    second stream    read chunk k of each other rank

Once word k has arrived from all ranks, chunk k can be read everywhere, and chunk k - 2 has been
read everywhere: its buffer is that of chunk k + 1. While chunk k is read, the next one is copied.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

CHUNK = 1 << 25  # bytes: read in 0.09 ms, during which the next chunk is copied and words exchanged
BUFFERS = 3
RING_BYTES = BUFFERS * CHUNK
# Bytes of the longest piece from which NCCL is not used; others were not tried.
LEAST_COPIED = CHUNK


class CopyRing:
    """The buffers of all ranks, and the chunks that have been copied through them.

    Parameters
    ----------
    rings : sequence of arrays
        RING_BYTES bytes of each rank, mapped by this one.
    rank : int
        The number of this rank.
    cuda : module
        CuPy's, of streams and events.
    barrier : function
        Returns when all ranks have called it.
    """

    def __init__(
        self, rings: Sequence[Any], rank: int, cuda: Any, barrier: Callable[[], Any]
    ) -> None:
        self._rings, self._rank, self._cuda, self._barrier = rings, rank, cuda, barrier
        self._reading = cuda.Stream(non_blocking=True)
        self._reads: deque[Any] = deque()  # events after the reads of the last chunks
        self._chunks = 0  # copied so far, in all gathers

    def gather(self, content: Any, lengths: Sequence[int], out: Any, stream: Any) -> None:
        """Write the uint8 arrays of all ranks, of these lengths, one behind the other to `out`.

        `content` is this rank's. The copies are ordered with what is on `stream`, the current one.
        """
        size, longest = len(lengths), max(lengths)
        starts = [sum(lengths[:rank]) for rank in range(size)]
        others = [(self._rank + step) % size for step in range(1, size)]
        for first in range(0, longest, CHUNK):
            place = self._chunks % BUFFERS * CHUNK
            self._chunks += 1
            counts = [min(max(length - first, 0), CHUNK) for length in lengths]
            own = counts[self._rank]
            self._copy(self._rings[self._rank][place:], content[first:], own, stream)
            copied = self._event_after(stream)
            self._copy(out[starts[self._rank] + first :], content[first:], own, stream)
            copied.synchronize()
            if len(self._reads) == BUFFERS - 1:
                self._reads.popleft().synchronize()
            self._barrier()
            for rank in others:
                target = out[starts[rank] + first :]
                self._copy(target, self._rings[rank][place:], counts[rank], self._reading)
            self._reads.append(self._event_after(self._reading))
        stream.wait_event(self._reads[-1])

    def _copy(self, target: Any, source: Any, nbytes: int, stream: Any) -> None:
        if nbytes:
            target.data.copy_from_device_async(source.data, nbytes, stream)

    def _event_after(self, stream: Any) -> Any:
        event = self._cuda.Event(disable_timing=True)
        event.record(stream)
        return event
