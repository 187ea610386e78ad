"""Collectives of processes of one machine: words in shared memory, data in files in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphla.errors import RankFailure
from graphla.ranks.blocks.engine import BlockEngine
from graphla.ranks.collectives.communicator import Communicator, ending_group
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
        self._swap([content], [counts], np.zeros_like(counts), [out])

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        self._allgather_host_bytes(content, counts, out)

    def _allgather_columns(
        self, columns: Sequence[Any], lengths: Sequence[Any], out: Sequence[Any]
    ) -> None:
        self._swap(columns, lengths, np.zeros(self.size, np.int64), out)

    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        starts = (np.cumsum(counts, axis=1) - counts)[:, self.rank]
        arriving, totals = [counts[:, self.rank]] * len(out), [counts.sum(axis=1)] * len(out)
        self._swap(columns, arriving, starts, out, totals)

    def _swap(
        self, columns: Sequence[Any], lengths: Sequence[Any], starts: Any, out: Sequence[Any],
        totals: Sequence[Any] | None = None,
    ) -> None:  # fmt: skip
        """Write columns to a file, and read a part of those of each rank into one array each.

        Parameters
        ----------
        columns : sequence of arrays
            Of this rank.
        lengths : sequence of arrays
            For each column the number of elements that each rank has for this one.
        starts : array
            The first of them in each column of each rank.
        out : sequence of arrays
            What they are read into, in the order of the ranks.
        totals : sequence of arrays, optional
            For each column its whole length on each rank; by default `lengths`.
        """
        self._write(columns)
        self._words.allgather(np.zeros(1, np.int64))
        firsts = [0] * len(out)
        for rank, start in enumerate(starts.tolist()):
            parts, place = [], 0  # of a column in the file of this rank
            for k, whole in enumerate(out):
                first, size, count = firsts[k], whole.itemsize, int(lengths[k][rank])
                parts.append((place + start * size, whole[first : first + count]))
                place += int((totals or lengths)[k][rank]) * size
                firsts[k] += count
            if rank != self.rank:
                self._read(rank, parts)
                continue
            for column, (_, part) in zip(columns, parts, strict=True):
                part[:] = column[start : start + part.size]

    def _write(self, columns: Sequence[Any]) -> None:
        """Write this rank's data; two files in turn, as the places of the words."""
        self._files += 1
        with self._path(self.rank).open("wb", buffering=0) as file:
            for column in columns:
                column.tofile(file)

    def _read(self, rank: int, parts: list[tuple[int, Any]]) -> None:
        """Fill arrays with data of another rank, which begin at these bytes of its file."""
        parts = [(start, part) for start, part in parts if part.size]
        if not parts:
            return
        with self._path(rank).open("rb", buffering=0) as file:
            for start, part in parts:
                file.seek(start)
                target = memoryview(part.view(np.uint8))
                while target:
                    count = file.readinto(target)
                    if not count:
                        raise ending_group(
                            RankFailure(f"the data of rank {rank} are shorter than it said")
                        )
                    target = target[count:]

    def _path(self, rank: int) -> Path:
        return self._folder / f"data-{rank}-{self._files % 2}"

    def end_all_ranks(self, error: BaseException) -> None:
        """Report to the process that started the ranks, which ends them all; end this one."""
        self._end_all_ranks(error)
