"""The size of a closure, estimated before it is built."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla import Graph
from graphla.algorithms.closure.closure_size import choose_form, estimate_size, make_plan
from graphla.core import memory
from graphla.errors import DomainMismatch, OutOfMemory
from graphla.execution.push_pull import boolean_matrix_storage
from tests.algorithms.closure.test_transitive_closure import FORMS
from tests.every_graph import on_edge_cases
from tests.graphs import edges, random_graph


def path(n):
    return edges(range(n - 1), range(1, n), n=n)


def acyclic(n, m, seed=0):
    src, dst = np.random.default_rng(seed).integers(0, n, (2, m))
    return edges(np.minimum(src, dst)[src != dst], np.maximum(src, dst)[src != dst], n=n)


def estimated(G):
    condensed, height, _ = make_plan(G)
    return estimate_size(G, condensed, height)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "G",
    [
        random_graph(1000, 500),
        random_graph(1000, 1000, seed=1),
        random_graph(1000, 2000, seed=2),
        random_graph(1000, 8000, dtype="int8", seed=3),
        acyclic(1000, 1500),
        acyclic(1000, 8000),
        path(1000),
        random_graph(2500, 700, kind="undirected"),
    ],
)
def test_the_estimate_is_within_four_standard_errors(G):
    exact = gl.transitive_closure_squaring(G).nvals
    loops = G.n  # the estimate counts each vertex as reachable from itself
    assert exact * (1 - 4 * 0.18) < estimated(G) < (exact + loops) * (1 + 4 * 0.18)


def test_the_estimate_is_unbiased_over_many_graphs():
    graphs = [random_graph(300, 450, seed=s) for s in range(20)]
    exact = [gl.transitive_closure_squaring(G).nvals + 300 for G in graphs]
    ratio = np.mean([estimated(G) / e for G, e in zip(graphs, exact, strict=True)])
    assert 0.85 < ratio < 1.15


@on_edge_cases(kind="directed")
def test_plan_of_edge_cases(G):
    condensed, height, storage = make_plan(G)
    assert height.nvals == height.size == condensed.size.size
    assert storage == choose_form(G) == "bitmap"


def test_form_follows_the_density():
    n = 3000
    assert not boolean_matrix_storage(random_graph(n, 1)).is_small
    assert make_plan(random_graph(n, 3 * n)).form == choose_form(random_graph(n, 3 * n)) == "bitmap"
    assert (
        make_plan(random_graph(n, n // 2)).form == choose_form(random_graph(n, n // 2)) == "sparse"
    )


def test_heights_are_longest_paths_to_a_sink():
    assert make_plan(path(6)).height.to_dense().tolist() == [5, 4, 3, 2, 1, 0]


@pytest.mark.thorough
@pytest.mark.parametrize("closure", FORMS)
def test_what_exceeds_max_bytes_is_refused(closure):
    G = random_graph(1000, 5000)
    with pytest.raises(OutOfMemory, match=r"of 1,000 vertices.* about 1,000,000 bytes; 999 "):
        closure(G, max_bytes=999)
    with pytest.raises(MemoryError):
        closure(G, max_bytes=0)
    assert closure(G, max_bytes=1_000_000).nvals > 900_000


@pytest.mark.thorough
@pytest.mark.parametrize("closure", FORMS)
def test_a_closure_of_forty_gigabytes_is_refused_at_once(closure, monkeypatch):
    monkeypatch.setattr(memory, "available", lambda *_: 2**36)
    G = random_graph(200_000, 400_000)
    with pytest.raises(OutOfMemory, match=r"about 40,000,000,000 bytes; 34,359,738,368 "):
        closure(G)


def test_a_deep_graph_is_refused_by_its_depth(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda *_: 20_000_000)
    with pytest.raises(OutOfMemory, match=r"5,000 vertices, at least 1,2\d\d,\d\d\d entries"):
        make_plan(path(5000))


def test_a_small_result_of_a_large_graph_is_allowed():
    G = random_graph(100_000, 30_000)
    assert make_plan(G, max_bytes=10_000_000).form == "sparse"


def test_no_budget_is_needed_without_edges():
    G = Graph.from_edges(np.array([], int), np.array([], int), n=0)
    assert make_plan(G, max_bytes=0).form == "bitmap"


@pytest.mark.parametrize("function", ["condensed", "warshall", "linear", "squaring", "doubling"])
def test_a_matrix_is_refused(function):
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        getattr(gl, f"transitive_closure_{function}")(gl.Graph.from_edges([0], [1]).A)
