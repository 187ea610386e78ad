"""Numbers of vertices by degree, level and distance."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.errors import DomainMismatch
from tests.graphs import random_graph


def test_degrees():
    G = gl.Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2], n=6)
    axes = gl.plot.degree_distribution(G)
    out, into = axes.lines
    assert out.get_xydata().tolist() == [[1, 1], [3, 1]]
    assert into.get_xydata().tolist() == [[1, 2], [2, 1]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "out-degree (4 of degree 0)", "in-degree (3 of degree 0)",
    ]  # fmt: skip
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    symmetric = gl.plot.degree_distribution(gl.generate.cycle(5))
    assert [line.get_label() for line in symmetric.lines] == ["degree"]


def test_frontier():
    G = gl.generate.cycle(7)
    for level in (gl.bfs(G, 2), gl.bfs_levels(G, 2)):
        assert gl.plot.frontier(level).lines[0].get_xydata().tolist() == [
            [0, 1], [1, 2], [2, 2], [3, 2],
        ]  # fmt: skip
    with pytest.raises(DomainMismatch, match="float64"):
        gl.plot.frontier(gl.pagerank(G).rank)


def test_distances():
    G = random_graph(300, 900, dtype="int64")
    r = gl.sssp(G, 0)
    axes = gl.plot.distance_histogram(r, bins=10)
    assert sum(bar.get_height() for bar in axes.patches) == r.distance.nvals
    assert 1 <= len(axes.patches) <= 11
    assert axes.get_title() == f"{r.distance.nvals:,} of 300 vertices reached"
    narrow = gl.plot.distance_histogram(gl.bfs_levels(gl.generate.cycle(6), 0))
    assert [bar.get_height() for bar in narrow.patches] == [1, 2, 2, 1]
    floats = gl.plot.distance_histogram(gl.pagerank(G).rank, bins=7)
    assert len(floats.patches) == 7
