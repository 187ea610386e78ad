"""Device memory of deep searches is bounded by the graph's size."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.centrality.betweenness_centrality import count_paths
from graphla.cuda.runtime.device import device
from tests.cuda.simulator import Arrays, Simulator
from tests.cuda.vector_forms import kept_bytes

N = 1000  # levels of a deep search, at least


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


@pytest.mark.parametrize("make", [path, caterpillar, lollipop])
def test_levels_of_a_deep_search(make):
    G = make(N).to("cuda")
    _, levels = count_paths(G, [0])
    bands = [inverse for level in levels for inverse in level.values()]
    entries = sum(inverse.nvals for inverse in bands)
    assert entries == G.n
    assert len(levels) >= N
    assert all(inverse._store.form == "sparse" for inverse in bands[3:])
    assert sum(kept_bytes(inverse) for inverse in bands) <= 32 * entries


@pytest.mark.thorough
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
