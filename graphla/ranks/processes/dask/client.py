"""The caller of ranks that are the workers of a Dask cluster."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any, NoReturn

import cloudpickle
import graphblas as gb
import numpy as np

import graphla
from graphla.core.graph import Graph
from graphla.core.memory import require
from graphla.errors import (
    DomainMismatch,
    EngineUnavailable,
    GraphlaError,
    InvalidValue,
    MissingPackage,
    NotSupported,
    RankFailure,
    RankLost,
)
from graphla.ranks.blocks.engine import block_engine
from graphla.ranks.collectives.memory import agree_on_memory, available
from graphla.ranks.communicators.mpi_communicator import CHECK_CALLS
from graphla.ranks.communicators.tcp_communicator import new_token
from graphla.ranks.distribution import check_local_graph
from graphla.ranks.handle import DistributedGraphHandle, Member, RankProcesses, answer
from graphla.ranks.layout import Cut
from graphla.ranks.processes.dask import worker
from graphla.ranks.processes.dask.worker import Outcome, Place

INSTALL = "pip install 'graphla[dask]'"
ENCRYPTED = "tls:"  # how addresses begin
SECONDS_TO_NOTICE = 3  # for the scheduler, after a connection to a worker was closed
INDEX = 8  # bytes of an index in a block
PART = 1 << 24  # entries of a part of a block that is sent in one message


class DaskProcesses(RankProcesses):
    """A group of ranks, one in each worker of a Dask cluster.

    Parameters
    ----------
    client : distributed.Client
    workers : list of str
        The addresses of the workers, in the order of the ranks.

    Raises
    ------
    EngineUnavailable
        The workers have another version of graphla, or none.
    RankLost
        A worker ends, or cannot be reached by another one.
    """

    engine = "cpu"

    def __init__(self, client: Any, workers: list[str], *, check_calls: bool = False) -> None:
        super().__init__()
        self.client, self.workers, self.size = client, workers, len(workers)
        self._group = uuid.uuid4().hex
        self._lock = threading.Lock()  # the calls of all threads reach all ranks in one order
        self._lost: RankFailure | None = None
        self._step = "start"
        self._machines = [_host_of(address) for address in workers]
        try:
            self._connect(check_calls)
        except BaseException:
            with suppress(Exception):  # the first error is the cause
                self._on_all(worker.leave)
            raise

    def _connect(self, check_calls: bool) -> None:
        places: list[Place] = self._on_all(worker.listen)
        self._machines = [place.machine for place in places]
        if versions := {place.version for place in places} - {graphla.__version__}:
            raise EngineUnavailable(
                f"graphla {graphla.__version__} is here, and {', '.join(sorted(versions))} "
                "on the workers"
            )
        message = self.workers, places, new_token(), check_calls
        self._result_of(self._on_all(worker.connect, *message))

    def run_each(
        self, function: Callable[..., Any], args: Sequence[tuple[Any, ...]], step: str = ""
    ) -> list[Any]:
        """Run a function with arguments of its own on each rank; see :class:`RankProcesses`.

        Raises
        ------
        RankLost
            A worker has ended; all handles of its group are invalid from now on.
        """
        with self._lock:
            self._begin(step or function.__name__)
            if all(x is args[0] for x in args):
                return self._call(function, args[0])
            with self._kept() as name:
                for rank, x in enumerate(args):
                    self._on_one(rank, worker.keep, name, x)
                return self._call(_with_kept_arguments, (function, name))

    def distribute(self, G: Graph) -> DistributedGraphHandle:
        """Send each worker its block of a graph, in parts, and return a handle."""
        check_local_graph(G)
        cut = Cut.of(G, self.size, block_engine(self.engine).alignment)
        ends = np.concatenate(([0], np.cumsum(G.in_degree.to_dense())))
        entries = np.diff(ends[cut.boundaries])
        with self._lock:
            self._begin("distribute")
            (available, *_) = self._call(_available, ())
            largest = int(entries.max())
            nbytes = largest * (INDEX + G.dtype.np_type.itemsize)
            require(nbytes, available, f"the block of rank {entries.argmax()}, {largest:,} entries")
            with self._kept() as name:
                for rank in range(self.size):
                    for piece in _pieces(ends, *cut.boundaries[rank : rank + 2].tolist()):
                        part = (G.A[:, piece] if cut.axis else G.A[piece, :]).new()
                        self._on_one(rank, worker.keep, name, part)
                results = self._call(_join, (name, cut))
        handle: DistributedGraphHandle = self.handle_of(results)
        return handle

    def close(self) -> None:
        """End the ranks; the workers go on."""
        if self._lost is None:
            self._lost = RankFailure("the ranks were closed")
            self._on_all(worker.leave)

    # ---- messages

    def _call(self, function: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
        """Return what a function returns on each rank."""
        pickled = cloudpickle.dumps(args)
        return self._result_of(self._on_all(worker.call, function, pickled, self.take_unused()))

    @contextmanager
    def _kept(self) -> Iterator[str]:
        """Give a name to what workers keep for a call, and let them forget it on an error."""
        name = uuid.uuid4().hex
        try:
            yield name
        except BaseException:
            if self._lost is None:
                self._on_all(worker.discard, name)
            raise

    def _on_all(self, function: Callable[..., Any], *args: Any) -> list[Any]:
        """Return the results of a function of the module `worker`, in the order of the ranks."""
        results = self._answers(self.workers, function, *args)
        self._check(results)
        return results

    def _on_one(self, rank: int, function: Callable[..., Any], *args: Any) -> None:
        results: list[Any] = [None] * self.size
        (results[rank],) = self._answers([self.workers[rank]], function, *args)
        self._check(results)

    def _answers(self, workers: list[str], function: Callable[..., Any], *args: Any) -> list[Any]:
        """Return what a function returns in some workers, or the error."""
        try:
            found = self.client.run(
                function, self._group, *args, workers=workers, on_error="return"
            )
        except OSError as error:
            self._lose_cluster(error)
        return [found.get(address, OSError("no answer")) for address in workers]

    def _check(self, results: list[Any]) -> None:
        """Raise what kept a worker from answering."""
        for rank, result in enumerate(results):
            if isinstance(result, OSError) and not isinstance(result, GraphlaError):
                self._wait_until_gone(rank)
                steps = [self._step, *(x.error.step for x in results if _is_lost(x))]
                self._lose(RankLost(rank, self._machines[rank], ", ".join(steps[:2])))
            if isinstance(result, ImportError):
                raise EngineUnavailable(f"on the worker of rank {rank}: {result}")
            if isinstance(result, BaseException):
                raise result

    def _wait_until_gone(self, rank: int) -> None:
        """Wait until the scheduler knows that a worker has ended: the next group is without it."""
        end = time.monotonic() + SECONDS_TO_NOTICE
        while time.monotonic() < end:
            with suppress(OSError):
                if self.workers[rank] not in self.client.nthreads():
                    return
            time.sleep(0.05)

    def _begin(self, step: str) -> None:
        """Begin a call; raise if a worker has ended since the last one."""
        if self._lost is not None:
            raise self._lost
        self._step = step
        if self.client.status != "running":
            self._lose_cluster(self.client.status)
        try:
            present = self.client.nthreads()
        except OSError as error:
            self._lose_cluster(error)
        for rank, address in enumerate(self.workers):
            if address not in present:
                self._lose(RankLost(rank, self._machines[rank], f"nothing, before {step}"))

    def _lose_cluster(self, cause: object) -> NoReturn:
        self._lose(RankFailure(f"the client has no connection to its cluster any more: {cause}"))

    def _lose(self, error: RankFailure) -> NoReturn:
        """Make all handles of the group invalid."""
        self._lost = error
        raise error

    def _result_of(self, outcomes: list[Outcome]) -> list[Any]:
        """Return the results of a call, or raise its error."""
        errors = {rank: x for rank, x in enumerate(outcomes) if x.error is not None}
        if not errors:
            return [x.result for x in outcomes]
        fatal: list[Any] = [x.error for x in errors.values() if x.ends_group]
        if fatal:
            present = self.client.nthreads()
            lost = [
                RankLost(x.rank, x.host, f"{self._step}, {x.step}")
                for x in fatal
                if isinstance(x, RankLost)
            ]
            gone = [x for x in lost if self.workers[x.rank] not in present]
            reported = [x for x in fatal if not isinstance(x, RankLost)]
            self._lose((gone or reported or lost)[0])
        origins = {x.origin for x in errors.values() if x.origin is not None}
        rank = min(origins or errors)
        error = errors.get(rank, errors[min(errors)]).error
        assert error is not None
        if origins:
            error.add_note(f"raised on rank {rank} of {self.size}, on {self._machines[rank]}")
        if hasattr(error, "result"):
            error.result = self.handle_of([error.result])
        raise error


_groups: dict[str, DaskProcesses] = {}  # by the identity of the client


def processes_of(client: Any) -> DaskProcesses:
    """Return the ranks on the workers of a client, the same for every graph.

    They are all workers that the cluster has now; where these are others than those of the graphs
    before, they are a new group.

    Raises
    ------
    DomainMismatch
        `client` is no synchronous client of a Dask cluster.
    InvalidValue
        The cluster has no worker.
    NotSupported
        The cluster encrypts its messages, which the ranks do not.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingPackage(f"client= needs dask.distributed ({error}); {INSTALL}") from None
    if not isinstance(client, Client):
        raise DomainMismatch(f"client must be a distributed.Client, not {type(client).__name__}")
    if client.asynchronous:
        raise DomainMismatch("client is asynchronous: graphs need a client that waits for results")
    workers = sorted(client.nthreads())
    if not workers:
        raise InvalidValue(
            "the cluster has no worker yet: client.wait_for_workers(1) waits for one"
        )
    if any(address.startswith(ENCRYPTED) for address in workers):
        raise NotSupported(
            "the workers use TLS, but the connections between ranks are not encrypted: use a "
            "cluster without TLS in a network that you trust"
        )
    found = _groups.get(client.id)
    if found is None or found._lost is not None or found.workers != workers:
        for other in [k for k, x in _groups.items() if x.client.status == "closed"]:
            del _groups[other]
        check_calls = os.environ.get(CHECK_CALLS) == "1"
        _groups[client.id] = found = DaskProcesses(client, workers, check_calls=check_calls)
    return found


def distribute(G: Graph, client: Any) -> DistributedGraphHandle:
    """Send a graph to the workers of a client; see :meth:`graphla.Graph.to`."""
    return processes_of(client).distribute(G)


def read(path: Any, client: Any, **options: Any) -> DistributedGraphHandle:
    """Let the workers of a client read a graph; see :func:`graphla.read`."""
    return processes_of(client).read(path, **options)


# ---- in the workers


def _join(member: Member, name: str, cut: Cut) -> Any:
    """Return the graph whose blocks were sent in parts."""
    parts = member.parts.pop(name)
    block = gb.ss.concat([parts] if cut.axis else [[part] for part in parts])
    return answer(member, member.ranks.adopt(block, cut))


def _available(member: Member) -> int:
    agree_on_memory(member.ranks.communicator)
    return available()


def _with_kept_arguments(member: Member, function: Callable[..., Any], name: str) -> Any:
    return function(member, *member.parts.pop(name)[0])


def _pieces(ends: Any, first: int, last: int) -> list[slice]:
    """Return pieces of a block, each of about `PART` entries at most; at least one."""
    cuts = [first]
    while cuts[-1] < last:
        end = int(np.searchsorted(ends, ends[cuts[-1]] + PART, side="right")) - 1
        cuts.append(min(max(end, cuts[-1] + 1), last))
    return [slice(a, b) for a, b in pairwise(cuts)] or [slice(first, last)]


def _is_lost(x: Any) -> bool:
    return isinstance(x, Outcome) and x.ends_group and isinstance(x.error, RankLost)


def _host_of(address: str) -> str:
    """Return the host in the address of a worker."""
    return address.rpartition("/")[2].rpartition(":")[0] or address
