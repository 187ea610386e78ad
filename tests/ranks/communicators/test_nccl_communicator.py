"""Pointers, lengths and groups of the calls of NCCL, between threads that copy host memory.

The library itself needs several GPUs: benchmarks/devices.py checks all algorithms there.
"""

from __future__ import annotations

import ctypes
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from graphla.ranks.collectives.communicator import Communicator, EncodedColumns
from graphla.ranks.communicators.nccl_communicator import NCCLCommunicator
from tests.ranks.distributed_objects import check_exchange

SECONDS = 10  # after which threads that wait for each other fail


class Memory:
    """A pointer, as CuPy has it."""

    def __init__(self, ptr):
        self.ptr = ptr

    def copy_from_device_async(self, source, nbytes):
        ctypes.memmove(self.ptr, source.ptr, nbytes)


class DeviceArray(np.ndarray):
    data = property(lambda self: Memory(self.ctypes.data))


class ArrayModule:
    """The functions of NumPy, with arrays that have a pointer."""

    def __getattr__(self, name):
        return lambda *args: getattr(np, name)(*args).view(DeviceArray)


class Meeting:
    """Where the threads of all ranks leave a value and get those of all."""

    def __init__(self, size):
        self.size, self.values = size, [None] * size
        self.barrier = threading.Barrier(size, timeout=SECONDS)

    def meet(self, rank, value):
        self.values[rank] = value
        self.barrier.wait()
        found = list(self.values)
        self.barrier.wait()
        return found


class Library:
    """NCCL's calls of one rank: those of a group run at the end of the outermost one."""

    NCCL_UINT8 = 1

    def __init__(self, meeting, rank):
        self.meeting, self.rank, self.depth, self.calls = meeting, rank, 0, []
        self.groups = 0

    def groupStart(self):
        self.depth += 1

    def groupEnd(self):
        self.depth -= 1
        self._run()

    def send(self, source, count, kind, peer, stream):
        self._add(("send", peer, source, count))

    def recv(self, target, count, kind, peer, stream):
        self._add(("recv", peer, target, count))

    def allGather(self, source, target, count, kind, stream):
        for peer in range(self.meeting.size):
            self._add(("send", peer, source, count), runs=False)
            self._add(("recv", peer, target + peer * count, count), runs=False)
        self._run()

    def broadcast(self, source, target, count, kind, root, stream):
        for peer in range(self.meeting.size) if self.rank == root else ():
            self._add(("send", peer, source, count), runs=False)
        self._add(("recv", root, target, count))

    def _add(self, call, runs=True):
        assert call[-1] > 0
        self.calls.append(call)
        if runs:
            self._run()

    def _run(self):
        if self.depth:
            return
        calls, self.calls, self.groups = self.calls, [], self.groups + 1
        everything = self.meeting.meet(self.rank, calls)
        for peer, sent in enumerate(everything):
            incoming = [c for c in calls if c[:2] == ("recv", peer)]
            outgoing = [c for c in sent if c[:2] == ("send", self.rank)]
            for (*_, target, length), (*_, source, count) in zip(incoming, outgoing, strict=True):
                assert length == count
                ctypes.memmove(target, source, count)
        self.meeting.meet(self.rank, None)  # the arrays stay until all have copied


class ThreadCommunicator(NCCLCommunicator):
    def __init__(self, meeting, rank):
        blocks = SimpleNamespace(xp=ArrayModule(), to_host=np.asarray)
        Communicator.__init__(self, rank, meeting.size, blocks=blocks)
        self._meeting, self._current_stream = meeting, lambda: SimpleNamespace(ptr=0)
        self._nccl = self._group = Library(meeting, rank)
        self._byte = self._nccl.NCCL_UINT8

    def _allgather_words(self, words):
        return np.stack(self._meeting.meet(self.rank, words))

    def end_all_ranks(self, error):
        self._meeting.barrier.abort()


def on_ranks(size, function):
    """Run a function on ranks that are threads; return its results, or raise an error of one."""
    meeting, results, errors = Meeting(size), [None] * size, []

    def run(rank):
        try:
            results[rank] = function(ThreadCommunicator(meeting, rank))
        except BaseException as error:
            meeting.barrier.abort()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_columns(size):
    on_ranks(size, check_exchange)


def test_all_columns_are_one_group():
    def run(communicator):
        columns = [communicator.blocks.xp.asarray(np.arange(4) + k) for k in range(3)]
        communicator.exchange("exchange", [1, 3], columns)
        exchanges = communicator._nccl.groups
        lengths = [np.array([4, 4])] * 3
        communicator.gather_columns("gather", 4, lambda _: EncodedColumns(columns, lengths, "x"))
        return exchanges, communicator._nccl.groups

    assert on_ranks(2, run) == [(1, 2)] * 2
