"""The STAR-machine in a comparison, on both engines."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.comparison import algorithms
from graphla.comparison.implementations import implementations
from graphla.core import memory
from tests.cuda.conftest import cuda_device  # noqa: F401
from tests.graphs import edge_cases, edges, random_graph

ALGORITHMS = ["transitive_closure", "sssp", "bellman_ford", "minimum_spanning_forest"]
NAMES = ["graphla", "star", "star-cuda"]


def entry(algorithm):
    return next(i for i in implementations(algorithm, "cpu") if i.name == "star")


def compared(algorithm, G, names=NAMES):
    rows = gl.compare(algorithm, G, sources=2, trials=2, implementations=names).rows
    return {row["implementation"]: row for row in rows}


@pytest.mark.thorough
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("dtype", [None, "int32"])
def test_both_engines_are_verified(algorithm, dtype):
    G = random_graph(70, 150, kind="undirected", dtype=dtype)
    rows = compared(algorithm, G)
    assert list(rows) == NAMES
    assert [row["error"] or row["verified"] for row in rows.values()] == [True] * 3
    assert [row["engine"] for row in rows.values()] == ["cpu", "cpu", "cuda"]
    assert [row["family"] for row in rows.values()] == ["algebraic", "associative", "associative"]


@pytest.mark.thorough
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(algorithm, kind):
    a, i = algorithms.ALGORITHMS[algorithm], entry(algorithm)
    graphs = [a.view(G) for G in edge_cases(kind).values() if a.fits(G) and (G.n or not a.start)]
    assert graphs
    for G in graphs:
        assert i.refuses(G) is None
        start = G.n - 1 if a.start else None
        a.verify(G, start, i.result(G, i.run(i.prepare(G), start)))


def test_the_results_are_those_of_the_algebra():
    G = random_graph(80, 200, kind="undirected", dtype="int16")
    results = {}
    for name in ALGORITHMS:
        i = entry(name)
        results[name] = i.result(G, i.run(i.prepare(G), 5))
    assert results["transitive_closure"].isequal(gl.transitive_closure(G))
    for name in ("sssp", "bellman_ford"):
        d = getattr(gl, name)(G, 5).distance
        assert results[name].distance.isequal(d.dup(dtype=results[name].distance.dtype))
    wanted = gl.minimum_spanning_forest(G).edges
    edges_found = results["minimum_spanning_forest"].edges
    assert all(x.isequal(y) for x, y in zip(edges_found, wanted, strict=True))


@pytest.mark.thorough
def test_negative_and_real_weights():
    G = edges([0, 0, 1, 2], [1, 2, 3, 3], [4, 5, -1, -4], n=5)
    assert compared("bellman_ford", G)["star"]["verified"] is True
    assert "NegativeWeight" in compared("sssp", G)["star"]["error"]
    G = edges([0, 1], [1, 2], [0.5, 1.5], n=3, kind="undirected")
    assert compared("sssp", G)["star"]["skipped"] == "needs integer weights"
    assert compared("minimum_spanning_forest", G)["star"]["verified"] is True


def test_too_large_graphs_are_refused(monkeypatch):
    n = 1000
    G = edges(np.arange(n - 1), np.arange(1, n), np.full(n - 1, 7), n=n, kind="undirected")
    assert entry("transitive_closure").refuses(G) is None
    assert entry("sssp").refuses(G) is None
    monkeypatch.setattr(memory, "available", lambda engine="cpu": 400_000)
    assert entry("transitive_closure").refuses(G) == (
        "two tables of 1,000 x 1,000 bits take 0.3 MB; 0.2 MB can be used"
    )
    assert "tables of 1,000 x 1,000 numbers of 4 bits take" in entry("sssp").refuses(G)
    row = compared("transitive_closure", G, ["star"])["star"]
    assert row["skipped"].startswith("two tables")
    monkeypatch.undo()
    large = edges([0, 1], [1, 2], [2**61, 1], n=3)
    assert entry("sssp").refuses(large) == "paths of 3 vertices may be longer than 2^62"
    long = edges([0], [10**7], n=10**7 + 1, kind="undirected")
    assert "would take about" in entry("minimum_spanning_forest").refuses(long)
