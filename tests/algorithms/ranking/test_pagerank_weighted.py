"""PageRank by weights, with restarts, against NetworkX."""

from __future__ import annotations

import graphblas as gb
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    ConvergenceFailure,
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    NegativeWeight,
)
from tests.every_graph import on_dtypes
from tests.graphs import edge_cases, edges, random_graph, to_networkx
from tests.strategies import FEW, graphs, small_weights

TIGHT = {"tol": 1e-9, "max_iter": 1000}


def check(G, damping=0.85, **distributions):
    r = gl.pagerank_weighted(G, damping=damping, **distributions, **TIGHT)
    assert r.rank.dtype == "FP64"
    assert r.rank.nvals == G.n
    assert r.residual < G.n * TIGHT["tol"]
    options = {
        "nstart" if name == "start" else name: x.to_dict() for name, x in distributions.items()
    }
    expected = nx.pagerank(to_networkx(G), alpha=damping, **options, **TIGHT)
    found = r.rank.to_dense()
    np.testing.assert_allclose(found, [expected[v] for v in range(G.n)], rtol=1e-8, atol=1e-13)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind):
    check(edge_cases(kind)[name])


def test_no_vertices():
    r = gl.pagerank_weighted(edges([], [], n=0))
    assert (r.rank.size, r.iterations, r.residual) == (0, 0, 0.0)


@FEW
@given(graphs(max_n=15, max_m=50, weights=small_weights), st.floats(0, 0.9))
def test_random_graphs(G, damping):
    check(G, damping)


@FEW
@given(graphs(max_n=12, max_m=30, weights=small_weights), st.data())
def test_distributions(G, data):
    def draw():
        some = st.dictionaries(st.integers(0, G.n - 1), st.integers(1, 9), min_size=1)
        return gb.Vector.from_dict(data.draw(some), size=G.n)

    check(G, personalization=draw(), dangling=draw(), start=draw())
    check(G, personalization=draw())


test_weights_of_every_dtype = on_dtypes(check, n=50, m=120)


def test_without_weights_it_is_pagerank():
    G = random_graph(100, 300, seed=1)
    expected = gl.pagerank(G, tol=1e-12, max_iter=1000).rank.to_dense()
    found = gl.pagerank_weighted(G, tol=1e-14, max_iter=1000).rank.to_dense()
    np.testing.assert_allclose(found, expected, atol=1e-11)


def test_not_converged_keeps_the_work():
    G = random_graph(50, 200)
    with pytest.raises(ConvergenceFailure, match=r"pagerank_weighted.*max_iter=3") as failure:
        gl.pagerank_weighted(G, tol=1e-15, max_iter=3)
    assert failure.value.result.nvals == G.n


@pytest.mark.parametrize("name", ["personalization", "dangling", "start"])
def test_bad_distributions_are_refused(name):
    G = random_graph(3, 3)
    with pytest.raises(DimensionMismatch, match=f"{name} is of length 4, not n=3"):
        gl.pagerank_weighted(G, **{name: gb.Vector.from_dense(np.ones(4))})
    for values in ([0.0, 0.0, 0.0], [1.0, -1.0, 3.0], [1.0, np.inf, 0.0], [1.0, np.nan, 0.0]):
        with pytest.raises(InvalidValue, match=name):
            gl.pagerank_weighted(G, **{name: gb.Vector.from_dense(np.array(values))})


def test_bad_arguments_are_refused():
    G = random_graph(3, 3)
    for bad in ({"damping": 1.0}, {"tol": 0}, {"max_iter": 0}):
        with pytest.raises(InvalidValue, match=next(iter(bad))):
            gl.pagerank_weighted(G, **bad)
    with pytest.raises(DomainMismatch, match="max_iter"):
        gl.pagerank_weighted(G, max_iter=2.0)
    with pytest.raises(NegativeWeight, match="-1"):
        gl.pagerank_weighted(edges([0], [1], [-1], n=2))
    for weight in (np.nan, np.inf):
        with pytest.raises(InvalidValue, match="pagerank_weighted"):
            gl.pagerank_weighted(edges([0], [1], [weight], n=2))
    with pytest.raises(InvalidValue, match="sums of weights"):  # ranks summed to less than 1
        gl.pagerank_weighted(edges([0, 0], [1, 2], [1e308, 1e308], n=3))
    for wrong in ([1, 1, 1], np.ones(3)):
        with pytest.raises(DomainMismatch, match="personalization must be a Vector"):
            gl.pagerank_weighted(G, personalization=wrong)
