"""A kernel is compiled once for a device; results in host memory are right in any thread."""

from __future__ import annotations

import gc
from collections import deque
from types import SimpleNamespace

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import Device, device
from graphla.cuda.runtime.kernel import PENDING, HostResult, kernel
from graphla.cuda.storage import vector_formats
from graphla.cuda.storage.vector_formats import COUNT_TYPES
from graphla.errors import KernelFailure
from tests.cuda.simulator import Simulator
from tests.cuda.simultaneous_threads import THREADS, together
from tests.cuda.warp_simulator import WarpSimulator


@pytest.fixture
def free_slots(monkeypatch):
    """Start without a slot, and allocate few at a time."""
    free = deque()
    monkeypatch.setattr(device.active, "free_slots", free)
    monkeypatch.setattr("graphla.cuda.runtime.kernel.SLOTS_AT_ONCE", 4)
    return free


def count_bits(result, bits):
    """Let a kernel write how many of 64 bits are set."""
    words = device.xp.asarray(np.array([bits & 0xFFFFFFFF, bits >> 32], np.uint32))
    kernel("vector_formats", COUNT_TYPES, "count_entries")(
        2, 2, words, zeroed_words(), result.device_words
    )


def test_a_slot_belongs_to_one_result_at_a_time(free_slots):
    results = [HostResult() for _ in range(10)]
    assert len({(id(x.slot.words), x.slot.first) for x in results}) == 10
    for k, x in enumerate(results):
        count_bits(x, (1 << k) - 1)
    assert [x.wait() for x in results] == [(k, 1) for k in range(10)]
    assert [x.wait() for x in results] == [(k, 1) for k in range(10)]


def test_a_slot_is_reused_when_its_kernel_has_written_it(free_slots):
    first, second = HostResult(), HostResult()
    count_bits(first, 7)
    assert second.device_words is not None  # a kernel may still write to it
    device.synchronise()
    silent, known = second.slot, first.slot
    del first, second
    gc.collect()
    assert len(free_slots) == 4
    results = [HostResult() for _ in range(20)]
    assert any(x.slot is known for x in results)
    assert not any(x.slot is silent for x in results)


def test_a_slot_that_no_kernel_has_is_reused(free_slots):
    for _ in range(50):
        HostResult()
    gc.collect()
    assert len(free_slots) == 4


def test_a_slot_of_a_failed_launch_is_reused(free_slots, monkeypatch):
    def fail(*args):
        raise RuntimeError("no launch")

    run = kernel("vector_formats", COUNT_TYPES, "count_entries")
    monkeypatch.setitem(run.compiled, device.active.id, fail)
    for _ in range(50):
        x = HostResult()
        with pytest.raises(RuntimeError, match="no launch"):
            count_bits(x, 7)
    del x
    gc.collect()
    assert len(free_slots) == 4


def test_a_result_that_is_not_written_is_an_error(free_slots):
    """Waiting for a result that no kernel writes raises KernelFailure."""
    with pytest.raises(KernelFailure, match="without writing"):
        HostResult().wait()


@pytest.mark.parametrize("written_by", ["polling", "the stream", "its device", "no kernel"])
def test_a_stream_of_another_device(written_by):
    """On another device's null stream, that device is synchronised; an unwritten result raises."""
    words, waited = [5, PENDING], []

    def wait(name):
        waited.append(name)
        if name == written_by:
            words[1] = 1

    class Other:
        number = 0

        def __init__(self, number=None):
            self.given = number

        def __enter__(self):
            Other.number = self.given

        def __exit__(self, *error):
            Other.number = 0

        def synchronize(self):
            assert Other.number == 3
            wait("its device")

    wait("polling")
    waiting = Device()
    waiting.xp = SimpleNamespace(cuda=SimpleNamespace(Device=Other))
    stream = SimpleNamespace(synchronize=lambda: wait("the stream"))
    if written_by == "no kernel":
        with pytest.raises(KernelFailure, match="without writing"):
            waiting.wait_for(words, 1, PENDING, stream, 3)
    else:
        waiting.wait_for(words, 1, PENDING, stream, 3)
        assert waited[-1] == written_by
    assert Other.number == 0


def test_threads_read_results_of_their_own():
    def work(k):
        for j in range(100):
            x = HostResult()
            count_bits(x, (1 << (k + j % 3)) - 1)
            assert x.wait() == (k + j % 3, 1)

    together(work)


def test_threads_read_one_result(free_slots):
    x = HostResult()
    count_bits(x, 31)
    assert together(lambda k: x.wait()) == [(5, 1)] * THREADS


@pytest.mark.parametrize("n", [1, 40, 3000])
def test_a_count_is_published_if_the_previous_one_was_read(n):
    q, mask = Vector.from_dense(np.arange(n)), Vector("BOOL", n)
    mask[0] = True
    part = q.select(gb.select.valuelt, n // 2)
    r = Vector("INT64", n)
    for form in ("sparse", "sparse", "bitmap"):
        q.store(form)
        r << part
        assert r.nvals == n // 2
    q.store("sparse")
    for k in range(3):
        r(~mask.S, replace=True) << q.select(gb.select.valuegt, k)
        want = [x for x in range(n) if x > k]
        assert (r.nvals, device.to_host(r.to_coo()[0]).tolist()) == (len(want), want)
        assert (r._store.count_result is None) == (k == 0)  # the first run found a bitmap


@pytest.mark.parametrize("big", [False, True])
def test_a_push_publishes_its_count(big):
    """Also if long rows are pushed in pieces."""
    n = 3000
    G = gl.Graph.from_edges([0] * (n - 1) if big else range(n - 1), range(1, n), n=n).to("cuda")
    q = G.vector("INT64")
    q.store("sparse")
    q[0] = 0
    want, found = [1, n - 1 if big else 1, 0 if big else 1], []
    for _ in want:
        found.append(q.nvals)
        q << q.vxm(G.A, gb.semiring.any_second["INT64"])
    assert found == want


@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT64", "FP32", "FP64"])
@pytest.mark.parametrize("n", [0, 1, 5000])
def test_a_sum_is_published(dtype, n):
    values = (np.arange(n) % 7).astype(gb.dtypes.lookup_dtype(dtype).np_type)
    v, w = Vector.from_coo(range(n), values, dtype, size=n + 1), gb.Vector(dtype, n + 1)
    w.build(range(n), values)
    for monoid in (gb.monoid.max, gb.monoid.min, gb.monoid.any):
        found = v.reduce(monoid[dtype]).new()
        if monoid is not gb.monoid.any:
            assert found.value == w.reduce(monoid[dtype]).new().value
        assert found.is_empty == (n == 0)


def test_counts_and_sums_of_warps(monkeypatch):
    """Where blocks and lanes share the work, the last block publishes the total."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("tests the simulator, which a GPU replaces")
    monkeypatch.setattr(device, "active", WarpSimulator())
    v = Vector.from_dense(np.arange(700))
    assert v.reduce("plus").new().value == 699 * 350
    v.store("sparse")
    r = Vector("INT64", 700)
    for k in (5, 500):
        r << v.select(gb.select.valuege, k)
        assert r.nvals == 700 - k
    assert r._store.count_result is not None


def bitmap():
    """Return one whose entries have not been counted."""
    words = device.xp.asarray(np.arange(3, dtype=np.uint32))
    return vector_formats.Dense(None, words)


def test_a_kernel_is_compiled_once(monkeypatch):
    compiled = []
    original = device.active.compile
    monkeypatch.setattr(
        device.active, "compile", lambda *args: compiled.append(1) or original(*args), raising=False
    )
    monkeypatch.setattr("graphla.cuda.runtime.kernel._kernels", {})
    vector_formats._counter.cache_clear()
    assert together(lambda k: bitmap().nvals) == [2] * THREADS
    assert len(compiled) == 1


def test_a_kernel_is_compiled_for_each_device(monkeypatch):
    assert bitmap().nvals == 2
    launch = vector_formats._counter()
    before = len(launch.compiled)
    if device.xp.ndarray is np.ndarray:
        monkeypatch.setattr(device, "active", Simulator())
        assert bitmap().nvals == 2
        assert len(launch.compiled) == before + 1
