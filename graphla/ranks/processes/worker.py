"""A process of a group of ranks: it waits for calls, runs them and sends the results back.

``python -m graphla.ranks.processes.worker CONNECTION PIPE``: the numbers of two open files. The
pipe is at its end when the process that started this one has ended, and then so does this one.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import threading
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from graphla.core.threads import set_threads
from graphla.errors import GraphlaError, RemoteError
from graphla.ranks.blocks.engine import block_engine
from graphla.ranks.communicators.local_communicator import LocalCommunicator
from graphla.ranks.communicators.nccl_communicator import NCCLCommunicator
from graphla.ranks.distribution import Ranks
from graphla.ranks.handle import Member, described_error, forget, run_on_rank
from graphla.ranks.processes.messages import DONE, ENDED, FAILED, Settings

TRIES, SECONDS_BETWEEN_TRIES = 20, 0.05  # to remove a folder to which other ranks still write


def main(connection_number: int, pipe_number: int) -> None:
    """Answer calls until the connection is closed."""
    connection = Connection(connection_number)
    settings = Settings(*pickle.loads(connection.recv_bytes()))
    arguments = pipe_number, settings.folder
    threading.Thread(target=_end_with_caller, args=arguments, daemon=True).start()
    sys.path[:] = settings.path
    try:
        member = _member(settings, connection)
    except BaseException as error:  # the caller raises it
        _send(connection, FAILED, error)
        return
    _send(connection, DONE, os.uname().nodename)
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            unused, function, args = pickle.loads(message)
        except BaseException as error:
            unused, function, args = [], _raise, (error,)
        forget(member, unused)
        try:
            result = run_on_rank(member, function, args)
        except BaseException as error:
            if not (hasattr(error, "raised_on_rank") or isinstance(error, GraphlaError)):
                error.add_note("".join(traceback.format_exception(error)))
            _send(connection, FAILED, described_error(member, error))
        else:
            _send(connection, DONE, result)


def _member(settings: Settings, connection: Connection) -> Member:
    def end_all_ranks(error: BaseException) -> None:
        traceback.print_exception(error)
        _send(connection, ENDED, error)
        os._exit(1)

    place = settings.folder, settings.rank, settings.size
    options: dict[str, Any] = {"check_calls": settings.check_calls}
    communicator: LocalCommunicator
    if settings.engine == "cuda":
        block_engine("cuda").xp.cuda.Device(settings.device).use()
        communicator = NCCLCommunicator(*place, end_all_ranks, **options)
    else:
        communicator = LocalCommunicator(*place, block_engine("cpu"), end_all_ranks, **options)
    set_threads(settings.threads)
    return Member(Ranks(communicator))


def _raise(_: Member, error: BaseException) -> None:
    raise error


def _send(connection: Connection, kind: str, content: Any) -> None:
    try:
        message = pickle.dumps((kind, content), protocol=5)
    except Exception as error:  # an object decides for itself what its pickling raises
        if kind == DONE:
            error.add_note("the result of a call on ranks")
            return _send(connection, FAILED, error)
        message = pickle.dumps((kind, RemoteError(f"{type(content).__name__}: {content}")))
    connection.send_bytes(message)
    return None


def _end_with_caller(pipe: int, folder: str) -> None:
    """Wait until the caller has ended; remove the folder, in case it was killed, and end."""
    os.read(pipe, 1)
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            break
        time.sleep(SECONDS_BETWEEN_TRIES)
    os._exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
