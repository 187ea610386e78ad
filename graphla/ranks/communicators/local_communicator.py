"""Collectives of processes of one machine: words in shared memory, data in files in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.ranks.blocks.engine import BlockEngine
from graphla.ranks.collectives.communicator import Communicator
from graphla.ranks.communicators.shared_words import SharedWords

WORDS_FILE = "words"


class LocalCommunicator(Communicator):
    """A rank that is a process of one machine.

    Parameters
    ----------
    folder : path_like
        Of the group, in memory that its processes share.
    rank, size : int
    blocks : BlockEngine
    end_all_ranks : function
        Takes an error that ends all ranks.
    """

    def __init__(
        self,
        folder: Any,
        rank: int,
        size: int,
        blocks: BlockEngine,
        end_all_ranks: Any,
        *,
        check_calls: bool = False,
    ) -> None:
        super().__init__(rank, size, blocks=blocks, check_calls=check_calls)
        self._folder, self._end_all_ranks = Path(folder), end_all_ranks
        self._words = SharedWords(self._folder / WORDS_FILE, rank, size)
        self._files = 0  # written by this rank

    def _allgather_words(self, words: Any) -> Any:
        return self._words.allgather(words)

    def _allgather_host_bytes(self, content: Any, counts: Any, out: Any) -> None:
        self._write(content)
        self._words.allgather(np.zeros(1, np.int64))
        ends = np.cumsum(counts).tolist()
        for rank, last in enumerate(ends):
            part = out[last - int(counts[rank]) : last]
            part[:] = content if rank == self.rank else self._read(rank, 0, part.size)

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        self._allgather_host_bytes(content, counts, out)

    def _alltoall_bytes(self, content: Any, sent: Any, received: Any) -> Any:
        self._write(content)
        everything = self._words.allgather(np.asarray(sent, np.int64))
        starts = (np.cumsum(everything, axis=1) - everything)[:, self.rank].tolist()
        parts = [
            self._read(rank, start, int(count))
            for rank, (start, count) in enumerate(zip(starts, received, strict=True))
        ]
        return np.concatenate(parts)

    def _write(self, content: Any) -> None:
        """Write this rank's data; two files in turn, as the places of the words."""
        self._files += 1
        content.tofile(self._path(self.rank))

    def _read(self, rank: int, start: int, count: int) -> Any:
        return np.fromfile(self._path(rank), np.uint8, count, offset=start)

    def _path(self, rank: int) -> Path:
        return self._folder / f"data-{rank}-{self._files % 2}"

    def end_all_ranks(self, error: BaseException) -> None:
        """Tell the process that started the ranks, which ends them all, and end this one."""
        self._end_all_ranks(error)
