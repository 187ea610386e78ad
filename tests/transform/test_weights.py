"""Codes and ranks of weights, and their inverses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from tests import strategies
from tests.graphs import DTYPES, random_graph
from tests.transform.orders_and_forms import (
    equal_matrices,
    host,
)


def check_weights(G):
    """Codes and ranks have the order of the weights and decode to them."""
    H, (R, weights) = transform.weights_to_codes(G), transform.weights_to_ranks(G)
    w = host(G.A.to_coo()[2])
    code, rank = host(H.A.to_coo()[2]), host(R.A.to_coo()[2])
    assert code.dtype == f"u{w.itemsize}"
    assert rank.dtype == np.uint32
    by = np.argsort(w, kind="stable")
    for k in (code[by], rank[by]):
        assert ((k[1:] == k[:-1]) == (w[by][1:] == w[by][:-1])).all()
        assert (k[1:] >= k[:-1]).all()
    assert host(weights).tolist() == np.unique(w).tolist()
    for back in (
        transform.codes_to_weights(H, G.dtype),
        transform.ranks_to_weights(R, weights),
    ):
        assert back.kind == G.kind
        equal_matrices(back.A, G.A)


@given(strategies.graphs(weights=strategies.signed_weights))
def test_integer_weights(G):
    check_weights(G)


@given(strategies.graphs(weights=st.floats(allow_nan=False)))
def test_float_weights(G):
    check_weights(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_each_dtype(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return check_weights(random_graph(9, 20))
    info = np.finfo(dtype) if kind == "f" else np.iinfo(dtype)
    special = [info.max, info.min, 0, 1, *([np.inf, -np.inf, -info.tiny] if kind == "f" else [])]
    src = np.arange(len(special))
    return check_weights(gl.Graph.from_edges(src, src[::-1], np.array(special, dtype)))


def test_zeros_are_equal():
    G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], [0.0, -0.0, 1.0])
    for H in (transform.weights_to_codes(G), transform.weights_to_ranks(G).graph):
        a, b, c = host(H.A.to_coo()[2]).tolist()
        assert a == b < c
