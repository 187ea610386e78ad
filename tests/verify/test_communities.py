"""Colourings, stable labels, and communities with their modularity."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import graphla as gl
from graphla import verify
from graphla.errors import InvalidValue, SymmetricStructureRequired
from tests.graphs import edge_cases, edges, random_graph, simple_networkx, to_networkx
from tests.oracles import assert_rejected, corrupted, vector
from tests.strategies import graphs, small_weights

TWO_TRIANGLES = edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], n=7, kind="undirected")
STABLE = {0: 0, 1: 0, 2: 0, 3: 3, 4: 3, 5: 3, 6: 6}


def is_greedy(H, color):
    """Say whether a colouring is proper and each vertex sees all smaller colours."""
    return all(
        color[v] not in (seen := {color[u] for u in H[v]}) and set(range(color[v])) <= seen
        for v in H
    )


@given(st.data(), graphs(kind="undirected", max_n=9, max_m=30))
def test_colourings_are_accepted_if_they_are_greedy(data, G):
    H = simple_networkx(G)
    order = data.draw(st.permutations(list(H)))
    color = nx.greedy_color(H, strategy=lambda *_: order)
    verify.greedy_color(G, vector(color, G.n))
    other = data.draw(corrupted(color, G.n, st.integers(-1, G.n)))
    if len(other) == G.n and min(other.values()) >= 0 and is_greedy(H, other):
        verify.greedy_color(G, vector(other, G.n))
    else:
        assert_rejected(verify.greedy_color, G, vector(other, G.n), match="color|colour")


def test_wrong_colourings_are_named():
    def rejected(colors, match):
        values = dict(enumerate(colors))
        assert_rejected(verify.greedy_color, TWO_TRIANGLES, vector(values, 7), match=match)

    verify.greedy_color(TWO_TRIANGLES, gl.greedy_color(TWO_TRIANGLES))
    rejected([0, 1, 1, 0, 1, 2, 0], "the neighbours 1 and 2 have the same colour, 1")
    rejected([0, 1, 2, 0, 1, 2, 1], r"color\[6\] is 1; its neighbours have only 0 smaller colours")


def is_stable(G, label):
    H, n = simple_networkx(G), G.n
    smallest = {x: min(v for v in range(n) if label[v] == x) for x in label.values()}
    if any(x != smallest[x] for x in label.values()):
        return False
    counts = {v: [sum(label[u] == x for u in H[v]) for x in range(n)] for v in H}
    parts = {v: part for part in map(frozenset, nx.connected_components(H)) for v in part}
    return all(counts[v][label[v]] == max(counts[v]) and label[v] in parts[v] for v in H)


@given(st.data(), graphs(kind="undirected", max_n=7, max_m=30))
def test_labels_are_accepted_if_they_are_stable(data, G):
    verify.label_propagation(G, gl.label_propagation(G))
    values = st.integers(0, G.n - 1)
    label = dict(enumerate(data.draw(st.lists(values, min_size=G.n, max_size=G.n))))
    if is_stable(G, label):
        verify.label_propagation(G, vector(label, G.n))
    else:
        assert_rejected(verify.label_propagation, G, vector(label, G.n), match=r"community\[")


def test_wrong_labels_are_named():
    def rejected(changes, match):
        label = vector({**STABLE, **changes}, 7)
        assert_rejected(verify.label_propagation, TWO_TRIANGLES, label, match=match)

    verify.label_propagation(TWO_TRIANGLES, vector(STABLE, 7))
    rejected({3: 4, 4: 4, 5: 4}, r"community\[3\] is 4; the smallest vertex with that label is 3")
    rejected({6: 0}, r"community\[6\] is 0, a vertex of another component")
    rejected({1: 1}, r"community\[1\] is 1, that of 0 neighbours; another one is that of 2")
    rejected({5: 7}, "not in 0..n-1")
    missing = {v: x for v, x in STABLE.items() if v != 2}
    assert_rejected(
        verify.label_propagation, TWO_TRIANGLES, vector(missing, 7), match=r"\[2\] has no entry"
    )


def modularity_of(G, label, resolution):
    parts = {}
    for v, x in label.items():
        parts.setdefault(x, set()).add(v)
    return nx.community.modularity(to_networkx(G), parts.values(), resolution=resolution)


@given(
    st.data(),
    graphs(weights=small_weights, max_n=8, max_m=30),
    st.sampled_from([0.5, 1.0, 1.7]),
)
def test_modularities_are_those_of_the_communities(data, G, resolution):
    assume(G.A.nvals and G.max_weight > 0)
    label = gl.louvain(G, resolution=resolution).community.to_dense().tolist()
    modularity = modularity_of(G, dict(enumerate(label)), resolution)
    verify.louvain(G, vector(dict(enumerate(label)), G.n), modularity, resolution=resolution)
    off = data.draw(st.sampled_from([-1.0, -1e-6, 1e-6, 1.0, np.nan]))
    assert_rejected(
        verify.louvain, G, vector(dict(enumerate(label)), G.n), modularity + off,
        resolution=resolution, match="the modularity is",
    )  # fmt: skip


def test_communities_without_weight_without_modularity_or_with_less_than_single_vertices():
    for G in edge_cases("undirected").values():
        verify.louvain(G, *gl.louvain(G))
    zero = edges([0, 1], [1, 2], [0, 0], n=3)
    verify.louvain(zero, vector({0: 0, 1: 1, 2: 2}, 3), 0.0)
    square = edges([0, 1, 2, 3], [1, 2, 3, 0], n=4, kind="undirected")
    verify.louvain(square, vector({0: 0, 1: 0, 2: 2, 3: 2}, 4))
    opposite = vector({0: 0, 1: 1, 2: 0, 3: 1}, 4)
    assert_rejected(verify.louvain, square, opposite, match="single vertices have -0.25")
    other = vector({0: 0, 1: 0, 2: 2, 3: 3, 4: 3, 5: 3, 6: 0}, 7)
    assert_rejected(verify.louvain, TWO_TRIANGLES, other, match="another component")


def test_bad_arguments():
    G = edges([0, 1], [1, 2], n=3)
    label = vector({0: 0, 1: 1, 2: 2}, 3)
    for check in (verify.greedy_color, verify.label_propagation):
        with pytest.raises(SymmetricStructureRequired):
            check(G, label)
    with pytest.raises(InvalidValue, match="resolution"):
        verify.louvain(G, label, resolution=np.inf)
    with pytest.raises(InvalidValue):
        verify.louvain(edges([0], [1], [-1.0], n=3), label)
    with pytest.raises(InvalidValue):
        verify.louvain(edges([0], [1], [np.nan], n=3), label)


def test_results_of_both_forms_on_a_larger_graph():
    G = random_graph(300, 900, kind="undirected", dtype="int32", seed=3)
    for module in (gl, gl.native):
        verify.greedy_color(G, module.greedy_color(G))
        verify.label_propagation(G, module.label_propagation(G))
        verify.louvain(G, *module.louvain(G))
