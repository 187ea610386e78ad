"""Several Python threads at once, and several streams and devices: what is kept is not mixed up."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Matrix, Vector
from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import vector_formats
from graphla.errors import EngineMismatch
from tests.cuda.simulator import Simulator
from tests.graphs import random_graph

THREADS = 8


def together(work):
    """Run ``work(k)`` in every thread, all of them beginning at once."""
    barrier = Barrier(THREADS)

    def begin(k):
        barrier.wait()
        return work(k)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_words_that_hold_zero_are_given_out_once(monkeypatch):
    monkeypatch.setattr(buffer_pool, "ZEROED_AT_ONCE", 7)
    buffer_pool.clear()
    each = together(lambda k: [buffer_pool.zeroed_words() for _ in range(500)])
    words = [word for some in each for word in some]
    for k, word in enumerate(words):
        word[0] = k
    assert [int(word[0]) for word in words] == list(range(THREADS * 500))


def test_workspaces_are_lent_to_one_at_a_time():
    buffer_pool.clear()

    def work(k):
        for _ in range(300):
            claims = buffer_pool.acquire_marks(10)
            assert (device.to_host(claims.array) < claims.call).all()
            claims.array[:] = int(claims.call)
            buffer_pool.release(claims)

    together(work)


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


def test_a_list_out_of_order_is_read_by_many():
    """It is put in order for who asks, and stays what it is for who is reading it."""
    n = 1000
    keys = device.xp.asarray(np.random.default_rng(1).permutation(n).astype(np.int32))
    for _ in range(20):
        v = gl.cuda.Vector("INT64", n)
        count = device.xp.full(1, n, np.uint64)
        v._store = vector_formats.Sparse(keys, keys.astype(np.int64) * 10, count, n, False)
        for indices, values in together(lambda k, v=v: v.to_coo()):
            np.testing.assert_array_equal(device.to_host(indices), np.arange(n))
            np.testing.assert_array_equal(device.to_host(values), np.arange(n) * 10)
        assert v._store.keys is keys


def test_algorithms_in_threads():
    G = random_graph(60, 300, kind="undirected", seed=3).to("cuda")
    G.cache("AT", "out_degree", "max_out_degree")
    want = [device.to_host(gl.bfs(G, k).level.to_dense(fill_value=-1)) for k in range(THREADS)]
    found = together(lambda k: device.to_host(gl.bfs(G, k).level.to_dense(fill_value=-1)))
    np.testing.assert_array_equal(found, want)


def test_another_stream_has_workspaces_of_its_own(monkeypatch):
    if device.xp.ndarray is not np.ndarray:
        stream = device.xp.cuda.Stream()
        first = buffer_pool.acquire_marks(10)
        buffer_pool.release(first)
        with stream:
            assert buffer_pool.acquire_marks(10) is not first
        assert buffer_pool.acquire_marks(10) is first
        return
    first, word = buffer_pool.acquire_marks(10), buffer_pool.zeroed_words()
    buffer_pool.release(first)
    monkeypatch.setattr(Simulator, "stream_key", (device.active, 1))
    assert buffer_pool.acquire_marks(10) is not first
    assert buffer_pool.zeroed_words().base is not word.base


def test_a_kernel_is_compiled_for_each_device(monkeypatch):
    assert bitmap().nvals == 2
    launch = vector_formats._counter()
    before = len(launch.compiled)
    if device.xp.ndarray is np.ndarray:
        monkeypatch.setattr(device, "active", Simulator())
        assert bitmap().nvals == 2
        assert len(launch.compiled) == before + 1


def test_objects_of_two_devices_are_refused(monkeypatch):
    v, w, A = Vector.from_dense([1.0, 2]), Vector.from_dense([3.0, 4]), Matrix.from_dense([[1.0]])
    far = {id(w._store.values), id(A._store.values)}
    monkeypatch.setattr(device.active, "device_of", lambda x: int(id(x) in far), raising=False)
    for update in (
        lambda: v << w,
        lambda: v(w.S) << v,
        lambda: v.ewise_add(w).new(),
        lambda: v[:1].new(mask=None) << w[:1],
        lambda: v.__setitem__(slice(None), w),
        lambda: Vector.from_dense([1.0]).vxm(A).new(),
    ):
        with pytest.raises(EngineMismatch, match=r"on device [01], .* on device [01]"):
            update()
    assert device.to_host(v.to_dense()).tolist() == [1, 2]


@pytest.mark.gpu
def test_kernels_run_on_the_current_stream():
    """A long wait on one stream does not delay what runs on another."""
    A = Matrix.from_coo(np.arange(1000), np.arange(1000), 2.0)
    with device.xp.cuda.Stream(non_blocking=True) as stream:
        v = Vector.from_dense(np.ones(1000))
        for _ in range(10):
            v << A.mxv(v)
        stream.synchronize()
        assert v.get(5) == 2.0**10
