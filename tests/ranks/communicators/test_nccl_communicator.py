"""Pointers, lengths and groups of the calls of NCCL, between threads that copy host memory.

The library itself needs several GPUs: benchmarks/devices.py checks all algorithms there.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from graphla.ranks.collectives.communicator import Communicator, EncodedColumns
from graphla.ranks.communicators import nccl_communicator
from graphla.ranks.communicators.nccl_communicator import NCCLCommunicator
from tests.ranks.communicators.threads_as_ranks import ArrayModule, on_threads
from tests.ranks.distributed_objects import check_exchange


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
        everything = self.meeting.exchange(self.rank, calls)
        for peer, sent in enumerate(everything):
            incoming = [c for c in calls if c[:2] == ("recv", peer)]
            outgoing = [c for c in sent if c[:2] == ("send", self.rank)]
            for (*_, target, length), (*_, source, count) in zip(incoming, outgoing, strict=True):
                assert length == count
                ctypes.memmove(target, source, count)
        self.meeting.exchange(self.rank, None)  # the arrays stay until all have copied


class ThreadCommunicator(NCCLCommunicator):
    def __init__(self, meeting, rank):
        blocks = SimpleNamespace(xp=ArrayModule(), to_host=np.asarray)
        Communicator.__init__(self, rank, meeting.size, blocks=blocks)
        self._meeting, self._current_stream = meeting, lambda: SimpleNamespace(ptr=0)
        self._nccl = self._group = Library(meeting, rank)
        self._byte, self._ring = self._nccl.NCCL_UINT8, None

    def _allgather_words(self, words):
        return np.stack(self._meeting.exchange(self.rank, words))

    def end_all_ranks(self, error):
        self._meeting.barrier.abort()


def on_ranks(size, function):
    """Run a function on ranks that are threads."""
    return on_threads(size, lambda meeting, rank: function(ThreadCommunicator(meeting, rank)))


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


@pytest.mark.parametrize("is_shared", [True, False])
def test_long_pieces_are_copied_where_memory_is_shared(monkeypatch, is_shared):
    lengths = np.array([5, 3])
    rings = [np.zeros(1, np.uint8)] * 2 if is_shared else None
    gathered = []

    class Ring:
        def __init__(self, given, rank, cuda, barrier):
            assert given is rings

        def gather(self, content, lengths, out, stream):
            gathered.append(lengths)

    monkeypatch.setattr(nccl_communicator, "LEAST_COPIED", 5)
    monkeypatch.setattr(nccl_communicator, "CopyRing", Ring)
    monkeypatch.setattr(ThreadCommunicator, "shared_arrays", lambda *_: rings)

    def run(communicator):
        xp = communicator.blocks.xp
        for counts in (lengths, lengths - 1):
            content = xp.zeros(counts[communicator.rank], np.uint8)
            out = xp.ones(int(counts.sum()), np.uint8)
            communicator.allgather_known("gather", content, counts, out)
        return out.any()

    assert not any(on_ranks(2, run))
    assert gathered == [[5, 3]] * 2 * is_shared
