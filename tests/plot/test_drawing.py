"""Drawings of small graphs."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DimensionMismatch, InvalidValue
from tests.graphs import random_graph
from tests.plot.rendering import count_colours

KINDS = ["directed", "undirected"]


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["spring", "spectral", "circle"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_vertex_and_edge_is_count_colours(layout, kind):
    G = random_graph(12, 30, kind=kind)
    axes = gl.plot.draw(G, layout=layout)
    (points,) = [c for c in axes.collections if len(c.get_offsets()) == 12]
    assert len(np.unique(points.get_offsets().round(9), axis=0)) == 12
    if kind == "directed":
        assert len(axes.texts) == G.nedges - G.nself_edges
    else:
        lines = [c for c in axes.collections if hasattr(c, "get_segments")]
        assert len(lines[0].get_segments()) == G.nedges
    assert count_colours(axes) > 2


def test_results_are_colours_and_missing_ones_grey():
    G = gl.Graph.from_edges([0, 1], [1, 2], n=5, kind="undirected")
    place = np.arange(10.0).reshape(5, 2)
    axes = gl.plot.draw(G, gl.bfs(G, 0).level, labels="abcde", layout=place)
    grey, coloured = axes.collections[1:3]
    assert grey.get_offsets().tolist() == place[3:].tolist()
    assert coloured.get_offsets().tolist() == place[:3].tolist()
    assert coloured.get_array().tolist() == [0, 1, 2]
    assert [text.get_text() for text in axes.texts] == list("abcde")
    same = gl.plot.draw(G, [0, 1, 2, 3, 4], layout=place)
    assert same.collections[2].get_array().tolist() == [0, 1, 2, 3, 4]


def test_the_spring_layout_is_that_of_its_seed():
    G = gl.generate.cycle(8)
    first, again, other = (
        gl.plot.draw(G, seed=seed).collections[1].get_offsets() for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_bad_arguments_of_draw():
    G = gl.generate.cycle(4)
    for call, error, match in [
        (lambda: gl.plot.draw(gl.generate.cycle(2001)), InvalidValue, "2,001 vertices are too"),
        (lambda: gl.plot.draw(G, [1, 2]), DimensionMismatch, "2 values for 4 vertices"),
        (lambda: gl.plot.draw(G, labels="ab"), DimensionMismatch, "2 labels for 4 vertices"),
        (lambda: gl.plot.draw(G, layout="tree"), InvalidValue, "'tree'"),
        (lambda: gl.plot.draw(G, layout=[[1, 2]]), DimensionMismatch, r"4 x 2, not \(1, 2\)"),
    ]:
        with pytest.raises(error, match=match):
            call()
