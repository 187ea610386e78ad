"""The start of a search, and the relaxation of the arcs of one vertex, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import DomainMismatch, InvalidIndex
from graphla.star import Slice, Weights
from graphla.star.paths import Paths


def weights(signed=False, bits=4):
    W = Weights(4, bits, signed=signed)
    for i, j, w in ((1, 2, 5), (1, 3, 2), (3, 2, -1 if signed else 1)):
        W[i, j] = w
    return W


@pytest.mark.parametrize("signed", [False, True])
def test_relaxations(signed):
    W = weights(signed)
    paths, every = Paths.start(W, 1, 4), ~Slice(4)
    distance, parent, reached = paths.to_numpy()
    assert (distance[0], parent[0], reached.tolist()) == (0, 1, [True, False, False, False])
    assert paths.relax(W, 1, every).to_string() == "0110"
    assert paths.relax(W, 3, every).to_string() == "0100"
    assert paths.relax(W, 3, every).to_string() == "0000"
    distance, parent, reached = paths.to_numpy()
    assert distance.tolist() == [0, 1 if signed else 3, 2, 0]
    assert parent.tolist() == [1, 3, 1, 0]
    assert reached.tolist() == [True, True, True, False]


def test_only_chosen_vertices_are_relaxed():
    paths = Paths.start(weights(), 1, 4)
    assert paths.relax(weights(), 1, Slice.from_numpy([0, 1, 0, 0])).to_string() == "0100"


def test_distances_wider_than_a_word_are_integers_of_python():
    W = weights(bits=60)
    paths = Paths.start(W, 1, 10)
    paths.relax(W, 1, ~Slice(4))
    distance, _, _ = paths.to_numpy()
    assert distance.dtype == object
    assert distance.tolist() == [0, 5, 2, 0]
    assert Paths.start(weights(), 1, 4).to_numpy()[0].dtype == np.int64


def test_refusals():
    with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
        Paths.start(Slice(3), 1, 2)
    with pytest.raises(InvalidIndex, match="source 5"):
        Paths.start(weights(), 5, 2)
