"""Tests that all implementations of one library are verified, or refuse with a known reason."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.implementations import implementations
from tests.graphs import edge_cases, edges, random_graph

CASES = ["empty", "one loop", "isolated ends", "loops", "duplicates", "zero weights", "complete"]
KINDS = ["directed", "undirected"]
REFUSED = {
    "needs integer weights",
    "ignores edges of weight 0",
    "defined on undirected graphs only",
    "ends the process on a graph without vertices",
}


def with_real_weights(kind):
    G = random_graph(50, 200, kind=kind)
    rows, cols, _ = G.A.to_coo()
    weight = np.random.default_rng(0).random(rows.size)
    return edges(rows, cols, weight, n=50, kind=kind)


def random(dtype, *marks):
    """Return a case with self-loops, isolated vertices and several components."""
    return pytest.param(
        lambda kind: random_graph(60, 90, kind=kind, dtype=dtype), id=f"random {dtype}", marks=marks
    )


GRAPHS = [
    *(
        pytest.param(lambda kind, n=name: edge_cases(kind)[n], id=name, marks=pytest.mark.thorough)
        for name in CASES
    ),
    *map(random, (None, "int8")),
    *(random(dtype, pytest.mark.thorough) for dtype in ("uint64", "float32", "float64")),
    pytest.param(with_real_weights, id="real weights", marks=pytest.mark.thorough),
]


def run(peer, G, names=None):
    """Compare the implementations of a library on a graph; return their rows."""
    pytest.importorskip(peer)
    known = {i.algorithm for i in implementations(engine="cpu") if i.name == peer}
    assert known
    usable = [
        name
        for name in ALGORITHMS
        if name in known & set(names or known) and (ALGORITHMS[name].start is None or G.A.nvals)
    ]
    return gl.compare(usable, G, sources=4, trials=1, implementations=[peer]).rows


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


def verification(peer):
    """Return a test of a library on edge cases and random graphs."""

    @pytest.mark.usefixtures("no_garbage_collection")
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("make", GRAPHS)
    def test(make, kind):
        check(run(peer, make(kind)))

    return test


def with_negative_weights():
    return edges([0, 0, 1, 2], [1, 2, 3, 3], [4, 5, -1, -4], n=5)


def check_negative_weights(peer):
    """Bellman and Ford's algorithm is right, and Dijkstra's is refused."""
    rows = run(peer, with_negative_weights(), ["bellman_ford", "sssp", "sssp_distances"])
    assert rows
    for row in rows:
        if row["algorithm"] == "bellman_ford":
            assert row["verified"] is True, row
        else:
            assert row["skipped"] == "needs weights >= 0; the smallest is -4"


def check_main_algorithms(peer):
    """There is an implementation, or one of a variant, of each main algorithm."""
    known = {i.algorithm for i in implementations(engine="cpu") if i.name == peer}
    for algorithm in ("bfs", "sssp", "connected_components", "pagerank"):
        assert {a.name for a in ALGORITHMS.values() if algorithm in (a.name, a.variant_of)} & known
