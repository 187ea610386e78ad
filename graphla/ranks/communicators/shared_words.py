"""Words of all ranks of one machine, in memory that they share.

A rank writes the number of the exchange, its words and a checksum of both; the others read them
until the checksum is right, so no order of the writes is assumed. Two sets of places are used in
turn: a rank that writes to one again has got the words of all others since, and they have read it.
"""

from __future__ import annotations

import mmap
import os
import time
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from graphla.errors import RankFailure
from graphla.ranks.collectives.communicator import ending_group

WORD = 8  # bytes
MIN_WORDS = 4  # of a rank in one exchange
BUSY_POLLS = 2000  # before the core is offered to other processes
SLEEPLESS_SECONDS = 0.05  # before the process sleeps between two polls
SLEEP_SECONDS = 1e-4


class SharedWords:
    """The words of a group of ranks.

    Parameters
    ----------
    path : path_like
        A file that :meth:`create` has made.
    rank, size : int
        The number of this rank, and of how many.
    """

    def __init__(self, path: Any, rank: int, size: int) -> None:
        self.rank, self.size, self.exchanges = rank, size, 0
        self._width = max(MIN_WORDS, size) + 2
        with Path(path).open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        self._words = memoryview(self._memory).cast("q")
        self._ended = 2 * size * self._width  # place of the word that names a lost rank

    @staticmethod
    def create(path: Any, size: int) -> None:
        """Make the file."""
        count = 2 * size * (max(MIN_WORDS, size) + 2) + 1
        Path(path).write_bytes(bytes(WORD * count))

    def allgather(self, words: Any) -> Any:
        """Return the int64 arrays of all ranks, of equal length, as rows of one array."""
        self.exchanges = number = self.exchanges + 1
        own, memory, stride = words.tobytes(), self._memory, WORD * self._width
        base = number % 2 * self.size * stride
        numbered = number.to_bytes(WORD, "little") + own
        length, checksum = len(numbered), crc32(numbered).to_bytes(WORD, "little")
        start = base + self.rank * stride
        memory[start : start + length + WORD] = numbered + checksum
        rows = []
        for rank in range(self.size):
            if rank == self.rank:
                rows.append(own)
                continue
            start = base + rank * stride
            polls = 0
            while True:
                found = memory[start : start + length + WORD]
                if found.startswith(numbered[:WORD]):
                    content = found[:length]
                    if crc32(content).to_bytes(WORD, "little") == found[length:]:
                        rows.append(content[WORD:])
                        break
                polls += 1
                if polls > BUSY_POLLS:
                    self._wait(polls, rank)
        return np.frombuffer(b"".join(rows), np.int64).reshape(self.size, -1)

    def _wait(self, polls: int, rank: int) -> None:
        """Let other processes run; raise if a rank is lost."""
        if self._words[self._ended]:
            lost = self._words[self._ended] - 1
            raise ending_group(
                RankFailure(f"rank {lost} of {self.size} has ended; rank {self.rank} waits")
            )
        if polls == BUSY_POLLS + 1:
            self._waits_since = time.perf_counter()
        if time.perf_counter() - self._waits_since < SLEEPLESS_SECONDS:
            os.sched_yield()
        else:
            time.sleep(SLEEP_SECONDS)

    def exchanges_of(self, rank: int) -> int:
        """Return how many exchanges a rank has begun; for the process that started the ranks."""
        places = ((k * self.size + rank) * self._width for k in (0, 1))
        return max(self._words[place] for place in places)

    def mark_lost(self, rank: int) -> None:
        """Let all ranks that wait raise RankFailure."""
        self._words[self._ended] = rank + 1

    def close(self) -> None:
        """Unmap the memory."""
        self._words.release()
        self._memory.close()
