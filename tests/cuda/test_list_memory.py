"""What an object that is kept costs: memory by its entries, whatever room its kernel had."""

from __future__ import annotations

import weakref

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.centrality.betweenness_centrality import count_paths
from graphla.core.masked_products import GUSTAVSON
from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device
from tests.cuda.simulator import Arrays, Simulator

N = 1000  # levels of a deep search, at least


def room(x):
    """Return the bytes that the list of an object keeps."""
    store = x._store
    return sum((a if a.base is None else a.base).nbytes for a in (store.keys, store.values))


def path(n):
    return gl.Graph.from_edges(np.arange(n - 1), np.arange(1, n), kind="undirected")


def caterpillar(n):
    """A path of n vertices, each with a leaf."""
    i = np.arange(n)
    edges = np.r_[i[:-1], i], np.r_[i[1:], n + i]
    return gl.Graph.from_edges(*edges, kind="undirected")


def lollipop(n):
    """A clique, whose level is dense, and a path."""
    i, j = np.triu_indices(60, 1)
    k = np.arange(59, 59 + n)
    return gl.Graph.from_edges(np.r_[i, k], np.r_[j, k + 1], kind="undirected")


@pytest.fixture
def allocated(monkeypatch):
    """Count the bytes of live arrays; return a function that returns their peak."""
    if not isinstance(device.active, Simulator):
        pytest.skip("a device's pool rounds sizes; benchmarks/deep_searches.py measures there")
    live, most = [0], [0]
    made = Arrays.made

    def counted(self, function, shape, *args):
        found = made(self, function, shape, *args)
        nbytes = found.nbytes
        live[0] += nbytes
        most[0] = max(most[0], live[0])

        def freed():
            live[0] -= nbytes

        weakref.finalize(found, freed)
        return found

    monkeypatch.setattr(Arrays, "made", counted)
    return lambda: most[0]


def test_a_new_list_has_no_spare_room():
    n = 100_000
    A = Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1, nrows=n, ncols=n)
    u = Vector.from_coo([5], [1], size=n)
    pushed = u.vxm(A, gb.semiring.plus_times).new()
    x = Vector.from_dense(np.arange(n))
    picked = x.select("<", 3).new()
    w = Vector("INT64", n)
    w.store("sparse")
    w << x.select("<", 3)
    for found in (pushed, picked, w.apply("abs").new(), w.dup("INT32"), w.dup(mask=x.S), w.dup()):
        count = found.nvals
        assert count == (1 if found is pushed else 3)
        if found._store.form == "sparse":
            assert room(found) <= 16 * count + 2048
        assert found.to_coo()[0].size == count


def test_a_new_list_that_nobody_has_counted_is_bounded():
    n = 1_000_000
    A = Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1, nrows=n, ncols=n)
    pushed = Vector.from_coo([5], [1], size=n).vxm(A, gb.semiring.plus_times).new()
    assert not pushed._store.is_counted
    assert room(pushed) <= 4096
    assert [device.to_host(x).tolist() for x in pushed.to_coo()] == [[6], [1]]


@pytest.mark.parametrize("make", [path, caterpillar, lollipop])
def test_levels_of_a_deep_search(make):
    G = make(N).to("cuda")
    _, levels = count_paths(G, [0])
    entries = sum(level.inverse.nvals for level in levels)
    assert entries == G.n
    assert len(levels) >= N
    assert all(level.inverse._store.form == "sparse" for level in levels[3:])
    assert sum(room(level.inverse) for level in levels) <= 32 * entries


@pytest.mark.parametrize("make", [path, caterpillar, lollipop])
@pytest.mark.parametrize(
    "name",
    [
        "betweenness_centrality",
        "betweenness_centrality_weighted",
        "edge_betweenness_centrality",
        "native",
    ],
)
def test_betweenness_of_any_depth(make, name, allocated):
    G = make(N)
    function = gl.native.betweenness_centrality if name == "native" else getattr(gl, name)
    expected = function(G, [0, N // 2])
    found = function(G.to("cuda"), [0, N // 2])
    assert allocated() <= 2000 * (G.n + G.A.nvals)
    *_, values = (device.to_host(x) for x in found.to_coo())
    np.testing.assert_allclose(values, expected.to_coo()[-1], rtol=1e-9, atol=1e-9)


def test_options_of_safe_products_are_taken():
    A = Matrix.from_coo([0, 1], [1, 2], [1, 1], nrows=3, ncols=3)
    u, w = Vector.from_coo([0], [1], size=3), Vector("INT64", 3)
    w << 7
    w(w.S, **GUSTAVSON) << u.vxm(A, gb.semiring.plus_times)
    assert [device.to_host(x).tolist() for x in w.to_coo()] == [[1], [1]]
    assert u.vxm(A, gb.semiring.plus_times).new(mask=w.S, **GUSTAVSON).nvals == 1
