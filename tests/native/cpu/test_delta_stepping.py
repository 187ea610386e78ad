"""Delta-stepping by bins: the distances of Dijkstra's algorithm, whatever the width of a bin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla.native.cpu.delta_stepping import BINS, BLOCK, lower_to_shortest
from tests.graphs import edges, random_graph
from tests.native.cpu.test_sssp import check
from tests.native.threads import COUNTS, compiled, threads


def distances(G, source, inverse, count=1):
    """Return the distances in FP64, infinity where there is no path."""
    indptr, indices, weights = G.csr
    dist = np.full(G.n, np.inf)
    dist[source] = 0
    lower_to_shortest(indptr, indices, weights, source, inverse, np.inf, dist, count)
    return dist


@pytest.mark.parametrize("inverse", [0.0, 1e-3, 1.0, 1e300])
@pytest.mark.parametrize("n", COUNTS)
def test_dijkstra(inverse, n):
    """A single bin, some bins, one for each distance, and all vertices but one far."""
    G = random_graph(300, 1500, dtype="float64", high=1000)
    indptr, indices, weights = G.csr
    expected = dijkstra(csr_array((weights, indices, indptr), shape=(G.n, G.n)), indices=5)
    with threads(n):
        assert (distances(G, 5, inverse, n) == expected).all()


@pytest.mark.parametrize("delta", [1, 50, 1e-310, 1e5])
@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("n", COUNTS)
def test_more_bins_than_there_are(n, dtype, delta):
    """Distances beyond the last bin, and more bins in use than there are blocks."""
    G = random_graph(1500, 12000, dtype=dtype, high=100_000)
    with threads(n):
        check(G, delta=delta)


@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_far_vertices_are_searched_by_all_threads(n):
    """Of 300,000 vertices, most have distances that do not fit in the bins at first."""
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 300_000, (2, 1_200_000))
    weights = np.floor(10 ** (6 * rng.random(src.size)))
    G = edges(src, dst, weights, n=300_000)
    source = int(src[0])
    with threads(n):
        assert (distances(G, source, 0.1, n) == distances(G, source, 1e-5)).all()


def test_a_path_leaves_the_bins_again_and_again():
    n = 3 * BINS
    dist = distances(edges(np.arange(n - 1), np.arange(1, n), np.full(n - 1, 2.0), n=n), 0, 1.0)
    assert (dist == 2 * np.arange(n)).all()


def test_a_bin_of_many_blocks():
    """The second level of a star of stars is in one bin."""
    width = 3 * BLOCK
    leaves = np.arange(1, width + 1)
    src = np.concatenate((np.zeros(width, int), leaves))
    dst = np.concatenate((leaves, leaves + width))
    G = edges(src, dst, np.full(2 * width, 1.0), n=2 * width + 1)
    assert np.bincount(distances(G, 0, 0.5).astype(int)).tolist() == [1, width, width]
    assert gl.native.sssp_distances(G, 0).nvals == G.n
