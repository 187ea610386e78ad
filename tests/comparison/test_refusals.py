"""Reasons why an implementation is left out."""

from __future__ import annotations

import networkx as nx

from graphla.comparison.refusals import (
    MAX_SECONDS,
    directed,
    intersection_steps,
    negative_weights,
    too_long,
)
from tests.graphs import edges, random_graph, to_networkx


def test_steps_of_intersections():
    G = random_graph(30, 90, kind="undirected")
    H = nx.Graph(to_networkx(G))
    degree = {v: len(H[v]) for v in H}  # a self-loop is one entry of its row
    assert intersection_steps(G) == sum(min(degree[u], degree[v]) for u, v in H.edges)
    assert intersection_steps(edges([], [], n=3, kind="undirected")) == 0


def test_long_calls():
    assert too_long(MAX_SECONDS, "slow") is None
    assert too_long(2 * MAX_SECONDS, "slow") == "would take about 10 minutes: slow"


def test_directed_graphs():
    assert directed(edges([0], [1], n=2)) == "defined on undirected graphs only"
    assert directed(edges([0], [1], n=2, kind="undirected")) is None


def test_negative_weights():
    assert negative_weights(edges([0], [1], [-2], n=2)) == "needs weights >= 0; the smallest is -2"
    for weight in ([0], None):
        assert negative_weights(edges([0], [1], weight, n=2)) is None
    assert negative_weights(edges([], [], [], n=2)) is None
