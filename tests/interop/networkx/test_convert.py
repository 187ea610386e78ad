"""Conversion of NetworkX graphs and back: attributes, order, parallel edges, views, weights."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

import graphla as gl
from graphla.errors import DomainMismatch, MissingPackage
from graphla.interop.networkx.convert import from_networkx, to_networkx
from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.differences import CALLS, differences, draw
from tests.interop.networkx.installed import nx


def weighted(kind=nx.Graph):
    G = kind(name="four")
    G.add_node("d", size=3)
    G.add_edge("b", "a", weight=2.5, colour="red")
    G.add_edge("a", "c")
    G.add_edge("c", "c", weight=4)
    if G.is_multigraph():
        G.add_edge("b", "a", key="second", weight=1)
    return G


def test_without_networkx(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(
        MissingPackage, match=r"from_networkx needs networkx: pip install 'graphla\[networkx\]'"
    ):
        gl.interop.networkx.from_networkx


@pytest.mark.parametrize("kind", KINDS.values())
def test_round_trip_keeps_all_attributes(kind):
    G = weighted(kind)
    H = to_networkx(from_networkx(G, nodes_too=True, edges_too=True))
    assert type(H) is kind
    assert nx.utils.graphs_equal(G, H)
    assert H.graph == G.graph


@pytest.mark.parametrize("kind", KINDS.values())
def test_attributes_are_copied(kind):
    G = weighted(kind)
    H = from_networkx(G, nodes_too=True, edges_too=True)
    G.nodes["d"]["size"] = 5
    for *_, data in G.edges(data=True):
        data.clear()
    H = to_networkx(H)
    assert H.nodes["d"] == {"size": 3}
    assert nx.utils.graphs_equal(H, weighted(kind))


def test_order_of_nodes_and_edges_is_kept():
    H = from_networkx(weighted(nx.DiGraph))
    assert H.nodes == ["d", "b", "a", "c"]
    assert list(zip(H.src.tolist(), H.dst.tolist(), strict=True)) == [(1, 2), (2, 3), (3, 3)]
    assert "b" in H
    assert "x" not in H
    assert [] not in H


def test_missing_weights_have_the_default():
    H = from_networkx(weighted(), edge_attrs={"weight": 7})
    assert to_networkx(H)["a"]["c"] == {"weight": 7}
    assert from_networkx(weighted(), edge_attrs={"none": 1}).graph("none").weighted is False


@pytest.mark.parametrize(("rule", "weight"), [("min", 1), ("sum", 3.5), ("max", 2.5)])
@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_parallel_edges(kind, rule, weight):
    H = from_networkx(weighted(kind), edge_attrs={"weight": 1})
    assert H.graph("weight", rule).A[1, 2].new().value == weight


def test_parallel_edges_without_weights_sum_to_their_number():
    G = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    H = from_networkx(G, edge_attrs={"weight": 1})
    assert H.graph("weight", "sum").A[0, 1].new().value == 2
    assert nx.pagerank(G, backend="graphla") == pytest.approx(nx.pagerank(G))


@pytest.mark.parametrize("bad", ["heavy", None, 1j, [1], 2**70])
def test_non_numeric_weights_are_refused(bad):
    G = nx.Graph()
    G.add_edge(0, 1, weight=bad)
    with pytest.raises(NotImplementedError):
        from_networkx(G, edge_attrs={"weight": 1})


def test_views_are_converted():
    G = nx.MultiDiGraph([(0, 1), (1, 2), (2, 0)])
    V = nx.subgraph_view(G, filter_edge=lambda u, v, k: u != 2)
    assert from_networkx(V).number_of_edges() == 2
    assert from_networkx(G.reverse(copy=False)).dst.tolist() == [2, 0, 1]


def edges(G, many=True):
    found = list(G.edges(keys=True) if G.is_multigraph() else G.edges)
    return found[:10] if many else found[:3]


VIEWS = {
    "subgraph": lambda G: G.subgraph("abcdefghmn"),
    "restricted": lambda G: nx.restricted_view(G, ["b"], edges(G, many=False)),
    "edges": lambda G: nx.edge_subgraph(G, [*edges(G), *edges(nx.subgraph(G, "afg"))]),
    "filtered": lambda G: nx.subgraph_view(G, filter_edge=lambda *e: {*e[:2]} != {"a", "c"}),
    "reversed": lambda G: G.reverse(copy=False) if G.is_directed() else G.copy(as_view=True),
    "undirected": lambda G: G.to_undirected(as_view=True),
    "directed": lambda G: G.to_directed(as_view=True),
    "view of a view": lambda G: nx.restricted_view(G, ["k"], []).subgraph("abcdefghijk"),
    "frozen": lambda G: nx.freeze(G.copy()),
}


@pytest.mark.thorough
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", KINDS)
def test_views(kind, view):
    answered, wrong = differences(VIEWS[view](draw(kind, [1, 2, 3])))
    assert not wrong
    refused = view == "undirected" and KINDS[kind]().is_directed()  # weights differ by direction
    assert len(answered) > 12 or refused


@pytest.mark.parametrize("kind", ["graph", "multi"])
def test_asymmetric_undirected_views_are_refused(kind):
    G = draw(kind, [1, 2])
    view = nx.subgraph_view(G, filter_edge=lambda *e: e[0] <= e[1])
    assert differences(view) == (set(), [])
    with pytest.raises(NotImplementedError, match="two ends"):
        from_networkx(view)


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_undirected_views_with_asymmetric_weights(kind):
    D = kind([("a", "b", {"weight": 1}), ("b", "a", {"weight": 5}), ("b", "f", {"weight": 2})])
    view = D.to_undirected(as_view=True)
    calls = [(name, x) for name, x in CALLS if "weight" in x.values() or "dijkstra" in name]
    assert differences(view, calls)[1] == []
    assert from_networkx(D.to_undirected()).number_of_edges() == 2


WEIGHTS = {
    "text": ["1", "2"],
    "none": [1, None],
    "fraction": [Fraction(1, 3), Fraction(2, 3)],
    "decimal": [Decimal(1), Decimal("2.5")],
    "complex": [1, 1j],
    "nan": [1.0, math.nan],
    "infinite": [1.0, math.inf],
    "negative": [-1, 2, 3],
    "zero": [0, 1],
    "bool": [True, False],
    "mixed": [1, 2.5, True],
    "large": [2**62, 2**62 + 1],
    "unsigned": [1, 2**63 + 1],
    "huge": [1, 2**70],
    "inexact": [0.5, 2**53 + 1],
}


@pytest.mark.thorough
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
def test_weights(kind, weights):
    answered, wrong = differences(draw(kind, WEIGHTS[weights]))
    assert not wrong
    assert {"connected_components", "descendants_at_distance"} & answered


@pytest.mark.parametrize("weights", ["unsigned", "inexact", "huge"])
def test_integers_without_an_exact_dtype_are_refused(weights):
    G = draw("graph", WEIGHTS[weights])
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(G, "a", backend="graphla")


@pytest.mark.parametrize("wanted", ["weight", ["weight"]])
@pytest.mark.parametrize("option", ["edge_attrs", "node_attrs"])
def test_attributes_are_a_dict(option, wanted):
    with pytest.raises(DomainMismatch, match=f"{option} is a dict"):
        from_networkx(nx.path_graph(3), **{option: wanted})


def test_a_graph_of_graphla_is_not_converted_back():
    with pytest.raises(DomainMismatch, match="from_scipy_sparse_array"):
        to_networkx(gl.generate.karate())
