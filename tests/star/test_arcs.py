"""Lists of arcs: how they are made, searched and changed."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex, InvalidValue
from graphla.star import Arcs


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_a_graph(engine, kind):
    G = gl.Graph.from_edges([0, 4, 2, 3], [1, 1, 2, 0], [7, 5, 9, 1], n=6, kind=kind)
    E = Arcs.from_graph(G if engine == "cpu" else G.to("cuda"), capacity=5)
    assert (E.n, E.engine, E.capacity, E.weight.bits) == (6, engine, 5, 4)
    rows = [(*E.ends(r), int(E.weight.row(r))) for r in E.used.positions().tolist()]
    turned = kind == "undirected"
    wanted = [(1, 2, 7), (2, 5, 5), (1, 4, 1)] if turned else [(1, 2, 7), (5, 2, 5), (4, 1, 1)]
    assert sorted(rows) == sorted([*wanted, (3, 3, 9)])


def test_unweighted():
    E = Arcs.from_graph(gl.Graph.from_edges([0, 1], [1, 2]))
    assert E.weight.to_integers().tolist() == [1, 1]
    assert Arcs.from_edges([], []).capacity == 0


def test_searches(engine):
    E = Arcs.from_edges([1, 2, 2, 3], [2, 1, 2, 1], [1, 2, 3, 0], engine=engine)
    assert E.leaving(2).to_string() == "0110"
    assert E.entering(1).to_string() == "0101"
    assert E.touching(2).to_string() == "1110"
    assert E.touching(2, E.leaving(1)).to_string() == "1000"
    assert (E.ends(4), E.across(4, 1), E.across(4, 3)) == ((3, 1), 3, 1)
    assert (E.find(2, 1), E.find(1, 2), E.find(1, 3)) == (2, 1, 0)


def test_changes(engine):
    E = Arcs.from_edges([1, 2], [2, 3], [3, 1], capacity=3, engine=engine)
    before = E.copy()
    assert E.insert(3, 1, 2) == 3
    E.delete(2)
    assert E.insert(1, 3, 0) == 2
    assert (E.ends(2), int(E.weight.row(2)), E.find(2, 3)) == ((1, 3), 0, 0)
    assert (before.ends(2), before.used.to_string()) == ((2, 3), "110")
    with pytest.raises(InvalidValue, match="all 3 rows are in use"):
        E.insert(1, 2, 0)


def test_refusals():
    E = Arcs(3, 2, 2)
    for ends in ((0, 1), (1, 4)):
        with pytest.raises(InvalidIndex, match=r"is out of range 1\.\.3"):
            E.insert(*ends, 1)
        with pytest.raises(InvalidIndex, match=r"is out of range 1\.\.3"):
            Arcs.from_edges([ends[0]], [ends[1]], n=3)
    for w in (-1, 4):
        with pytest.raises(InvalidValue, match=f"weight {w} is out of range"):
            E.insert(1, 2, w)
        with pytest.raises(InvalidValue, match=f"{w} does not fit 2 bits"):
            Arcs.from_edges([1], [2], [w], bits=2)
    assert not E.used
    with pytest.raises(DimensionMismatch, match="2 src, 2 dst and 1 weights"):
        Arcs.from_edges([1, 2], [2, 1], [1])
    with pytest.raises(DimensionMismatch, match="2 arcs do not fit capacity=1"):
        Arcs.from_edges([1, 2], [2, 1], capacity=1)
    with pytest.raises(DomainMismatch, match="weight must be integers, not float64"):
        Arcs.from_edges([1], [2], np.array([0.5]))
