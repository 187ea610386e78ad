"""Reciprocity against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import DomainMismatch, InvalidGraph
from tests.every_graph import on_edge_cases
from tests.graphs import edges, random_graph, to_networkx
from tests.strategies import graphs, small_weights


def check(G):
    H = to_networkx(G).to_directed()
    if G.A.nvals:
        found = gl.reciprocity(G)
        assert type(found) is float
        assert found == pytest.approx(nx.reciprocity(H))
    each = nx.reciprocity(H, list(H)) if G.n else {}
    found = gl.vertex_reciprocity(G)
    assert found.dtype == "FP64"
    vertices, values = (x.tolist() for x in found.to_coo())
    expected = {v: x for v, x in each.items() if x is not None}
    assert dict(zip(vertices, values, strict=True)) == pytest.approx(expected)


test_edge_cases = on_edge_cases(check)


@given(graphs(max_m=60, weights=small_weights))
def test_random_graphs_with_loops(G):
    check(G)


def test_hundreds():
    check(random_graph(100, 3000, dtype="int8"))


def test_what_is_no_edge_and_no_graph_is_refused():
    with pytest.raises(InvalidGraph, match="n=4 vertices without edges"):
        gl.reciprocity(edges([], [], n=4))
    for function in (gl.reciprocity, gl.vertex_reciprocity):
        with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
            function(np.ones((2, 2)))
