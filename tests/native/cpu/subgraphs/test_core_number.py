"""Native core numbers against the algebra and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import EngineMismatch
from graphla.native.cpu.subgraphs import core_number as module
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import (
    assert_vertex_values,
    edges,
    from_networkx,
    of_networkx,
    random_graph,
    simple_networkx,
)
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs


def in_threads(G, n):
    """Return the core numbers that n threads find, whatever the size of the graph."""
    with threads(n), pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGE", 0)
        return gl.native.core_number(G)


def check(G):
    core = gl.native.core_number(G)
    assert core.isequal(gl.core_number(G), check_dtype=True)
    assert in_threads(G, 2).isequal(core, check_dtype=True)
    assert_vertex_values(core, of_networkx(nx.core_number, simple_networkx(G)), dtype="INT64")


test_edge_cases = on_edge_cases(check)


test_atlas = on_atlas(check)


@given(graphs(max_n=16, max_m=80, weights=float_weights))
def test_random_graphs_with_loops(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=60, m=300)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_hundreds(kind):
    check(random_graph(500, 5000, kind=kind))


def test_skewed_degrees():
    check(from_networkx(nx.barabasi_albert_graph(500, 4, seed=1)))


def test_a_long_path_is_peeled_from_its_ends():
    G = gl.generate.path(10**5)
    for core in gl.native.core_number(G), in_threads(G, 2):
        assert (core.to_dense() == np.ones(G.n)).all()


def test_levels_between_core_numbers_are_passed_over():
    """A clique beside a path: no core number lies between 1 and 29."""
    clique, path = nx.complete_graph(30), nx.path_graph(40)
    G = from_networkx(nx.disjoint_union(clique, path))
    for core in gl.native.core_number(G), in_threads(G, 2):
        assert core.to_dense().tolist() == [29] * 30 + [1] * 40


def test_graphs_with_hubs_are_peeled_by_one_thread(monkeypatch):
    monkeypatch.setattr(module, "peel_in_threads", None)
    G = from_networkx(nx.star_graph(module.HUB + 1))
    assert (in_threads(G, 2).to_dense() == np.ones(G.n)).all()


def test_degrees_of_both_directions_make_a_hub(monkeypatch):
    monkeypatch.setattr(module, "peel_in_threads", None)
    n = module.HUB // 2 + 1  # edges in each direction
    ends, centre = np.arange(1, n + 1), np.zeros(n, int)
    G = edges(np.concatenate((centre, ends)), np.concatenate((ends, centre)), n=n + 1)
    assert (in_threads(G, 2).to_dense() == 2 * np.ones(G.n)).all()


def seeds_and_rings(groups):
    """Return the rows of a graph in which the first removals fill a thread's list.

    A group has 16 vertices of degree 252 and as many as their neighbours, none of which two of them
    share. Those are a ring in which each is joined to the 126 on each side. The core numbers are
    252.
    """
    degree, seeds = 252, 16
    size = seeds * degree
    steps = np.concatenate((np.arange(-126, 0), np.arange(1, 127)))
    ring = np.sort((np.arange(size)[:, None] + steps) % size, axis=1)
    first = seeds * groups  # of the vertices in rings
    rows = [np.arange(first, first + size * groups).reshape(-1, degree)]
    for group in range(groups):
        seed = group * seeds + np.arange(size)[:, None] // degree
        rows.append(np.hstack((seed, ring + first + group * size)))
    lengths = np.repeat([degree, degree + 1], [first, size * groups])
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    return indptr, np.concatenate([x.ravel() for x in rows]).astype(np.int32)


@compiled
def test_no_vertex_is_queued_twice(monkeypatch):
    """A block whose removals fill the list before all of its own vertices are removed."""
    indptr, indices = seeds_and_rings(groups=4)
    degree, n = np.diff(indptr), indptr.size - 1
    assert degree.max() <= module.HUB
    queues = []

    def with_longer_queue(left):
        queues.append(np.full(2 * n, -1, left.dtype))
        return queues[0]

    monkeypatch.setattr(module.np, "empty_like", with_longer_queue)
    with threads(2):
        left = np.arange(n, dtype=np.int32)
        module.peel_in_threads(indptr, indices, indptr, indices, False, degree, left, 2)
    assert (degree == 252).all()
    assert (queues[0] >= 0).sum() <= n


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, kind):
    """Many parts; in the grid, more vertices follow than a thread lists."""
    for G in (
        random_graph(20_000, 100_000, kind=kind, seed=1),
        gl.generate.grid(150, 100, holes=0.03, seed=1),
    ):
        expected = gl.native.core_number(G)
        for _ in range(RUNS):
            assert in_threads(G, n).isequal(expected)


def test_a_directed_graph_counts_an_edge_in_both_directions_twice():
    i, j = np.nonzero(~np.eye(4, dtype=bool))
    assert gl.native.core_number(edges(i, j, n=4)).to_dense().tolist() == [6] * 4


def test_one_direction_adds_to_the_degrees_of_both_ends():
    core = gl.native.core_number(edges([0, 1, 2, 2], [1, 2, 0, 3], n=5)).to_dense()
    assert core.tolist() == [2, 2, 2, 1, 0]


def test_the_graph_is_not_changed():
    G = random_graph(50, 200, kind="undirected")
    before = [x.copy() for x in G.csr[:2]]
    gl.native.core_number(G)
    assert all((x == y).all() for x, y in zip(before, G.csr[:2], strict=True))


def test_engine_cuda_has_no_kernel():
    from graphla.native import dispatch

    with pytest.raises(EngineMismatch, match=r"native\.core_number runs on engine 'cpu' only"):
        dispatch._kernel("core_number", "cuda")


def test_prefetches_read_no_index_beyond_the_last(monkeypatch):
    """Compiled code would read beyond the last entry without an error: Python runs it here."""
    G, neighbours = gl.generate.path(2 * module.AHEAD), []
    indptr, indices, _ = G.csr
    degree, queue = np.diff(indptr), np.arange(G.n)

    def note_neighbours(array, i):
        if array is degree:
            neighbours.append(i)

    monkeypatch.setattr(module, "prefetch", note_neighbours)
    prefetch_rows = getattr(module._prefetch_rows, "py_func", module._prefetch_rows)
    for head in range(G.n):
        prefetch_rows(indptr, indices, degree, queue, head, G.n)
    entries = indptr[module.AHEAD // 2 : -1, None] + np.arange(module.ROW)
    expected = indices[np.minimum(entries, indices.size - 1)]
    np.testing.assert_array_equal(neighbours, expected.ravel())


def test_vertices_without_edges():
    G = edges([], [], n=20)
    assert gl.native.core_number(G).to_dense().tolist() == [0] * 20
