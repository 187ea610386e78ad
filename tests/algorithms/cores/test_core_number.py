"""Core numbers and k-cores against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import (
    assert_vertex_values,
    from_networkx,
    of_networkx,
    random_graph,
    simple_networkx,
)
from tests.strategies import FEW, graphs, small_weights


def check(G):
    core = gl.core_number(G)
    assert_vertex_values(core, of_networkx(nx.core_number, simple_networkx(G)), dtype="INT64")


test_edge_cases = on_edge_cases(check)


test_a_fifth_of_the_atlas = on_atlas(check, step=5)


@given(graphs(max_n=16, max_m=80, weights=small_weights))
@FEW
def test_random_graphs_with_loops(G):
    check(G)


@given(graphs(max_n=16, max_m=80), st.integers(1, 9))
@FEW
def test_one_core(G, k):
    inside = gl.k_core(G, k)
    assert inside.dtype == "BOOL"
    assert set(inside.to_coo()[0].tolist()) == set(nx.k_core(simple_networkx(G), k))


test_weights_of_every_dtype = on_dtypes(check, n=60, m=300)


def test_hundreds():
    check(random_graph(500, 5000, kind="undirected"))
    check(from_networkx(nx.barabasi_albert_graph(500, 4, seed=1)))
    check(from_networkx(nx.path_graph(500)))


@pytest.mark.parametrize("k", [0, -1])
def test_no_core_below_one(k):
    with pytest.raises(InvalidValue, match="k="):
        gl.k_core(random_graph(3, 3), k)


def test_other_types_are_refused():
    with pytest.raises(DomainMismatch, match="k"):
        gl.k_core(random_graph(3, 3), 2.0)
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        gl.core_number(random_graph(3, 3).A)


def test_no_core_of_any_k():
    assert gl.k_core(random_graph(3, 3), 2**70).nvals == 0
