"""Graphs from and to igraph."""

from __future__ import annotations

import sys

import pytest

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    MissingPackage,
)
from tests.graphs import edge_cases

KINDS = ["directed", "undirected"]


@pytest.mark.parametrize("kind", KINDS)
def test_igraph_round_trip(kind):
    pytest.importorskip("igraph")
    for name, G in edge_cases(kind).items():
        labels = [f"v{k}" for k in range(G.n)]
        H = gl.interop.igraph.to_igraph(G, labels)
        assert (H.vcount(), H.ecount(), H.is_directed()) == (G.n, G.nedges, kind == "directed")
        back, names = gl.interop.igraph.from_igraph(H)
        assert names == labels or G.n == 0, name
        assert back.A.isequal(G.A), name


def test_igraph_parallel_edges_and_attributes():
    igraph = pytest.importorskip("igraph")
    H = igraph.Graph(3, [(0, 1), (1, 0), (1, 2)], edge_attrs={"weight": [3, 4, 5], "km": [1, 2, 9]})
    make = gl.interop.igraph.from_igraph
    assert make(H, dup="sum").graph.A[1, 0].new() == 7
    assert make(H, weight="km").graph.A[0, 1].new() == 1
    assert not make(H, weight="miles").graph.weighted
    assert make(H).labels is None
    both = gl.interop.igraph.to_igraph(make(H).graph, directed=True)
    assert (both.is_directed(), both.ecount()) == (True, 4)
    H.es["weight"] = [3, None, 5]
    for call, error, match in [
        (lambda: make(H, weight="km", dup=None), InvalidGraph, "twice"),
        (lambda: make(H), InvalidValue, "'weight'"),
        (lambda: make(3), DomainMismatch, "int is not an igraph.Graph"),
        (
            lambda: gl.interop.igraph.to_igraph(gl.Graph([[1]]), "ab"),
            DimensionMismatch, "2 labels for 1",
        ),
    ]:  # fmt: skip
        with pytest.raises(error, match=match):
            call()


def test_igraph_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingPackage, match="needs igraph: pip install igraph"):
        gl.interop.igraph.to_igraph(gl.Graph([[1]]))
