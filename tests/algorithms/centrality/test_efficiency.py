"""Global and local efficiency against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import edges, from_networkx, random_graph, simple_networkx
from tests.strategies import graphs, small_weights


def check(G, **options):
    H = simple_networkx(G)
    found = gl.local_efficiency(G, **options), gl.global_efficiency(G)
    assert list(map(type, found)) == [float, float]
    assert found[0] == pytest.approx(nx.local_efficiency(H) if G.n else 0, rel=1e-12)
    assert found[1] == pytest.approx(nx.global_efficiency(H), rel=1e-12)


test_edge_cases = on_edge_cases(check, kind="undirected")


test_a_tenth_of_the_atlas = on_atlas(check, step=10)


@given(graphs(kind="undirected", max_n=14, max_m=70, weights=small_weights), st.integers(1, 99))
def test_random_graphs_with_loops_in_batches(G, batch):
    check(G, batch=batch)


def test_long_paths_among_neighbours():
    check(from_networkx(nx.wheel_graph(30)))
    check(random_graph(70, 600, kind="undirected"))


def test_directed_pairs():
    G = edges([0, 1], [1, 2], n=3)
    assert gl.global_efficiency(G) == pytest.approx((1 + 1 + 1 / 2) / 6)


def test_refused():
    with pytest.raises(SymmetricStructureRequired, match="local_efficiency"):
        gl.local_efficiency(edges([0, 1, 2], [1, 2, 0], n=3))
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.local_efficiency(random_graph(3, 3, kind="undirected"), batch=0)
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        gl.global_efficiency(random_graph(3, 3).A)
