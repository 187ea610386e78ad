"""The native CPU kernels in two threads, on graphs with enough work for both.

Tests run in processes of one thread each, so these alone reach, in `make test`, the code that
several threads run. Races are sought by the tests of each kernel, in up to eight threads.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from tests.graphs import random_graph
from tests.native.threads import compiled, threads

pytestmark = compiled

GRAPHS = {
    "skewed": gl.generate.kronecker(12, seed=1, weights=(1, 9)),
    "directed": random_graph(4000, 40_000, kind="directed", dtype="int64", seed=2),
}


@pytest.fixture(params=GRAPHS)
def G(request):
    return GRAPHS[request.param]


@pytest.fixture(autouse=True)
def two_threads():
    with threads(2):
        yield


def test_bfs(G):
    level, parent = gl.native.bfs(G, 1)
    assert level.isequal(gl.bfs(G, 1).level)
    gl.verify.bfs(G, 1, level, parent)


def test_sssp(G):
    distance, parent = gl.native.sssp(G, 1)
    assert distance.isequal(gl.sssp_distances(G, 1))
    gl.verify.sssp(G, 1, distance, parent)


def test_connected_components(G):
    assert gl.native.connected_components(G).isequal(gl.connected_components(G))


def test_pagerank(G):
    assert gl.native.pagerank(G).rank.isclose(gl.pagerank(G).rank, rel_tol=1e-9)


def test_betweenness_centrality(G):
    sources = [1, 2, 3, 5]
    found = gl.native.betweenness_centrality(G, sources)
    expected = gl.betweenness_centrality(G, sources)
    np.testing.assert_allclose(
        found.to_dense(fill_value=0), expected.to_dense(fill_value=0), rtol=1e-9, atol=1e-9
    )


def test_clustering_and_cores(G):
    assert gl.native.clustering_coefficient(G).isequal(gl.clustering_coefficient(G))
    assert gl.native.core_number(G).isequal(gl.core_number(G))


def test_triangles_and_forest():
    G = GRAPHS["skewed"]
    assert gl.native.triangle_count(G) == gl.triangle_count(G)
    assert gl.native.triangles(G).isequal(gl.triangles(G))
    assert gl.native.k_truss(G, 9).isequal(gl.k_truss(G, 9))
    assert gl.native.minimum_spanning_forest(G).weight == gl.minimum_spanning_forest(G).weight


def test_communities():
    G = GRAPHS["skewed"]
    assert gl.native.label_propagation(G).isequal(gl.label_propagation(G))
    two = gl.native.louvain(G)
    with threads(1):
        assert gl.native.louvain(G).community.isequal(two.community)
    assert two.modularity > gl.louvain(G).modularity - 0.01


def test_transitive_closure():
    G = random_graph(700, 900, kind="directed", seed=3)
    assert gl.native.transitive_closure(G).isequal(gl.transitive_closure(G))
