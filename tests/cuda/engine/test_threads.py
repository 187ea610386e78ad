"""Algorithms in several Python threads, and objects of several streams and devices."""

import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import vector_formats
from graphla.errors import EngineMismatch
from tests.cuda.simultaneous_threads import THREADS, together
from tests.graphs import random_graph


def test_a_list_out_of_order_is_read_by_many():
    """Sorting it for one reader replaces no array that another reads."""
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
