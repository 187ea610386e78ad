"""Grids, geometric graphs and joined cliques."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform

import graphla as gl
from tests.generate.generators import arcs, generate, same
from tests.graphs import from_networkx, to_scipy


def test_ssca2_without_joins_is_disjoint_cliques():
    G = generate.ssca2(10, max_clique=20, joins=0)
    parts, label = connected_components(to_scipy(G), directed=False)
    sizes = np.bincount(label)
    assert (G.n, sizes.sum(), sizes.max()) == (1024, 1024, 20)
    assert sizes.min() == 1
    assert G.nedges == sum(comb(int(size), 2) for size in sizes)
    assert abs(sizes.mean() - 10.5) < 2.5
    assert parts == sizes.size
    members = np.flatnonzero(label == label[0])
    assert np.ptp(members) > 20 or members.size == 1  # permuted


def test_ssca2_joins_thin_out_with_distance():
    """With cliques of one vertex only joining edges remain: p / 2^k at distance 2^k."""
    n = 2**12
    joins = generate.ssca2(12, max_clique=1, joins=0.8, kind="directed")
    expected = n * 0.8 * sum(0.5**k for k in range(12))
    assert abs(joins.nedges - expected) < 5 * np.sqrt(expected)
    assert joins.out_degree.to_dense().max() <= 12
    assert connected_components(to_scipy(generate.ssca2(12, joins=1)))[0] == 1
    cliques = arcs(generate.ssca2(8, joins=0, kind="directed"))
    assert cliques == {(j, i) for i, j in cliques}


def test_ssca2_default_size():
    degree = generate.ssca2(12, joins=0).out_degree.to_dense()
    assert degree.max() == 15  # cliques of up to 2^(12/3)


@pytest.mark.parametrize("shape", [(1,), (7,), (1, 5), (4, 6), (3, 4, 5), (2, 2, 2, 3)])
def test_grid_is_networkx_grid(shape):
    H = nx.convert_node_labels_to_integers(nx.grid_graph(shape[::-1]), ordering="sorted")
    assert same(generate.grid(*shape), from_networkx(H))


def test_grid_holes():
    G = generate.grid(30, 40)
    with_holes = generate.grid(30, 40, holes=0.1)
    assert with_holes.nedges == G.nedges - round(0.1 * G.nedges)
    assert arcs(with_holes) < arcs(G)
    assert generate.grid(30, 40, holes=1).nedges == 0
    removed = np.array([i for i, _ in arcs(G) - arcs(with_holes)])
    assert abs(removed.mean() / 1200 - 0.5) < 0.05  # everywhere


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_geometric_joins_exactly_the_points_within_the_radius(dim):
    points = np.random.default_rng(6).random((80, dim))
    near = squareform(pdist(points)) <= 0.2
    np.fill_diagonal(near, False)
    assert same(generate.geometric(80, 0.2, dim=dim, seed=6), gl.Graph(near, kind="undirected"))
