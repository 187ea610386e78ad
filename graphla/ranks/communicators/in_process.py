"""Ranks as threads of one process that take turns, for tests and for trying things out.

One rank runs at a time, in the order of the ranks, from one collective to the next: a run is
deterministic, and ranks that wait for one that has ended are found at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from graphla.errors import InvalidValue, RankFailure
from graphla.ranks.blocks.engine import BlockEngine, block_engine
from graphla.ranks.collectives.communicator import Communicator, ending_group, ends_group
from graphla.ranks.distribution import Ranks

T = TypeVar("T")


class Turns:
    """Lets one rank run at a time; in an exchange each leaves a value and gets those of all."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._may_run = [threading.Semaphore(int(rank == 0)) for rank in range(size)]
        self._values: dict[int, Any] = {}  # of the ranks that wait now
        self._result: list[Any] = []
        self._exchanges = 0
        self._ended: set[int] = set()
        self._is_interrupted = False

    def begin(self, rank: int) -> None:
        """Wait for the first turn."""
        self._may_run[rank].acquire()

    def exchange(self, rank: int, value: Any) -> list[Any]:
        """Return the values of all ranks, in their order."""
        if self._is_interrupted:
            raise ending_group(RankFailure(f"the caller of rank {rank} was interrupted"))
        number = self._exchanges
        self._values[rank] = value
        if len(self._values) == self.size:
            self._result = [self._values[r] for r in range(self.size)]
            self._values, self._exchanges = {}, number + 1
        if not self._ended and self.size > 1:
            self._pass_turn(rank)
            self._may_run[rank].acquire()
        if self._exchanges == number:
            first = min(self._ended)
            raise ending_group(
                RankFailure(f"rank {first} of {self.size} has ended; rank {rank} waits for it")
            )
        return self._result

    def interrupt(self) -> None:
        """Let each rank raise RankFailure at its next exchange with the others."""
        self._is_interrupted = True

    def end(self, rank: int) -> None:
        """Let the other ranks run on after the last statement of this one."""
        self._ended.add(rank)
        self._pass_turn(rank)

    def _pass_turn(self, rank: int) -> None:
        for other in ((rank + k) % self.size for k in range(1, self.size)):
            if other not in self._ended:
                self._may_run[other].release()
                return


class InProcessCommunicator(Communicator):
    """A rank that is a thread."""

    def __init__(
        self, turns: Turns, rank: int, *, blocks: BlockEngine, check_calls: bool = False
    ) -> None:
        super().__init__(rank, turns.size, blocks=blocks, check_calls=check_calls)
        self._turns = turns

    def _allgather_words(self, words: Any) -> Any:
        return np.stack(self._turns.exchange(self.rank, words))

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        parts = self._turns.exchange(self.rank, content)
        for part, (first, last) in zip(parts, _pieces(counts), strict=True):
            out[first:last] = part
        self._turns.exchange(self.rank, None)  # a sender may change its array only now

    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        starts = (np.cumsum(counts, axis=1) - counts)[:, self.rank].tolist()
        senders = self._turns.exchange(self.rank, columns)
        for sender, start, (first, last) in zip(
            senders, starts, _pieces(counts[:, self.rank]), strict=True
        ):
            for column, whole in zip(sender, out, strict=True):
                whole[first:last] = column[start : start + last - first]
        self._turns.exchange(self.rank, None)  # a sender may change its columns only now

    def shared_arrays(self, use: str, nbytes: int) -> list[Any] | None:
        """Return the arrays of all ranks: they are on one device."""
        if self.blocks.name != "cuda":
            return None
        own = self.guarded("shared arrays", lambda: self.blocks.xp.empty(nbytes, np.uint8))
        self.gather_words("shared arrays", nbytes)
        return self._turns.exchange(self.rank, own)

    def end_all_ranks(self, error: BaseException) -> None:
        """Do nothing: the others raise RankFailure when this thread has ended."""


def _pieces(counts: Any) -> Any:
    """Return first and last index of consecutive pieces of these lengths."""
    return pairwise([0, *np.cumsum(counts).tolist()])


def in_process(
    size: int, function: Callable[[Ranks], T], *, engine: str = "cpu", check_calls: bool = False
) -> list[T]:
    """Run a function as ranks that are threads of this process, one at a time.

    Parameters
    ----------
    size : int
        The number of ranks.
    function : function of one argument
        The program of each rank; its argument is what :func:`mpi` returns under ``mpirun``.
    engine : {"cpu", "cuda"}
        Of the blocks; the ranks share the device.
    check_calls : bool, default False
        Whether to compare, at each collective, the statements that the ranks have evaluated.

    Returns
    -------
    list
        What the function returned on each rank.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> gl.ranks.in_process(2, lambda ranks: gl.bfs(ranks.distribute(G), 0).level.to_dense())
    [array([0, 1, 2, 3], dtype=int32), array([0, 1, 2, 3], dtype=int32)]
    """
    if size < 1:
        raise InvalidValue(f"size={size}: at least one rank")
    turns = Turns(size)
    results: dict[int, T] = {}
    errors: dict[int, BaseException] = {}

    def run(rank: int) -> None:
        turns.begin(rank)
        try:
            communicator = InProcessCommunicator(
                turns, rank, blocks=block_engine(engine), check_calls=check_calls
            )
            results[rank] = function(Ranks(communicator))
        except BaseException as error:  # raised below, in the thread of the caller
            errors[rank] = error
        turns.end(rank)

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        turns.interrupt()
        raise
    if errors:
        is_effect = {r: isinstance(e, RankFailure) and ends_group(e) for r, e in errors.items()}
        causes = [e for r, e in sorted(errors.items()) if not is_effect[r]]
        raise (causes or [errors[min(errors)]])[0]
    return [results[rank] for rank in range(size)]
