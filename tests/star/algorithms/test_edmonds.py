"""Edmonds' branchings against NetworkX, and against all branchings of tiny graphs."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import DomainMismatch
from graphla.star import Arcs, Slice
from graphla.star.algorithms import edmonds
from tests.star.algorithms.edges import chosen, drawn_edges, listed
from tests.star.models import drawn


def branching(arcs):
    g = nx.MultiDiGraph()
    g.add_weighted_edges_from(arcs)
    return not arcs or nx.is_branching(g)


def best(arcs):
    """The greatest weight of a choice of at most one arc into each vertex without a cycle."""
    into = [[None, *(a for a in arcs if a[1] == v)] for v in {v for _, v, _ in arcs}]
    choices = ([a for a in choice if a] for choice in product(*into))
    return max(sum(w for *_, w in choice) for choice in choices if branching(choice))


def check(arcs, n, engine, greatest):
    E = listed(arcs, n, engine, capacity=len(arcs) + 1)
    found = chosen(E, edmonds(E))
    assert branching(found)
    assert all(w > 0 for *_, w in found)
    assert sum(w for *_, w in found) == greatest
    assert chosen(E, E.used) == arcs


@drawn
@given(n=st.integers(1, 5), m=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_tiny_graphs(n, m, seed):
    arcs = drawn_edges(n, m, seed, heaviest=9)
    check(arcs, n, "cpu", best(arcs))


def by_networkx(arcs):
    g = nx.DiGraph()
    for u, v, w in arcs:
        if u != v and w > g.get_edge_data(u, v, {"weight": 0})["weight"]:
            g.add_edge(u, v, weight=w)
    return int(nx.maximum_branching(g).size("weight")) if g else 0


@drawn
@given(n=st.integers(2, 40), degree=st.floats(0.5, 5), seed=st.integers(0, 2**32))
def test_random_graphs(n, degree, seed):
    arcs = drawn_edges(n, int(n * degree), seed)
    check(arcs, n, "cpu", by_networkx(arcs))


def test_every_engine(engine):
    arcs = drawn_edges(20, 60, 4)
    check(arcs, 20, engine, by_networkx(arcs))


def test_cycles_in_cycles(engine):
    """Heavy two-cycles, joined by lighter ones, and so on: every level is contracted."""
    n, arcs = 16, []
    for level in range(4):
        for u in range(0, n, 2 << level):
            v = u + (1 << level)
            arcs += [(u + 1, v + 1, 40 - 9 * level), (v + 1, u + 1, 41 - 9 * level)]
    check(arcs, n, engine, by_networkx(arcs))


def test_refusals():
    with pytest.raises(DomainMismatch, match="expected Arcs, not Slice"):
        edmonds(Slice(3))
    assert edmonds(Arcs(2, 0, 3)).n == 0
