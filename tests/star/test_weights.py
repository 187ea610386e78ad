"""Matrices of numbers against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue
from graphla.star import Arcs, Weights
from graphla.star.algorithms import kruskal
from tests.star.models import drawn


@drawn
@given(
    n=st.integers(1, 70), low=st.sampled_from([-9, -1, 0, 3]), bits=st.sampled_from([None, 12, 64])
)
def test_a_graph(engine, n, low, bits):
    rng = np.random.default_rng(n)
    has, values = rng.random((n, n)) < 0.2, rng.integers(low, 12, (n, n))
    i, j = has.nonzero()
    G = gl.Graph.from_edges(i, j, values[i, j], n=n)
    W = Weights.from_graph(G if engine == "cpu" else G.to("cuda"), bits=bits)
    assert (W.engine, W.signed) == (engine, bool((values[has] < 0).any()))
    found, there = W.to_numpy()
    assert (there == has).all()
    assert (found == np.where(has, values, 0)).all()
    turned, back = W.transpose().to_numpy()
    assert (turned == found.T).all()
    assert (back == has.T).all()
    here = W[1, n]
    assert here == (values[0, n - 1] if has[0, n - 1] else None)


@pytest.mark.parametrize("signed", [False, True])
def test_entries(engine, signed):
    W = Weights(5, 4, signed=signed, engine=engine)
    W[2, 5] = 7
    other = W.copy()
    W[2, 5] = -8 if signed else 15
    assert (W[2, 5], other[2, 5], W[5, 2]) == (-8 if signed else 15, 7, None)
    assert W.has(2).to_string() == "00001"
    del W[2, 5]
    assert W[2, 5] is None
    for value in (-9, 8) if signed else (-1, 16):
        with pytest.raises(InvalidValue, match=f"{value} is out of range"):
            W[1, 1] = value
    with pytest.raises(InvalidIndex, match=r"vertex 6 is out of range 1\.\.5"):
        W[6, 1] = 1
    with pytest.raises(InvalidIndex, match=r"vertex 6 is out of range 1\.\.5"):
        W[1, 6] = 1


def test_types_and_widths():
    with pytest.raises(DomainMismatch, match="weights must be integers, not FP64"):
        Weights.from_graph(gl.Graph.from_edges([0], [1], [0.5]))
    with pytest.raises(InvalidValue, match=r"weights 9\.\.9 need 4 bits, not bits=3"):
        Weights.from_graph(gl.Graph.from_edges([0], [1], [9]), bits=3)
    assert Weights.from_graph(gl.Graph.from_edges([0, 1], [1, 0], [3, -4])).bits == 3


@pytest.mark.parametrize("weight", [1, 3, 2**64 - 1])
def test_equal_weights_of_ones_take_no_further_bit(weight):
    G = gl.Graph.from_edges([0, 1], [1, 2], np.array([weight, weight], np.uint64))
    W = Weights.from_graph(G)
    assert W.bits == weight.bit_length()
    assert W[1, 2] == weight


def test_no_bits_and_no_graph_are_refused():
    with pytest.raises(InvalidValue, match="1 bit"):
        Weights(3, 0, signed=True)
    for cls in (Weights, Arcs):
        with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
            cls.from_graph(np.eye(3))
    with pytest.raises(DomainMismatch, match="Slice"):
        kruskal(Arcs.from_edges([1], [2], [3]), kept=[1])
