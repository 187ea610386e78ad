"""Ranks that are processes started by ``mpirun``."""

from __future__ import annotations

import atexit
import os
import secrets
import sys
import time
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

from graphla.core.threads import set_threads
from graphla.errors import GraphlaError, MissingPackage
from graphla.ranks.collectives.communicator import Communicator, is_agreed
from graphla.ranks.communicators.killed_rank import KilledRankMessage
from graphla.ranks.distribution import Ranks

INSTALL = "pip install 'graphla[mpi]'"
CHECK_CALLS = "GRAPHLA_CHECK_RANKS"  # environment variable: the default of `check_calls`


class MPICommunicator(Communicator):
    """A rank that is a process of an MPI communicator of mpi4py."""

    def __init__(self, MPI: Any, communicator: Any, *, check_calls: bool = False) -> None:
        super().__init__(communicator.rank, communicator.size, check_calls=check_calls)
        self._byte, self._communicator = MPI.BYTE, communicator
        self.killed_message: KilledRankMessage | None = None

    def _allgather_words(self, words: Any) -> Any:
        out = np.empty((self.size, words.size), np.int64)
        self._communicator.Allgather(words, out)
        return out

    def _allgather_bytes(self, content: Any, counts: Any, out: Any) -> None:
        self._communicator.Allgatherv(
            [content, self._byte], [out, counts, _offsets(counts), self._byte]
        )

    def _alltoall_columns(self, columns: Sequence[Any], counts: Any, out: Sequence[Any]) -> None:
        for column, whole in zip(columns, out, strict=True):
            sent, received = (
                x * column.itemsize for x in (counts[self.rank], counts[:, self.rank])
            )
            self._communicator.Alltoallv(
                [column, sent, _offsets(sent), self._byte],
                [whole, received, _offsets(received), self._byte],
            )

    def end_all_ranks(self, error: BaseException) -> None:
        """End the job with a status that is not 0, and with one line that names this rank."""
        traceback.print_exception(error)
        cause = str(error).partition("\n")[0]
        host = os.uname().nodename
        print(
            f"rank {self.rank} of {self.size} on {host} ended: {type(error).__name__}: {cause}",
            file=sys.stderr,
            flush=True,
        )
        if self.killed_message is not None:
            self.killed_message.suppress()
        self._communicator.Abort(1)


def mpi(*, threads: int | None = None, check_calls: bool | None = None) -> Ranks:
    """Return the ranks of an MPI job; call it once, at the start of a script.

    Run the script with ``mpirun -n 4 python script.py``. If an exception ends one process, or if
    one ends while others wait for it, it prints one line that names the rank, and all processes end
    with a status that is not 0. If one is killed, a shell that it has started prints the line.

    Parameters
    ----------
    threads : int, optional
        Threads of each rank. By default the cores of a machine are shared by its ranks.
    check_calls : bool, optional
        Whether to compare, at each collective, the statements that the ranks have evaluated. By
        default only where the environment has ``GRAPHLA_CHECK_RANKS=1``.

    Returns
    -------
    Ranks

    Raises
    ------
    MissingPackage
        mpi4py is not installed.
    """
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise MissingPackage(f"gl.ranks.mpi() needs mpi4py ({error}); {INSTALL}") from None
    if check_calls is None:
        check_calls = os.environ.get(CHECK_CALLS) == "1"
    world = MPI.COMM_WORLD.Dup()  # messages of the caller's own stay apart
    communicator = MPICommunicator(MPI, world, check_calls=check_calls)
    _end_all_ranks_on_error(communicator)
    machine = world.Split_type(MPI.COMM_TYPE_SHARED)
    communicator.ranks_here = machine.size
    if communicator.size > 1:
        token = machine.bcast(secrets.token_hex(8))
        message = KilledRankMessage(communicator.rank, communicator.size, token)
        communicator.killed_message = message
        atexit.register(message.close)
    atexit.register(_end_together, MPI, communicator)  # called before message.close
    if threads is None:
        cores = set().union(*machine.allgather(_cores()))  # a launcher may bind ranks to some
        threads = max(1, len(cores) // machine.size)
    set_threads(threads)
    return Ranks(communicator)


def _end_all_ranks_on_error(communicator: MPICommunicator) -> None:
    """Let an uncaught exception end all processes, with one line for its rank."""
    if communicator.size == 1:
        return

    def end(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if is_agreed(error) and communicator.rank:
            time.sleep(1)  # rank 0 has the same error, and prints it
        communicator.end_all_ranks(error.with_traceback(where))

    sys.excepthook = end


def _end_together(MPI: Any, communicator: MPICommunicator) -> None:
    """Wait for the ends of all ranks; if one is in a call instead, end all."""
    if MPI.Is_finalized():  # by the script, for which all ranks have waited
        return
    try:
        communicator.all("end of the program", True)
    except GraphlaError as error:
        communicator.end_all_ranks(error)


def _cores() -> set[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _offsets(counts: Any) -> Any:
    return np.concatenate(([0], np.cumsum(counts)[:-1]))
