"""Gabow's degree-constrained forests against all forests, and against a price on the degree."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import InvalidIndex, InvalidValue
from graphla.star.algorithms import gabow
from tests.star.algorithms.edges import chosen, drawn_edges, listed, network
from tests.star.models import drawn


def degree_of(forest, v):
    return sum(v in edge[:2] for edge in forest)


def spanning(forest, edges, n):
    f = network(forest, n)
    both = (nx.number_connected_components(g) for g in (f, network(edges, n)))
    return len({*both}) == 1 and (not forest or nx.is_forest(f))


def all_best(edges, n, v):
    """The least weight of a spanning forest for each degree of v."""
    size = n - nx.number_connected_components(network(edges, n))
    found = {}
    for forest in combinations(edges, size):
        if spanning(list(forest), edges, n):
            weight, d = sum(w for *_, w in forest), degree_of(forest, v)
            found[d] = min(weight, found.get(d, weight))
    return found


@drawn
@given(n=st.integers(1, 5), m=st.integers(0, 8), seed=st.integers(0, 2**32))
def test_tiny_graphs(n, m, seed):
    edges = drawn_edges(n, m, seed, heaviest=9)
    v = seed % n + 1
    E, model = listed(edges, n, "cpu", capacity=m + 1), all_best(edges, n, v)
    for degree in range(-1, m + 2):
        if degree in model:
            forest = chosen(E, gabow(E, v, degree))
            assert spanning(forest, edges, n)
            assert (sum(w for *_, w in forest), degree_of(forest, v)) == (model[degree], degree)
        else:
            with pytest.raises(InvalidValue, match=f"has {degree} edges of vertex {v}"):
                gabow(E, v, degree)
        if at_most := [w for d, w in model.items() if d <= degree]:
            forest = chosen(E, gabow(E, v, degree, exact=False))
            assert spanning(forest, edges, n)
            assert sum(w for *_, w in forest) == min(at_most)
            assert degree_of(forest, v) <= degree


def priced(edges, n, v, degree):
    """The least weight by duality: the best over a price for each edge of v (Lagrange)."""

    def value(price):
        g = network([(a, b, w + price * ((a == v) + (b == v))) for a, b, w in edges], n)
        return int(nx.minimum_spanning_tree(g).size("weight")) - price * degree

    return max(map(value, range(-21, 22)))


def check(engine, n, m, seed, degrees):
    edges = drawn_edges(n, m, seed, loops=False)
    edges += [(1, u, w) for u, _, w in drawn_edges(n, n, seed + 1) if u > 1]
    E = listed(edges, n, engine)
    for degree in degrees:
        forest = chosen(E, gabow(E, 1, degree))
        assert spanning(forest, edges, n)
        assert degree_of(forest, 1) == degree
        assert sum(w for *_, w in forest) == priced(edges, n, 1, degree)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_more_vertices(seed):
    check("cpu", 30, 80, seed, (2, 5, 9, 14))


def test_every_engine(engine):
    check(engine, 15, 40, 7, (2, 6))


def test_refusals():
    E = listed([(1, 2, 3)], 2, "cpu")
    with pytest.raises(InvalidIndex, match=r"vertex 3 is out of range 1\.\.2"):
        gabow(E, 3, 1)
    with pytest.raises(InvalidValue, match="no spanning forest has at most 0 edges of vertex 1"):
        gabow(E, 1, 0, exact=False)
