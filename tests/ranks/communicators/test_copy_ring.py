"""Gathers through rings of buffers, on streams that run what is added as late as they may."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.ranks.communicators import copy_ring
from graphla.ranks.communicators.copy_ring import CopyRing
from tests.ranks.communicators.threads_as_ranks import DeviceArray, on_threads

CHUNK = 4


class Stream:
    """Runs its work when something waits for it, or earlier, as drawn."""

    def __init__(self, is_early):
        self.work, self.done, self.is_early = [], 0, is_early

    def add(self, work):
        self.work.append(work)
        if self.is_early():
            self.run(len(self.work))

    def run(self, end):
        while self.done < end:
            self.done += 1
            self.work[self.done - 1]()

    def wait_event(self, event):
        self.add(event.synchronize)


class Event:
    def record(self, stream):
        self.stream, self.end = stream, len(stream.work)

    def synchronize(self):
        self.stream.run(self.end)


def cuda_of(seed):
    """Return what CopyRing uses of CuPy; a share of the copies, by the seed, runs at once."""
    rng = random.Random(seed)
    share = rng.choice([0, 0.3, 1])

    def is_early():
        return rng.random() < share

    return SimpleNamespace(
        Stream=lambda non_blocking: Stream(is_early), Event=lambda disable_timing: Event()
    )


def device_bytes(values):
    return np.asarray(values, np.uint8).view(DeviceArray)


def contents(lengths, number):
    """Return the piece of each rank in one of several gathers."""
    rng = np.random.default_rng([number, *lengths])
    return [rng.integers(0, 256, length) for length in lengths]


def gather_all(gathers, seed=0):
    """Run gathers of pieces of some lengths on one ring; return what each rank has got."""
    size = len(gathers[0])
    rings = [device_bytes(np.zeros(copy_ring.BUFFERS * CHUNK)) for _ in range(size)]

    def run(meeting, rank):
        cuda = cuda_of(seed * size + rank)
        stream, found = cuda.Stream(non_blocking=False), []
        ring = CopyRing(rings, rank, cuda, lambda: meeting.exchange(rank, None))
        for number, lengths in enumerate(gathers):
            content = device_bytes(contents(lengths, number)[rank])
            out = device_bytes(np.zeros(sum(lengths)))
            ring.gather(content, lengths, out, stream)
            stream.add(lambda content=content: content.fill(7))  # may be reused after it
            found.append(out)
        stream.run(len(stream.work))
        return found

    return on_threads(size, run)


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    monkeypatch.setattr(copy_ring, "CHUNK", CHUNK)


LENGTHS = st.integers(2, 4).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 30), min_size=size, max_size=size).filter(any), min_size=1,
        max_size=4,
    )
)  # fmt: skip


@given(LENGTHS, st.integers(0, 1000))
def test_every_rank_gets_all_pieces(gathers, seed):
    for found in gather_all(gathers, seed):
        for number, (lengths, out) in enumerate(zip(gathers, found, strict=True)):
            assert out.tolist() == np.concatenate(contents(lengths, number)).tolist()


def test_pieces_of_one_chunk_each_and_of_nothing():
    found = gather_all([[CHUNK, 0, CHUNK], [0, 1, 0]])
    assert [[x.size for x in rank] for rank in found] == [[2 * CHUNK, 1]] * 3
