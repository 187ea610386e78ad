"""Buffers, workspaces and zeroed words are reused, never by two users at a time."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda import Matrix, Vector
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import ARRAYS_KEPT
from graphla.cuda.runtime.device import Device, device
from tests.cuda.simulator import Simulator
from tests.cuda.simultaneous_threads import THREADS, together
from tests.cuda.warp_simulator import WarpSimulator


def host(v):
    """Return the entries as a dict."""
    indices, values = (device.to_host(x).tolist() for x in v.to_coo())
    return dict(zip(indices, values, strict=True))


def pools_of(v):
    """Return the pools to which a list releases its keys and its values."""
    return v._store._keys_owner.pool, v._store._values_pool


@pytest.fixture
def v():
    return Vector.from_coo([1, 3, 4], [10, 30, 40], size=6)


@pytest.fixture
def full():
    return Vector.from_dense(device.xp.asarray([20, 20, 20, 20, 20, 20]))


def test_arrays_are_reused(v):
    w, large = Vector("INT64", 6), v.select(">", 15)
    seen = []
    for _ in range(4):
        w << large
        seen.append((id(w._store.keys), id(w._store.values)))
        assert host(w) == {3: 30, 4: 40}
    assert seen[0] == seen[2]
    assert seen[1] == seen[3]
    assert seen[0] != seen[1]


def test_arrays_that_left_the_engine_are_not_reused(v):
    w, large = Vector("INT64", 6), v.select(">", 15)
    held = []
    for k in range(4):
        v[5] = 50 + k
        w << large
        held.append(w.to_coo()[k % 2 == 0])
    assert [sorted(device.to_host(x).tolist()) for x in held] == [
        [30, 40, 50], [3, 4, 5], [30, 40, 52], [3, 4, 5],
    ]  # fmt: skip


def test_values_that_left_the_engine_are_not_reused(full):
    """The keys ascend and belong to no pool, so ``sorted_arrays`` returns views of the list."""
    v = Vector.from_coo([1, 3, 4], [10, 30, 40], size=6)
    w, negative = Vector("INT64", 6), v.apply("ainv")
    held = []
    for k in range(6):
        v << Vector.from_coo([1, 3], [k, 10 * k], size=6)
        w << negative
        held.append(w._store.sorted_arrays()[1])
    assert [device.to_host(x).tolist() for x in held] == [[-k, -10 * k] for k in range(6)]


def test_keys_that_left_the_engine_are_not_reused(v, full):
    """They are withdrawn from the pool through any list that shares them."""
    some, less = Vector("INT64", 6), Vector("BOOL", 6)
    large, is_less = v.select(">", 5), some.ewise_mult(full, gb.binary.lt["INT64"])
    held = []
    for k in range(6):
        v[0] = k
        some << large
        less << is_less
        some._store.sorted = less._store.sorted = True  # as they are in the simulator
        held.append(less._store.sorted_arrays()[0])
    assert [device.to_host(x).tolist() for x in held] == [[1, 3, 4]] * 6


def test_keys_are_shared_as_long_as_one_list_has_them(v, full):
    some, less = Vector("INT64", 6), Vector("BOOL", 6)
    large, is_less = v.select(">", 5), some.ewise_mult(full, gb.binary.lt["INT64"])
    for _ in range(3):
        some << large
        less << is_less
        assert less._store.keys is some._store.keys
        some << v.select(">", 35)
        some << large
        assert host(less) == {1: True, 3: False, 4: False}


def test_the_number_of_entries_is_that_of_the_list(v, full):
    some, less = Vector("INT64", 6), Vector("BOOL", 6)
    for size in (3, 4):
        some << v.select(">", 5)
        less << some.ewise_mult(full, gb.binary.lt["INT64"])
        assert less.nvals == some.nvals == size
        v[0] = 7


@pytest.mark.parametrize("valued", [False, True])
@pytest.mark.parametrize("complement", [False, True])
def test_a_mask_of_the_same_keys(v, full, valued, complement):
    less, w = Vector("BOOL", 6), Vector("INT64", 6)
    some = v.select(">", 5).new()
    less << some.ewise_mult(full, gb.binary.lt["INT64"])
    mask = less.V if valued else less.S
    w(~mask if complement else mask, replace=True) << some.select("<", 35)
    inside = {1} if valued else {1, 3, 4}
    keys = {1, 3, 4} - inside if complement else inside
    assert host(w) == {k: 10 * k for k in keys if 10 * k < 35}


@pytest.mark.parametrize("masked", [False, True])
def test_a_list_of_some_entries_of_a_bitmap(v, masked):
    w = Vector("FP64", 6)
    v.store("bitmap")
    w.store("sparse")
    m = Vector.from_coo([3], [True], size=6)
    for thunk, found in ((15, {3: 30.0, 4: 40.0}), (50, {})):
        w(m.V if masked else None, replace=masked) << v.select(">", thunk)
        assert w._store.form == "sparse"
        assert host(w) == {k: x for k, x in found.items() if k == 3 or not masked}
        assert w.nvals == len(host(w))


def test_lists_of_warps(monkeypatch):
    """Select, apply and mask on lists, by kernels whose lanes share the work."""
    if isinstance(device.active, Device):
        pytest.skip("tests the simulator, which a GPU replaces")
    monkeypatch.setattr(device, "active", WarpSimulator())
    n = 300
    v, w, less, found = (Vector(t, n) for t in ("INT64", "INT64", "BOOL", "INT64"))
    v << Vector.from_dense(np.arange(n))
    w.store("sparse")
    for most in (100, 200):
        w << v.select("<", most)
        less << w.ewise_mult(v, gb.binary.le["INT64"])
        found(less.V, replace=True) << w.select(">=", 50)
        assert (w.nvals, less.nvals, found.nvals) == (most, most, most - 50)
        assert host(found) == {k: k for k in range(50, most)}


def test_an_array_of_another_size_is_not_reused(v):
    w, large = Vector("INT64", 6), v.select(">", 15)
    for k in range(4):
        w << large
        v << Vector.from_coo(np.arange(k, 6), np.arange(k, 6) * 10, size=6)
    assert host(w) == {3: 30, 4: 40, 5: 50, 2: 20}


def test_no_array_of_another_stream_is_reused(monkeypatch, v, full):
    """A kernel on the other stream may still read an array that was released."""
    if isinstance(device.active, Device):
        pytest.skip("tests the simulator, which a GPU replaces")
    w, less = Vector("INT64", 6), Vector("BOOL", 6)
    large, is_less = v.select(">", 15), w.ewise_mult(full, gb.binary.lt["INT64"])
    seen = {1: [], 2: []}
    for stream in (1, 1, 1, 2, 2, 2, 1, 1, 2):
        monkeypatch.setattr(type(device.active), "stream_key", stream)
        w << large
        less << is_less
        seen[stream].append([id(x) for x in (w._store.keys, w._store.values, less._store.values)])
        assert host(less) == {3: False, 4: False}
    kept = {stream: {x for ids in of[1:] for x in ids} for stream, of in seen.items()}
    assert not kept[1] & kept[2]
    assert set(seen[1][4]) <= {x for ids in seen[1][:4] for x in ids}  # reused by the same stream


def test_the_number_of_free_arrays_is_bounded(v):
    """The pool is bounded, however many lists existed at once."""
    w, large = Vector("INT64", 6), v.select(">", 15)
    lists = []
    for _ in range(3 * ARRAYS_KEPT):
        w << large
        lists.append(w._store)
    pools = pools_of(w)
    lists.clear()
    assert [len(pool) for pool in pools] == [ARRAYS_KEPT, ARRAYS_KEPT]
    w << large
    assert host(w) == {3: 30, 4: 40}


def test_free_arrays_of_living_plans_are_released(v):
    w, large = Vector("INT64", 6), v.select(">", 15)
    lists = []
    for _ in range(3):
        w << large
        lists.append(w._store)
    pools = pools_of(w)
    lists.clear()
    assert all(pools)
    cuda.clear_workspaces()
    assert not any(pools)
    w << large
    assert host(w) == {3: 30, 4: 40}


def test_workspaces_are_given_back():
    A = Matrix.from_coo([0, 1], [1, 0], [1, 1], nrows=99, ncols=99)
    Vector.from_coo([0], [1], size=99).vxm(A, "plus_times").new().nvals
    assert buffer_pool._workspaces
    assert buffer_pool._zeroed
    cuda.clear_workspaces()
    assert not buffer_pool._workspaces
    assert not buffer_pool._zeroed
    assert Vector.from_coo([0], [1], size=99).vxm(A, "plus_times").new().get(1) == 1


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
