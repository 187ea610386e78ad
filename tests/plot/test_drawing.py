"""Plots, tested by the contents of their Axes, not by pixels."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
from graphblas import Matrix
from matplotlib import pyplot

import graphla as gl
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue, MissingPackage
from graphla.plot.matrix import block_counts
from tests.graphs import edge_cases, random_graph

KINDS = ["directed", "undirected"]


@pytest.fixture(autouse=True)
def closed():
    """Draw without a display, and close all figures."""
    pyplot.switch_backend("Agg")
    yield
    pyplot.close("all")


def drawn(axes):
    """Render the figure, and return the number of colours of its picture."""
    canvas = axes.figure.canvas
    canvas.draw()
    return len(np.unique(np.asarray(canvas.buffer_rgba()).reshape(-1, 4), axis=0))


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
    assert drawn(grid[0]) > 2
    assert figure.bbox.size.tolist() == [640, 480]


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


# ---- spy


@pytest.mark.parametrize("size", [1, 3, 7, 10, 64])
@pytest.mark.parametrize("shape", [(10, 10), (10, 4), (3, 17)])
def test_blocks_count_every_entry_once(shape, size):
    rng = np.random.default_rng(size)
    dense = rng.random(shape) < 0.3
    rows, cols = np.nonzero(dense)
    A = Matrix.from_coo(rows, cols, 0.0, nrows=shape[0], ncols=shape[1])
    height, width = (-(-n // size) for n in shape)
    expected = np.add.reduceat(dense.astype(int), range(0, shape[0], height), axis=0)
    expected = np.add.reduceat(expected, range(0, shape[1], width), axis=1)
    np.testing.assert_array_equal(block_counts(A, size), expected)


def test_a_large_matrix_is_a_small_image():
    n = 1_000_000
    step = np.arange(n - 1)
    G = gl.Graph.from_edges(step, step + 1, n=n)
    tracemalloc.start()
    axes = gl.plot.spy(G, size=100)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    (image,) = axes.images
    assert image.get_array().shape == (100, 100)
    assert image.get_array().sum() == n - 1
    assert image.get_array().mask.sum() == 100 * 100 - 199  # the diagonal, and the one beside it
    assert axes.get_xlim() == (-0.5, n - 0.5)
    assert axes.get_ylim() == (n - 0.5, -0.5)
    assert peak < 200 * n  # bytes
    with pytest.raises(InvalidValue, match="size"):
        gl.plot.spy(G, size=0)


def test_a_small_matrix_is_shown_entry_by_entry():
    axes = gl.plot.spy(gl.Graph([[0, 1, 0], [0, 0, 2], [3, 0, 0]]))
    filled = axes.images[0].get_array().filled(0)
    assert filled.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]


# ---- draw


@pytest.mark.parametrize("layout", ["spring", "spectral", "circle"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_vertex_and_edge_is_drawn(layout, kind):
    G = random_graph(12, 30, kind=kind)
    axes = gl.plot.draw(G, layout=layout)
    (points,) = [c for c in axes.collections if len(c.get_offsets()) == 12]
    assert len(np.unique(points.get_offsets().round(9), axis=0)) == 12
    if kind == "directed":
        assert len(axes.texts) == G.nedges - G.nself_edges
    else:
        lines = [c for c in axes.collections if hasattr(c, "get_segments")]
        assert len(lines[0].get_segments()) == G.nedges
    assert drawn(axes) > 2


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
