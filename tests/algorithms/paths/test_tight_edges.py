"""Edges on paths of given lengths."""

from __future__ import annotations

import graphblas as gb
from graphblas import semiring

from graphla.algorithms.paths.tight_edges import find_tight_edges


def test_equal_or_shorter():
    A = gb.Matrix.from_coo([0, 0, 1, 3], [1, 2, 2, 2], [4, 3, -2, 1], nrows=4, ncols=4)
    d = gb.Vector.from_coo([0, 1, 2], [0, 4, 3], size=4)
    tight = find_tight_edges(A, d, d)
    assert tight.dtype == "BOOL"
    assert [x.tolist() for x in tight.to_coo()] == [[0, 0], [1, 2], [True, True]]
    rows, columns, _ = find_tight_edges(A, d, d, semiring.any_le).to_coo()
    assert (rows.tolist(), columns.tolist()) == ([0, 0, 1], [1, 2, 2])
