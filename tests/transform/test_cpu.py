"""The operations of engine "cpu" against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.transform import cpu
from tests.graphs import random_graph

G = random_graph(40, 150, dtype="int32", seed=4)
ROWS = [
    G.csr.indices[low:high].tolist()
    for low, high in zip(G.csr.indptr, G.csr.indptr[1:], strict=False)
]


def test_row_numbers():
    assert cpu.row_numbers(np.array([0, 2, 2, 3])).tolist() == [0, 0, 2]
    assert cpu.row_numbers(np.array([0, 2])).dtype == np.int32


def test_columns_are_appended_in_their_order():
    order = np.random.default_rng(1).permutation(40)
    place = np.argsort(order)
    found = cpu.permute(G, 40, place, order, None)
    A = G.A.to_dense(fill_value=0)[np.ix_(order, order)]
    assert cpu.matrix_from_rows(found, G.dtype).to_dense(fill_value=0).tolist() == A.tolist()


def test_largest_column_of_each_group():
    found = cpu.largest_columns(G.csr.indptr, G.csr.indices, 8)
    assert found.tolist() == [max(sum(ROWS[k : k + 8], [0])) for k in range(0, 40, 8)]


@pytest.mark.parametrize("width", [1, 5, 40])
def test_windows_with_the_most_columns(width):
    base = cpu.densest_windows(G.csr.indptr, G.csr.indices, width)
    for row, low in zip(ROWS, base.tolist(), strict=True):
        inside = [sum(b <= v < b + width for v in row) for b in (low, *row)]
        assert inside[0] == max(inside)
    assert (base[[not row for row in ROWS]] == 0).all()


def test_a_queue_from_several_seeds():
    path = gl.generate.path(5)
    found = cpu.breadth_first_order(path, [2, 0, 4], None)
    assert found.tolist() == [2, 1, 3, 0, 4]
    star = gl.Graph.from_edges([0, 0, 2, 2], [1, 2, 3, 4], kind="undirected")
    degree = star.out_degree.to_dense()
    assert cpu.breadth_first_order(star, [0], degree).tolist() == [0, 1, 2, 3, 4]
    assert cpu.breadth_first_order(star, [0], -degree).tolist() == [0, 2, 1, 3, 4]
