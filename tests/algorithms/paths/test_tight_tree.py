"""The tree of tight edges, for lengths that are or are not yet distances."""

from __future__ import annotations

import numpy as np
from graphblas import Vector

from graphla.algorithms.paths.tight_tree import find_tight_tree
from tests.graphs import edges

FAR = 1000


def tree(G, lengths, source=0):
    d = Vector.from_dense(np.array(lengths, np.int64))
    reached = Vector.from_dense(np.array(lengths, np.int64), missing_value=FAR)
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
