"""Native label propagation: the labels of the algebra, in any number of threads."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import SymmetricStructureRequired
from graphla.native.cpu.communities import label_propagation as module
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx, hubs_and_isolated, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs


def check(G):
    """All sweeps in threads, or those of much work, give the labels of the algebra."""
    expected = gl.label_propagation(G)
    for little in (0, module.LITTLE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "LITTLE", little)
            label = gl.native.label_propagation(G)
        assert label.dtype == G.index_dtype
        assert label.isequal(expected)


test_edge_cases = on_edge_cases(check, kind="undirected")


test_atlas = on_atlas(check, step=5)


@given(graphs(kind="undirected", max_n=16, max_m=60, weights=float_weights))
def test_random_graphs_with_loops(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=40, m=100, kind="undirected")


def test_hundreds():
    check(random_graph(300, 700, kind="undirected", seed=1))
    check(from_networkx(nx.connected_caveman_graph(12, 8)))


def test_many_sweeps_and_hubs():
    check(gl.generate.grid(40, 30))
    check(hubs_and_isolated("undirected"))


@compiled
def test_a_long_path():
    n = 100_000
    G = edges(np.arange(n - 1), np.arange(1, n), n=n, kind="undirected")
    label = gl.native.label_propagation(G).to_dense()
    changes = np.flatnonzero(np.diff(label)) + 1
    starts, sizes = np.append(0, changes), np.diff([0, *changes, n])
    assert (label == np.repeat(starts, sizes)).all()
    assert sizes.min() >= 2  # a neighbour's label is always as frequent as one's own


@pytest.mark.parametrize("bounds", [(0, 32), (3, 29), (8, 16), (9, 15), (13, 13), (5, 24)])
def test_only_marks_within_the_bounds_are_taken(bounds):
    first, last = bounds
    rng = np.random.default_rng(first)
    order, words = rng.permutation(32).astype(np.int32), np.zeros(5, np.uint64)
    active, taken = words.view(np.bool_), np.empty(32, np.int32)
    active[:32] = before = rng.random(32) < 0.5
    n = module._take_active(active, words, order, first, last, taken)
    places = np.arange(first, last)[before[first:last]]
    assert taken[:n].tolist() == order[places].tolist()
    outside = (np.arange(32) < first) | (np.arange(32) >= last)
    assert active[:32].tolist() == (before & outside).tolist()


@compiled
@pytest.mark.parametrize("work", [1, 1 << 14])
def test_blocks_in_threads(work, monkeypatch):
    """One row each, or of vertices of several colours."""
    monkeypatch.setattr(module, "WORK_PER_BLOCK", work)
    G = gl.generate.grid(300, 300)
    expected = gl.native.label_propagation(G)
    with threads(3):
        assert gl.native.label_propagation(G).isequal(expected)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("make", [gl.generate.kronecker, gl.generate.uniform])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, make, monkeypatch):
    monkeypatch.setattr(module, "LITTLE", 0)
    G = make(11, seed=1)
    expected = gl.label_propagation(G)
    with threads(n):
        for _ in range(RUNS):
            assert gl.native.label_propagation(G).isequal(expected)


def test_a_directed_graph_that_is_symmetric_is_taken():
    src, dst = np.nonzero(~np.eye(5, dtype=bool))
    check(edges(src, dst, n=5))


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="label_propagation"):
        gl.native.label_propagation(edges([0, 1, 2], [1, 2, 0], n=3))
