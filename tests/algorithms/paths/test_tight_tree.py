"""The tree of tight edges, for lengths that are or are not yet distances."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms.paths.tight_tree import find_tight_tree
from tests.graphs import edges
from tests.strategies import graphs

FAR = 1000


def tree(G, lengths, source=0, far=FAR):
    d = Vector.from_dense(np.array(lengths, np.int64))
    reached = Vector.from_dense(np.array(lengths, np.int64), missing_value=far)
    return find_tight_tree(G, d, reached, source).to_dense(fill_value=-1).tolist()


def test_growing_lengths():
    G = edges([0, 0, 1, 3], [1, 2, 2, 2], [2, 5, 1, 1], n=4)
    assert tree(G, [0, 2, 3, FAR]) == [0, 0, 1, -1]


def test_a_cycle_of_length_zero():
    G = edges([0, 1, 2, 3], [1, 2, 3, 2], [2, 1, 0, 0], n=4)
    assert tree(G, [0, 2, 3, 3]) == [0, 0, 1, 2]


def test_edges_among_unreached_vertices_are_left_out():
    G = edges([0, 2, 3], [1, 3, 2], [1, 0, -1], n=4)
    assert tree(G, [0, 1, FAR, FAR]) == [0, 0, -1, -1]


def test_an_edge_to_a_vertex_not_reached_yet_is_left_out():
    # the round that would reach 2, below zero, has not run
    G = edges([0, 1], [1, 2], [1, -8], n=3)
    assert tree(G, [0, 1, FAR]) == [0, 0, -1]


def test_lengths_drawn_below_by_a_cycle_have_no_tree():
    # 1 -> 2 -> 1 of weight -1 has gone around until no edge from 0 is tight
    G = edges([0, 1, 2], [1, 2, 1], [5, 1, -2], n=3)
    assert tree(G, [0, 3, 4]) == [0, -1, -1]


def test_the_largest_lengths_that_share_a_number_with_a_vertex():
    for length in (2**60 - 1, 2**60):  # of 8 vertices, of 3 bits each
        G = edges([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], np.array([1] * 5 + [length - 6]), n=8)
        assert tree(G, [0, 1, 2, 3, 4, 5, length - 1, 2**62], far=2**62) == [
            0,
            0,
            1,
            2,
            3,
            4,
            5,
            -1,
        ]


def test_integer_lengths_that_are_too_small_have_no_parents():
    G = edges([0, 1], [1, 2], [5, 5], n=3)
    assert tree(G, [0, 4, 9]) == [0, -1, 1]


@pytest.mark.parametrize("n", [2, 15, 16, 17, 100])
def test_few_vertices_reached(n):
    G = edges([0, 1, 1], [1, 0, 1], [3, 3, 1], n=n)
    assert tree(G, [0, 3] + [FAR] * (n - 2)) == [0, 0] + [-1] * (n - 2)


@pytest.mark.parametrize("loop", [None, 0, 1])
def test_a_source_alone_takes_no_operation(loop):
    weights = [3] if loop is None else [3, loop]
    G = edges([2, 0][: len(weights)], [0, 0][: len(weights)], weights, n=40)
    d = Vector.from_dense(np.array([0] + [FAR] * 39))
    reached = Vector.from_coo([0], [0], size=40)
    with gl.trace() as steps:
        parent = find_tight_tree(G, d, reached, 0)
    assert not list(steps)
    assert (parent.dtype, parent.to_coo()[0].tolist(), parent[0].new().value) == (
        G.index_dtype,
        [0],
        0,
    )


def test_few_vertices_reached_when_the_packed_matrix_exists():
    G = edges([0, 1, 1, *range(2, 39)], [1, 0, 1, *range(3, 40)], np.full(40, 3), n=40)
    gl.sssp(G, 2)
    assert any("make_room" in name for name in G.cached)
    assert tree(G, [0, 3] + [FAR] * 38) == [0, 0] + [-1] * 38


@given(graphs(max_n=40, max_m=120, weights=st.integers(1, 9)), st.data())
def test_random_graphs(G, data):
    """Weights of integers > 0 take the packed product."""
    source = data.draw(st.integers(0, G.n - 1))
    r = gl.sssp(G, source)
    gl.verify.sssp(G, source, r.distance, r.parent)
