"""Axes: those of every plot, given ones, and none without matplotlib."""

from __future__ import annotations

import sys

import pytest
from matplotlib import pyplot

import graphla as gl
from graphla.errors import MissingPackage
from tests.graphs import edge_cases
from tests.plot.rendering import count_colours


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["empty", "no edges", "one loop", "isolated ends"])
def test_every_plot_of_tiny_graphs(name):
    G = edge_cases()[name]
    figure, grid = pyplot.subplots(5)
    gl.plot.degree_distribution(G, axes=grid[0])
    gl.plot.spy(G, axes=grid[1])
    gl.plot.draw(G, G.out_degree, layout="circle", axes=grid[2])
    if G.n:
        gl.plot.frontier(gl.bfs(G, 0), axes=grid[3])
        gl.plot.distance_histogram(gl.sssp(G, 0), axes=grid[4])
    assert count_colours(grid[0]) > 2
    assert figure.bbox.size.tolist() == [640, 480]


def test_axes_that_are_given_are_drawn_on():
    _, (left, right) = pyplot.subplots(1, 2)
    G = gl.generate.cycle(5)
    assert gl.plot.degree_distribution(G, axes=left) is left
    assert gl.plot.draw(G, axes=right) is right
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize(
    ("package", "match"),
    [("matplotlib.pyplot", "matplotlib: pip install 'graphla.plot"), ("networkx", "networkx: pip")],
)
def test_missing_packages(package, match, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match=match):
        gl.plot.draw(gl.generate.cycle(5))
