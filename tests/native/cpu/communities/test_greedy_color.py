"""The colours of the native kernels are those of the algebra, in any number of threads."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.native.cpu.communities.greedy_color import color_vertices
from tests.every_graph import on_edge_cases
from tests.graphs import from_networkx, hubs_and_isolated
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs


def colors(G, n=1):
    indptr, indices = G.csr.indptr.astype(np.int64), G.csr.indices
    return color_vertices(indptr[:-1], indptr[1:], indices, n)


def check(G):
    expected = gl.greedy_color(G)
    assert colors(G).tolist() == expected.to_dense().tolist()
    found = gl.native.greedy_color(G)
    assert found.isequal(expected, check_dtype=True)


test_edge_cases = on_edge_cases(check, kind="undirected")


@given(graphs(kind="undirected", max_n=16, max_m=80))
def test_random_graphs_with_loops(G):
    check(G)


def test_many_colors_and_hubs():
    check(from_networkx(nx.disjoint_union(nx.star_graph(5), nx.complete_graph(130))))
    check(hubs_and_isolated("undirected"))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_races(n):
    G = gl.generate.kronecker(11, seed=1)
    expected = gl.greedy_color(G).to_dense()
    with threads(n):
        for _ in range(RUNS):
            assert (colors(G, n) == expected).all()
