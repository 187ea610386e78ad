"""Trees of shortest paths from many sources: each as the one from a single source is verified."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, NegativeCycle, OutOfMemory
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph
from tests.strategies import FEW, float_weights, graphs, signed_weights, small_weights


def check(G, sources=None, **options):
    found = gl.shortest_path_trees(G, sources, **options)
    sources = range(G.n) if sources is None else sources
    for x in found:
        assert x.shape == (len(sources), G.n)
    assert found.parent.dtype == "INT32"
    for row, source in enumerate(sources):
        distance, parent = (x[row, :].new() for x in found)
        gl.verify.sssp(G, source, distance, parent)


@on_edge_cases
def test_edge_cases(G):
    check(G, batch=3)


@FEW
@given(graphs(max_n=10, max_m=30, weights=small_weights), st.data())
def test_random_graphs_sources_and_batches(G, data):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), max_size=7))
    check(G, sources, batch=data.draw(st.integers(1, 8)))


@FEW
@given(graphs(max_n=10, max_m=30, weights=float_weights))
def test_weights_of_floats(G):
    check(G)


@FEW
@given(graphs(max_n=8, max_m=16, weights=signed_weights, kind="directed"))
def test_weights_of_any_sign(G):
    try:
        expected = gl.all_pairs_shortest_paths(G)
    except NegativeCycle:
        with pytest.raises(NegativeCycle):
            gl.shortest_path_trees(G)
    else:
        assert gl.shortest_path_trees(G).distance.isequal(expected, check_dtype=True)
        check(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(30, 90, dtype=dtype, high=100), [3, 9, 3])


def test_refused_before_work():
    G = random_graph(50, 90)
    with pytest.raises(OutOfMemory, match="shortest_path_trees of 50 x 50 distances"):
        gl.shortest_path_trees(G, max_bytes=30000)
    with pytest.raises(InvalidIndex, match="n=50"):
        gl.shortest_path_trees(G, [50])
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.shortest_path_trees(G, batch=0)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.shortest_path_trees(edges([0], [1], [np.nan], n=2))
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        gl.shortest_path_trees(G.A)
