"""Native components against the algebra, and their races."""

from __future__ import annotations

import pytest
from hypothesis import given

import graphla as gl
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs


def check(G):
    labels = gl.native.connected_components(G)
    assert labels.isequal(gl.connected_components(G), check_dtype=True)


test_edge_cases = on_edge_cases(check)


test_atlas = on_atlas(check)


@given(graphs(max_n=40, max_m=90))
def test_random_graphs(G):
    check(G)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize(
    "m", [20000, 120000, 200000], ids=["many components", "one giant", "long rows"]
)
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, m):
    G = random_graph(20000, m)
    labels = gl.connected_components(G)
    with threads(n):
        for _ in range(RUNS):
            assert gl.native.connected_components(G).isequal(labels)
