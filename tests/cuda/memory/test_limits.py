"""The memory limit, the free memory, and estimates that refuse before any work."""

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla import cuda
from graphla.core import memory, validation
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, InvalidValue, OutOfDeviceMemory, OutOfMemory


@pytest.mark.gpu
def test_copies_to_the_device(small_memory_limit):
    """The request is far larger than the pool's free memory."""
    x = gb.Vector.from_dense(np.ones(1 << 23))
    small_memory_limit()
    with pytest.raises(OutOfDeviceMemory) as caught:
        cuda.from_graphblas(x)
    assert caught.value.needed >= 8 << 23
    cuda.set_memory_limit(None)
    assert cuda.from_graphblas(x).nvals == 1 << 23


def test_the_limit_and_what_is_free():
    before = cuda.memory()
    assert before.free > 0
    cuda.set_memory_limit(before.used + 5_000_000)
    try:
        found = cuda.memory()
        assert found.limit == before.used + 5_000_000
        assert found.free <= 5_000_000 + before.used
    finally:
        cuda.set_memory_limit(None)
    assert cuda.memory().limit is None
    for bad, error in ((0, InvalidValue), (-5, InvalidValue), (1.5, DomainMismatch)):
        with pytest.raises(error, match="memory limit"):
            cuda.set_memory_limit(bad)


def test_checks_look_at_the_memory_of_the_engine(monkeypatch, small_memory_limit):
    G = gl.Graph.from_edges([0, 1], [1, 2]).to("cuda")
    monkeypatch.setattr(validation, "MANY", 1)
    validation.check_graph(G)
    cuda.set_memory_limit(max(1, cuda.memory().used + 100))
    assert memory.available("cuda") == cuda.memory().free < memory.available()
    if device.xp.ndarray is not np.ndarray:
        return
    with pytest.raises(OutOfDeviceMemory, match="n=3 vertices takes 120 bytes") as caught:
        validation.check_graph(G)
    assert (caught.value.needed, caught.value.free) == (120, 100)


@pytest.mark.thorough
def test_a_closure_is_refused_by_the_memory_of_the_engine(monkeypatch):
    n = 3000
    G = gl.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n).to("cuda")
    monkeypatch.setattr(cuda, "memory", lambda: device.usage()._replace(free=1_000_000))
    with pytest.raises(OutOfMemory, match="500,000 can be used"):
        gl.transitive_closure(G)


def test_a_closure_is_one_bit_a_pair():
    n = 1000
    G = gl.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n).to("cuda")
    for closure in (gl.transitive_closure, gl.transitive_closure_condensed):
        with pytest.raises(OutOfMemory, match="about 128,000 bytes; 127,999 can"):
            closure(G, max_bytes=127_999)
        R = closure(G, max_bytes=128_000)
        assert R._store.words.nbytes == 128_000
        assert R.nvals == n * n
