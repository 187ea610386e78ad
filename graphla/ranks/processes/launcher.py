"""Start ranks as processes of this machine, one for each GPU or for some cores, and call them."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Self

from graphla.core.validation import check_count
from graphla.errors import EngineUnavailable, InvalidValue, NotSupported, RankFailure, RankLost
from graphla.ranks.communicators.local_communicator import WORDS_FILE
from graphla.ranks.communicators.nccl_communicator import NO_MULTICAST
from graphla.ranks.communicators.shared_words import SharedWords
from graphla.ranks.handle import RankProcesses
from graphla.ranks.processes.messages import DONE, ENDED, FAILED, Settings

SHARED_MEMORY = Path("/dev/shm")
SECONDS_TO_END = 5.0
WORKER = "graphla.ranks.processes.worker"


def start(
    size: int | None = None,
    *,
    engine: str = "cpu",
    devices: int | Sequence[int] | None = None,
    threads: int | None = None,
    check_calls: bool = False,
) -> LocalProcesses:
    """Start ranks as processes of this machine.

    They end with :meth:`LocalProcesses.close`, at the end of a ``with`` block, and with this
    process, however it ends.

    Parameters
    ----------
    size : int, optional
        The number of ranks. On engine "cuda" there is one for each of `devices`.
    engine : {"cpu", "cuda"}
        Of the blocks.
    devices : int or sequence of int, optional
        On engine "cuda": how many, or which. By default all of this machine.
    threads : int, optional
        Threads of each rank. By default the cores of the machine are shared.
    check_calls : bool, default False
        Whether to compare, at each collective, the statements that the ranks have evaluated.

    Returns
    -------
    LocalProcesses
        ``distribute(G)`` returns a handle of a graph.

    Raises
    ------
    EngineUnavailable
        There are fewer GPUs, or no NCCL.
    InvalidValue
        `devices` is given for engine "cpu", or together with `size`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.les_miserables()
    >>> with gl.ranks.start(2) as ranks:
    ...     H = ranks.distribute(G)
    ...     gl.bfs(H, 0).level.to_dense()[:4].tolist()
    [0, 1, 2, 2]
    """
    if os.name != "posix":
        raise NotSupported("ranks as processes of this machine: on Linux and macOS only")
    if devices is not None and engine != "cuda":
        raise InvalidValue(f"devices={devices!r} is for engine='cuda', not for {engine!r}")
    if devices is not None and size is not None:
        raise InvalidValue("the ranks are counted by size or by devices, not by both")
    if engine == "cuda":
        numbers = _devices(devices if devices is not None else size)
    elif engine == "cpu":
        numbers = [-1] * check_count(size if size is not None else _cores(), "size")
    else:
        raise InvalidValue(f"engine={engine!r} is neither 'cpu' nor 'cuda'")
    if threads is None:
        threads = max(1, _cores() // len(numbers))
    return LocalProcesses(numbers, engine, threads, check_calls)


class LocalProcesses(RankProcesses):
    """Ranks that are processes of this machine: see :func:`start`."""

    def __init__(self, devices: list[int], engine: str, threads: int, check_calls: bool) -> None:
        super().__init__()
        self.size, self.engine = len(devices), engine
        self.error: BaseException | None = None  # why the processes have ended
        self._lock = threading.Lock()
        parent = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
        self._folder = tempfile.mkdtemp(prefix="graphla-ranks-", dir=parent)
        words = Path(self._folder) / WORDS_FILE
        SharedWords.create(words, self.size)
        self._words = SharedWords(words, -1, self.size)
        self._connections: list[Connection] = []
        self._processes: list[subprocess.Popen[bytes]] = []
        pipe, self._pipe_of_caller = os.pipe()
        arguments = self._folder, self._processes, self._connections, self._pipe_of_caller
        self._end = weakref.finalize(self, _end, *arguments)
        try:
            for rank, device in enumerate(devices):
                place = rank, self.size, self._folder, engine, device
                self._start(Settings(*place, threads, sys.path, check_calls), pipe)
            self._hosts = self._replies("start")
        except BaseException:
            self.close()
            raise
        finally:
            os.close(pipe)

    def _start(self, settings: Settings, pipe: int) -> None:
        here, there = Pipe()
        # -P: the process finds the modules that this one finds, not others in this folder.
        command = [sys.executable, "-P", "-m", WORKER, str(there.fileno()), str(pipe)]
        folders = (folder or os.getcwd() for folder in sys.path)
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
        environment.setdefault(*NO_MULTICAST)
        process = subprocess.Popen(
            command, env=environment, pass_fds=(there.fileno(), pipe), start_new_session=True
        )
        there.close()
        self._processes.append(process)
        self._connections.append(here)
        here.send_bytes(pickle.dumps(tuple(settings)))

    def run_each(
        self, function: Callable[..., Any], args: Sequence[tuple[Any, ...]], step: str = ""
    ) -> list[Any]:
        """Run a function with arguments of its own on each rank, all together."""
        with self._lock:
            if self.error is not None:
                raise self.error
            unused, step = self.take_unused(), step or function.__name__
            same, message = all(x is args[0] for x in args), b""
            try:
                for rank, connection in enumerate(self._connections):
                    if not rank or not same:
                        content = (unused, function, args[rank])
                        message = pickle.dumps(content, protocol=5)
                    try:
                        connection.send_bytes(message)
                    except OSError:
                        self._lose(rank, step)
                return self._replies(step)
            except RankLost:
                raise
            except BaseException as error:
                if message and not getattr(error, "raised_by_ranks", False):  # such as Ctrl-C
                    self._end_because(RankFailure(f"the ranks were ended by {error!r}"))
                raise

    def _replies(self, step: str) -> list[Any]:
        """Return the results of all ranks, or raise the error of the first."""
        results: dict[int, Any] = {}
        errors: dict[int, BaseException] = {}
        waiting = dict(enumerate(self._connections))
        while waiting:
            ready = wait(list(waiting.values()))
            for rank in [r for r, connection in waiting.items() if connection in ready]:
                connection = waiting.pop(rank)
                try:
                    kind, content = pickle.loads(connection.recv_bytes())
                except (EOFError, OSError):
                    self._lose(rank, step)
                if kind == DONE:
                    results[rank] = content
                elif kind == FAILED:
                    errors[rank] = content
                    if step == "start":
                        raise content
                elif kind == ENDED:
                    self._end_because(RankFailure(f"the ranks were ended by: {content}"))
                    content.raised_by_ranks = True
                    raise content
        if errors:
            self._raise_first(errors)
        return [results[rank] for rank in range(self.size)]

    def _raise_first(self, errors: dict[int, BaseException]) -> None:
        """Raise the error of the rank on which it occurred, or one on which all ranks agree."""
        origins = {e.raised_on_rank for e in errors.values() if hasattr(e, "raised_on_rank")}
        rank = min(origins or errors)
        error: Any = errors.get(rank, errors[min(errors)])
        if origins:
            error.add_note(f"raised on rank {rank} of {self.size}")
        if hasattr(error, "result"):
            error.result = self.handle_of([error.result])
        error.raised_by_ranks = True
        raise error

    def _lose(self, rank: int, step: str) -> None:
        """End all processes and raise RankLost."""
        self._words.mark_lost(rank)
        host = os.uname().nodename
        error = RankLost(rank, host, f"{step}, collective {self._words.exchanges_of(rank)}")
        self._end_because(error)
        raise error

    def _end_because(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        for process in self._processes:
            process.kill()
        self._end()

    def close(self) -> None:
        """End the processes; a second call does nothing."""
        if self.error is None:
            self.error = RankFailure("the ranks have been closed")
        self._end()

    def __enter__(self) -> Self:
        return self

    def __repr__(self) -> str:
        state = "" if self.error is None else ", ended"
        return f"<LocalProcesses: {self.size} ranks, {self.engine}{state}>"


def _end(folder: str, processes: list[Any], connections: list[Any], pipe: int) -> None:
    """End the processes and remove what they share."""
    for connection in connections:
        connection.close()
    os.close(pipe)
    for process in processes:
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _devices(devices: Any) -> list[int]:
    """Return the numbers of GPUs that there are."""
    from graphla.cuda.runtime.device import device

    there: int = device.xp.cuda.runtime.getDeviceCount()
    if devices is None:
        return list(range(there))
    if not isinstance(devices, int):
        numbers = [int(d) for d in devices]
    else:
        numbers = list(range(check_count(devices, "devices")))
    missing = [d for d in numbers if not 0 <= d < there]
    if missing or len(set(numbers)) < len(numbers) or not numbers:
        raise EngineUnavailable(f"devices={devices!r}: there are {there} GPUs, one for each rank")
    return numbers
