"""Vectors with all entries."""

from __future__ import annotations

import graphblas as gb
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.vectors import divide_or_zero, make_full_vector, make_index_vector
from tests.graphs import random_graph

G = random_graph(3, 3)


def test_full_vector():
    assert make_full_vector(G, INT64).to_dense().tolist() == [0, 0, 0]
    x = make_full_vector(G, FP64, 0.5, 2)
    assert x.dtype == "FP64"
    assert x.to_dense().tolist() == [0.5, 0.5]


def test_index_vector():
    x = make_index_vector(G, 5)
    assert x.dtype == "INT32"
    assert x.to_dense().tolist() == [0, 1, 2, 3, 4]
    assert make_index_vector(G, 2, INT64).dtype == "INT64"


def test_quotients_are_zero_unless_the_divisor_is_positive():
    x, y = gb.Vector.from_dense([1, 2, 3]), gb.Vector.from_coo([0, 1], [2, 0], size=3)
    quotient = divide_or_zero(x, y)
    assert quotient.dtype == "FP64"
    assert quotient.to_dense().tolist() == [0.5, 0.0, 0.0]
