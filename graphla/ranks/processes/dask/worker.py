"""What runs in a worker of Dask: its rank, which lives from one call to the next.

The functions with an argument `dask_worker` are sent by ``client.run``. They are coroutines: the
worker's event loop goes on, with its heartbeats, while the thread of the group computes.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import cloudpickle
import psutil

import graphla
from graphla.core.threads import set_threads
from graphla.core.validation import full_name
from graphla.errors import DomainMismatch, GraphlaError, RankFailure
from graphla.ranks.collectives.communicator import ends_group, picklable
from graphla.ranks.communicators.tcp_communicator import Address, Listener, TCPCommunicator
from graphla.ranks.distribution import Ranks
from graphla.ranks.handle import Member, described_error, forget, run_on_rank

IN_PROCESS = "inproc:"  # how the addresses of workers begin that are threads of the client
LOOPBACK = "127.0.0.1"
LIMIT = 0.8  # of a worker's memory limit: beyond, Dask pauses the worker


class Place(NamedTuple):
    """What the ranks, and their caller, know of each other."""

    address: Address
    machine: str
    version: str


class Outcome(NamedTuple):
    """The end of a call on one rank.

    `origin` is the rank on which the error was raised first, None if all raise it by themselves.
    After an error that `ends_group` the ranks of the group cannot be used.
    """

    result: Any = None
    error: BaseException | None = None
    origin: int | None = None
    ends_group: bool = False


class Group:
    """A rank of one group, in this process.

    Attributes
    ----------
    thread : ThreadPoolExecutor
        The one thread in which the rank runs; calls wait for their turn, in order.
    member : Member or None
        None until the ranks are connected.
    """

    def __init__(self, worker: str, name: str, host: str) -> None:
        self._key = worker, name
        self.listener = Listener(host)
        self.thread = ThreadPoolExecutor(1, "graphla-rank")
        self.member: Member | None = None
        _groups[self._key] = self

    def close(self) -> None:
        """Forget all objects, and close all connections."""
        _groups.pop(self._key, None)
        self.listener.close()
        if self.member is not None:
            communicator: Any = self.member.ranks.communicator
            communicator.close()
        self.thread.shutdown(wait=False)


_groups: dict[tuple[str, str], Group] = {}  # by the address of the worker and the group's name


class WorkerCommunicator(TCPCommunicator):
    """A rank that is a worker of Dask, which has a limit of memory."""

    memory_limit: int | None = None

    def limited_memory(self, share: int) -> int:
        """Return at most what this rank can allocate before Dask pauses the worker."""
        if self.memory_limit is None:
            return share
        used = psutil.Process().memory_info().rss
        return max(0, min(share, int(LIMIT * self.memory_limit) - used))


async def listen(group: str, dask_worker: Any = None) -> Place:
    """Begin a rank of a group: listen for the others."""
    from distributed.comm import get_address_host

    address = dask_worker.address
    host = LOOPBACK if address.startswith(IN_PROCESS) else get_address_host(address)
    found = Group(address, group, host)
    return Place(found.listener.address, os.uname().nodename, graphla.__version__)


async def connect(
    group: str, workers: Sequence[str], places: Sequence[Place], token: bytes,
    check_calls: bool, dask_worker: Any = None,
) -> Outcome:  # fmt: skip
    """Connect to the other ranks of a group; the worker's position in `workers` is its rank."""
    found = _groups[dask_worker.address, group]
    rank = list(workers).index(dask_worker.address)
    limit = dask_worker.memory_manager.memory_limit

    def work() -> None:
        set_threads(dask_worker.state.nthreads)
        addresses = [place.address for place in places]
        connections = found.listener.connect(rank, addresses, token)
        communicator = WorkerCommunicator(
            rank, connections, [place.machine for place in places], check_calls=check_calls
        )
        communicator.memory_limit = limit
        machines = [place.machine for place in places]
        communicator.ranks_here = machines.count(machines[rank])
        found.member = Member(Ranks(communicator))

    return await _in_thread(found, work)


async def call(
    group: str, function: Callable[..., Any], pickled: bytes, unused: list[int],
    dask_worker: Any = None,
) -> Outcome:  # fmt: skip
    """Run a function as :func:`graphla.ranks.handle.run_on_rank` does, with pickled arguments.

    A rank that cannot load them sends the error to the other ranks, which wait for it.
    """
    found = _groups.get((dask_worker.address, group))
    if found is None or found.member is None:
        error = RankFailure("this worker has no rank of the group any more")
        return Outcome(error=error, ends_group=True)
    member = found.member

    def begin(member: Member) -> Any:
        forget(member, unused)
        return function(member, *pickle.loads(pickled))

    begin.__name__ = function.__name__

    def work() -> Any:
        result = run_on_rank(member, begin, ())
        require_portable(result)
        return result

    return await _in_thread(found, work)


async def keep(group: str, name: str, part: Any, dask_worker: Any = None) -> None:
    """Keep a part of an object, or arguments, for a call that comes next."""
    member = _groups[dask_worker.address, group].member
    if member is not None:
        member.parts.setdefault(name, []).append(part)


async def discard(group: str, name: str, dask_worker: Any = None) -> None:
    """Forget what was kept, as the call does not come."""
    found = _groups.get((dask_worker.address, group))
    if found is not None and found.member is not None:
        found.member.parts.pop(name, None)


async def leave(group: str, dask_worker: Any = None) -> None:
    """End the rank of a group."""
    if (found := _groups.get((dask_worker.address, group))) is not None:
        found.close()


async def _in_thread(group: Group, work: Callable[[], Any]) -> Outcome:
    def run() -> Outcome:
        try:
            return Outcome(work())
        except BaseException as error:
            return _failed(group, error)

    return await asyncio.get_running_loop().run_in_executor(group.thread, run)


def _failed(group: Group, error: BaseException) -> Outcome:
    """Return the end of a call by an error."""
    member = group.member
    if member is None or ends_group(error):
        if member is not None:
            communicator: Any = member.ranks.communicator
            communicator.end_all_ranks(error)
            error = communicator.failure_of(communicator.rank, error)
        group.close()
        return Outcome(error=picklable(error), ends_group=True)
    origin = getattr(error, "raised_on_rank", None)
    if origin is None and not isinstance(error, GraphlaError):
        error.add_note("".join(traceback.format_exception(error)))
    return Outcome(error=picklable(described_error(member, error)), origin=origin)


def require_portable(x: Any) -> None:
    """Raise where an object cannot be pickled, before Dask tries; arrays are not copied."""
    buffers: list[Any] = []
    try:
        cloudpickle.dumps(x, protocol=5, buffer_callback=buffers.append)
    except Exception as error:  # an object decides for itself what its pickling raises
        raise DomainMismatch(
            f"the result, {full_name(x)}, cannot be sent to the program that called: {error}"
        ) from error
