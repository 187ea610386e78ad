"""Every installed implementation is verified on small graphs."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import implementations
from graphla.interop.igraph import to_igraph as igraph_of
from tests.graphs import edge_cases, edges, random_graph

pytestmark = pytest.mark.usefixtures("no_garbage_collection")
SEQUENCE = list(ALGORITHMS)
DTYPES = [
    *(None, "int8"),
    *(pytest.param(t, marks=pytest.mark.slow) for t in ("uint64", "float32", "float64")),
]
REFUSED = {
    "needs integer weights",
    "ignores edges of weight 0",
    "defined on undirected graphs only",
    "ends the process on a graph without vertices",
}


def run(G, names=SEQUENCE):
    """Compare all implementations on a graph."""
    usable = [n for n in names if ALGORITHMS[n].start is None or G.A.nvals]
    return gl.compare(usable, G, sources=4, trials=1).rows


def check(rows):
    """Assert that all rows are verified or skipped with a known reason."""
    for row in rows:
        label = (row["algorithm"], row["implementation"], row["error"])
        if row["skipped"]:
            assert row["skipped"] in REFUSED, label
            assert row["trials_s"] == []
        else:
            assert row["verified"] is True, label
            assert len(row["trials_s"]) == 1, label


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize(
    "name",
    ["empty", "one loop", "isolated ends", "loops", "duplicates", "zero weights", "complete"],
)
def test_edge_cases(name, kind):
    check(run(edge_cases(kind)[name]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_random_graphs(kind, dtype):
    """Loops, isolated vertices, several components."""
    check(run(random_graph(60, 90, kind=kind, dtype=dtype)))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_real_weights(kind):
    G = random_graph(50, 200, kind=kind)
    rows, cols, _ = G.A.to_coo()
    weight = np.random.default_rng(0).random(rows.size)
    check(run(edges(rows, cols, weight, n=50, kind=kind)))


def test_negative_weights_are_refused_or_right():
    G = edges([0, 0, 1, 2], [1, 2, 3, 3], [4, 5, -1, -4], n=5)
    rows = run(G, ["bellman_ford", "sssp", "sssp_distances"])
    for row in rows:
        if row["algorithm"] == "bellman_ford":
            assert row["verified"] is True, row
        elif row["family"] == "peer":
            assert row["skipped"] == "needs weights >= 0; the smallest is -4"
        else:
            assert "NegativeWeight" in row["error"]


def test_every_peer_has_the_main_algorithms():
    known = {(i.name, i.algorithm) for i in implementations(engine="cpu")}
    for peer in ("scipy", "networkx", "igraph", "networkit", "rustworkx"):
        for algorithm in ("bfs", "sssp", "connected_components", "pagerank"):
            assert {
                (peer, a.name) for a in ALGORITHMS.values() if algorithm in (a.name, a.variant_of)
            } & known


def test_long_calls_are_refused():
    from graphla.comparison.peers import networkx, scipy

    class Large:
        n, nedges, kind, weighted = 2**20, 15_000_000, "undirected", False
        A = type("A", (), {"nvals": 30_000_000})

    assert networkx.slow(Large, 2e-5) == "would take about 10 minutes: 20 us an edge"
    assert networkx.slow(Large, 1e-6) is None
    Large.nedges *= 10
    assert "60 GB" in networkx.slow(Large, 1e-6)
    bellman_ford = next(i for i in scipy.IMPLEMENTATIONS if i.algorithm == "bellman_ford")
    assert "does not stop early" in bellman_ford.refuses(Large)
    assert igraph_of(gl.generate.karate()).ecount() == 78
