"""Strongly connected components against SciPy."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Matrix
from hypothesis import given

import graphla as gl
from graphla import Graph
from tests.algorithms.components.scipy_components import smallest_by_scipy
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, assert_vertex_values, atlas, edges, from_networkx, random_graph
from tests.strategies import graphs


def check(G):
    label = gl.strongly_connected_components(G)
    assert_vertex_values(label, smallest_by_scipy(G, "strong"), dtype="INT32")


def shuffled(src, dst, n, seed=0):
    p = np.random.default_rng(seed).permutation(n)
    return edges(p[src], p[dst], n=n)


test_edge_cases = on_edge_cases(check)


def orientations():
    """The atlas, each edge randomly directed forward, backward, or both."""
    rng = np.random.default_rng(5)
    for H, _ in atlas():
        D = nx.DiGraph()
        D.add_nodes_from(H)
        for u, v in H.edges:
            way = int(rng.integers(3))
            D.add_edges_from([(u, v)] * (way != 1) + [(v, u)] * (way != 0))
        yield from_networkx(D)


@pytest.mark.thorough
def test_atlas_orientations():
    for G in orientations():
        check(G)


@given(graphs())
def test_random_graphs(G):
    check(G)


@given(graphs(kind="directed", max_n=40, max_m=60))
def test_larger_random_graphs(G):
    check(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored_and_zeros_are_edges(dtype):
    check(random_graph(60, 90, dtype=dtype))
    zero = np.zeros(3, dtype=dtype)
    check(Graph(Matrix.from_coo([0, 1, 2], [1, 2, 0], zero, nrows=4, ncols=4)))


@pytest.mark.parametrize("degree", [0.5, 1, 1.5, 2, 8])
@pytest.mark.parametrize("n", [100, 5000])
def test_uniform_digraphs(n, degree):
    check(random_graph(n, int(n * degree), seed=n))


@pytest.mark.parametrize("seed", range(5))
def test_many_components_of_middle_size(seed):
    rng = np.random.default_rng(seed)
    base = 30 * np.arange(50)[:, None]
    inner = [(base + rng.integers(0, 30, (50, 60))).ravel() for _ in range(2)]
    between = np.sort(rng.integers(0, 1500, (2, 900)), axis=0)
    check(shuffled(np.r_[inner[0], between[0]], np.r_[inner[1], between[1]], 1500, seed))


@pytest.mark.parametrize("length", [2, 3, 7])
@pytest.mark.parametrize("backward", [False, True])
def test_a_chain_of_many_cycles(length, backward):
    first = length * np.arange(600)
    inner = (first[:, None] + np.arange(length)).ravel()
    onward = (first[:, None] + np.r_[1:length, 0]).ravel()
    src, dst = np.r_[inner, first[:-1] + length - 1], np.r_[onward, first[1:]]
    G = edges(dst, src, n=inner.size) if backward else edges(src, dst, n=inner.size)
    check(G)
    check(shuffled(src, dst, inner.size))


def test_a_path_and_a_cycle_longer_than_any_search():
    n = 3000
    v = np.arange(n)
    check(shuffled(v[:-1], v[1:], n))
    check(shuffled(v, np.roll(v, -1), n))
    check(shuffled(np.r_[v[:-1], v[1:]], np.r_[v[1:], v[:-1]], n))


def test_a_ladder_that_is_peeled_in_several_rounds():
    v = 2 * np.arange(1000)
    src = np.r_[v[:-1], v[:-1], v[:-1] + 1, v[:-1] + 1]
    dst = np.r_[v[1:], v[1:] + 1, v[1:], v[1:] + 1]
    check(shuffled(src, dst, 2000))


@pytest.mark.thorough
def test_a_hundred_thousand_two_cycles_in_a_chain():
    a = 2 * np.arange(100_000)
    src, dst = np.r_[a, a + 1, a[:-1] + 1], np.r_[a + 1, a, a[1:]]
    check(edges(src, dst, n=200_000))
    check(shuffled(src, dst, 200_000))
