"""Renumbered graphs: exact matrices, their inverses, and reference orders."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from tests import strategies
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph, to_scipy
from tests.transform.orders_and_forms import (
    EVERY,
    ORDERS,
    equal_matrices,
    host,
)


def check_order(G, name):
    """The matrix is P A P', its rows ascend, and it can be undone."""
    H, permutation = ORDERS[name](G)
    assert (H.kind, H.dtype, H.engine) == (G.kind, G.dtype, G.engine)
    order = host(permutation.order)
    assert len(set(order.tolist())) == H.n == order.size
    i, j, x = map(host, G.A.to_coo())
    place = host(permutation.place)
    assert (place[order] == np.arange(H.n)).all()
    assert (np.delete(place, order) == -1).all()
    by = np.lexsort((place[j], place[i]))
    a, b, y = map(host, H.A.to_coo())
    assert (a.tolist(), b.tolist()) == (place[i][by].tolist(), place[j][by].tolist())
    assert y.tolist() == x[by].tolist()
    equal_matrices(permutation.restore(H).A, G.A)
    return H, permutation


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDERS)
@on_edge_cases
def test_orders_of_edge_cases(name, G):
    check_order(G, name)


@pytest.mark.parametrize("name", ORDERS)
@given(G=EVERY)
def test_orders(name, G):
    check_order(G, name)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    for name in ORDERS:
        check_order(random_graph(30, 80, dtype=dtype), name)


def check_degrees(G, cut):
    H, permutation = transform.by_degree(G, cut=cut)
    degree = host(H.out_degree.to_dense())
    assert (degree[1:] <= degree[:-1]).all()
    order = host(permutation.order)
    same = degree[1:] == degree[:-1]
    assert (order[1:][same] > order[:-1][same]).all()
    touched = np.unique(np.concatenate([host(x) for x in G.A.to_coo()[:2]]))
    assert H.n == (touched.size if cut else G.n)


@given(EVERY, st.booleans())
def test_degrees_descend(G, cut):
    check_degrees(G, cut)


def queue_order(G, by_degree):
    """Return the order of a textbook search with a queue."""
    neighbours = [set() for _ in range(G.n)]
    for i, j in zip(*(host(x).tolist() for x in G.A.to_coo()[:2]), strict=True):
        neighbours[i].add(j)
        neighbours[j].add(i)

    def key(v):
        return (len(neighbours[v]) if by_degree else 0, v)

    found, seen = [], set()
    for seed in sorted(range(G.n), key=key):
        if seed in seen:
            continue
        queue = [seed]
        seen.add(seed)
        for u in queue:
            new = sorted(neighbours[u] - seen, key=key)
            queue += new
            seen.update(new)
        found += queue
    return found[::-1] if by_degree else found


def check_sweeps(G):
    order = host(transform.breadth_first(G).permutation.order)
    assert order.tolist() == queue_order(G, by_degree=False)
    order = host(transform.reverse_cuthill_mckee(G).permutation.order)
    assert order.tolist() == queue_order(G, by_degree=True)


@given(strategies.graphs(max_n=40, max_m=60))
def test_sweeps(G):
    check_sweeps(G)


@given(strategies.graphs(kind="undirected", max_n=14, max_m=30))
def test_reverse_cuthill_mckee_is_scipys(G):
    """SciPy's, once its sort of the degrees is stable; it counts a self-loop twice."""
    G = gl.Graph(G.A.select("offdiag").new(), kind="undirected")
    with patch("numpy.argsort", partial(np.argsort, kind="stable")):
        found = ss.csgraph.reverse_cuthill_mckee(ss.csr_matrix(to_scipy(G)), symmetric_mode=True)
    assert transform.reverse_cuthill_mckee(G).permutation.order.tolist() == found.tolist()


def test_bandwidth_of_a_shuffled_grid():
    G = transform.renumber(
        gl.generate.grid(20, 20), np.random.default_rng(1).permutation(400)
    ).graph
    H = transform.reverse_cuthill_mckee(G).graph

    def bandwidth(G):
        i, j, _ = G.A.to_coo()
        return np.abs(i.astype(np.int64) - j.astype(np.int64)).max()

    assert bandwidth(H) < bandwidth(G)
