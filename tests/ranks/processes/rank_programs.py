"""Functions that tests run on ranks in other processes, which import them by their names."""

from __future__ import annotations

import os
import signal
import sys
import time
from threading import Lock

from graphla.ranks.collectives import memory
from tests.ranks.distributed_objects import check_exchange


def communicator_of(G):
    return G.A.layout.communicator


def sizes(G, *_):
    """Return the number of vertices of each rank."""
    return communicator_of(G).gather_words("sizes", G.out_degree.block.size).first.tolist()


def exchange(G):
    check_exchange(communicator_of(G))


def pids(G):
    return communicator_of(G).gather_words("pids", os.getpid()).first.tolist()


def fail_on(G, rank, error):
    if communicator_of(G).rank == rank:
        raise error("on one rank alone")
    return G.out_degree.nvals


def fail_again_on(G, rank):
    """All ranks fail, and go on; one of them then raises the same error, alone."""
    try:
        G.out_degree.apply("no such operator").new()
    except Exception as error:
        agreed = error
    if communicator_of(G).rank == rank:
        raise agreed
    return G.out_degree.nvals + G.out_degree.nvals


class Frozen(Exception):
    """An error that takes no attributes."""

    def __setattr__(self, name, value):
        raise AttributeError(name)


KEPT = ValueError("an error that the module keeps")


def fail_with_kept_error_on(G, rank):
    if communicator_of(G).rank == rank:
        raise KEPT
    return G.out_degree.nvals


def gather_without_memory_on(G, rank):
    memory_left = memory.available()
    if communicator_of(G).rank == rank:
        memory._agreed["available"] = 0
    try:
        return G.out_degree.to_dense()
    finally:
        memory._agreed["available"] = memory_left


def differ(G):
    if communicator_of(G).rank:
        return G.out_degree.reduce().new().value
    return G.out_degree.nvals


def exit_on(G, rank):
    if communicator_of(G).rank == rank:
        sys.exit(3)
    return G.out_degree.nvals


def lock(_):
    return Lock()


def kill_on(G, rank):
    """A rank is killed while the others wait for it."""
    if communicator_of(G).rank == rank:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    communicator_of(G).all("barrier", True)


def fail_in_gather(G):
    communicator = communicator_of(G)
    if communicator.rank == 0:

        def fail(*_):
            raise ZeroDivisionError("in a gather")

        communicator._allgather_columns = fail
    return G.out_degree.to_dense()


def wait_for_ever(G):
    if communicator_of(G).rank == 1:
        time.sleep(1000)
    communicator_of(G).all("barrier", True)


def of_containers(G, levels, named):
    """Return the arguments in other containers."""
    return {"level": levels, **named}
