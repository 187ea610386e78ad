"""The native search and the textbook's among what is compared."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import graphla as gl
from graphla.cli import app as cli
from graphla.comparison import implementations as known
from graphla.native import cuda
from tests.graphs import random_graph

runner = CliRunner()


@pytest.fixture(autouse=True)
def as_before():
    """Restore the registered implementations after the test."""
    before = dict(known._registered)
    yield
    known._registered.clear()
    known._registered.update(before)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["bfs", "sssp", "sssp_distances", "all_pairs_shortest_paths", "minimum_spanning_forest"]
)
@pytest.mark.parametrize("dtype", [None, "int32"])
def test_natives_are_verified(name, dtype):
    G = random_graph(30, 100, kind="undirected", dtype=dtype)
    (row,) = gl.compare(name, G, sources=2, trials=2, implementations=["native-cuda"]).rows
    assert (row["error"], row["verified"]) == (None, True)
    assert (row["engine"], row["family"]) == ("cuda", "native")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "connected_components",
        "pagerank",
        "pagerank_gap",
        "triangle_count",
        "betweenness_centrality",
        "transitive_closure",
    ],
)
def test_twins_are_verified(name):
    G = random_graph(30, 100, kind="undirected")
    (row,) = gl.compare(name, G, trials=2, implementations=["native-cuda"]).rows
    assert (row["error"], row["verified"]) == (None, True)
    assert (row["engine"], row["family"]) == ("cuda", "native")


@pytest.mark.thorough
@pytest.mark.parametrize("family", ["bfs", "forest", "sssp"])
def test_variants_are_compared_with_the_algebra(family):
    result = runner.invoke(
        cli.app,
        ["compare", "--variants", family, "--graph", "kron:5", "--sources", "1", "--trials", "1"],
        terminal_width=220,
    )
    assert result.exit_code == 0, result.output
    for name in (*(f"cuda {name}" for name in getattr(cuda, f"{family}_variants")), "graphla-cuda"):
        assert name in result.output


def test_unknown_variants():
    result = runner.invoke(cli.app, ["compare", "--variants", "sort", "--graph", "kron:5"])
    assert result.exit_code == 2
    assert "bfs" in result.output
