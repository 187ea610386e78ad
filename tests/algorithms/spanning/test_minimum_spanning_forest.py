"""Minimum spanning forest against Kruskal, SciPy, igraph and the cut and cycle properties."""

from __future__ import annotations

from itertools import pairwise

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_tree

import graphla as gl
from graphla import Graph
from graphla.algorithms.spanning import minimum_spanning_forest as module
from graphla.errors import InvalidValue, SymmetricStructureRequired
from tests import strategies
from tests.every_graph import on_atlas
from tests.graphs import DTYPES, atlas, edge_cases, random_graph, to_scipy

WEIGHTS = {
    "random": lambda rng, m: rng.integers(1, 256, m).astype(np.int32),
    "equal": lambda rng, m: np.full(m, 3),
    "negative": lambda rng, m: rng.integers(-5, 2, m).astype(np.int8),
    "zero": lambda rng, m: rng.integers(0, 2, m).astype(np.float32),
}


def weigh(G, weight):
    """Return the loop-free undirected graph G with other weights."""
    i, j, _ = G.A.to_coo()
    upper = i < j
    values = weight(np.random.default_rng(G.A.nvals), int(upper.sum()))
    return Graph.from_edges(i[upper], j[upper], values, n=G.n, kind="undirected")


def kruskal(G):
    """Return the forest that prefers the lesser (weight, src, dst), and the components."""
    label = list(range(G.n))
    i, j, w = (x.tolist() for x in G.A.to_coo())
    kept = []
    for weight, a, b in sorted((w, a, b) for a, b, w in zip(i, j, w, strict=True) if a < b):
        if label[a] != label[b]:
            low, high = sorted((label[a], label[b]))
            label = [low if x == high else x for x in label]
            kept.append((a, b, weight))
    return sorted(kept), label


def columns(edges):
    return list(zip(*(x.to_dense().tolist() for x in edges), strict=True))


def check(G):
    result = gl.minimum_spanning_forest(G)
    expected, label = kruskal(G)
    assert columns(result.edges) == expected
    assert result.component.to_dense().tolist() == label
    assert result.weight == pytest.approx(sum(w for _, _, w in expected), rel=1e-12)
    assert type(result.weight) is (float if G.dtype.name.startswith("FP") else int)
    assert [x.dtype for x in result.edges] == ["INT32", "INT32", G.dtype]
    assert result.component.dtype == "INT32"
    return result


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases(name):
    check(edge_cases("undirected")[name])


@pytest.mark.parametrize("weights", WEIGHTS)
@on_atlas
def test_atlas(G, weights):
    check(weigh(G, WEIGHTS[weights]))


def test_every_sixth_of_the_atlas():
    for k, (_, G) in enumerate(atlas()[::6]):
        check(weigh(G, list(WEIGHTS.values())[k % 4]))


@given(strategies.graphs(kind="undirected", weights=strategies.signed_weights))
def test_integers(G):
    check(G)


@given(strategies.graphs(kind="undirected", weights=strategies.float_weights, max_m=80))
def test_floats(G):
    check(G)


@given(strategies.graphs(kind="undirected"))
def test_unweighted(G):
    assert check(G).weight == G.n - len(set(kruskal(G)[1]))


@pytest.mark.thorough
@pytest.mark.parametrize("light", [0, 1, 2, 1000])
@given(G=strategies.graphs(kind="undirected", weights=st.integers(0, 99), max_n=20, max_m=120))
def test_light_edges_first_changes_nothing(light, G):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LIGHT_EDGES", light)
        check(G)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
@pytest.mark.parametrize("m", [60, 600])
def test_dtypes(dtype, m):
    check(random_graph(50, m, kind="undirected", dtype=dtype))


@given(strategies.graphs(kind="undirected", weights=strategies.signed_weights))
def test_cut_and_cycle_properties(G):
    chosen = columns(gl.minimum_spanning_forest(G).edges)
    F = nx.Graph()
    F.add_nodes_from(range(G.n))
    F.add_weighted_edges_from(chosen)
    assert nx.is_forest(F)
    i, j, w = (x.tolist() for x in G.A.to_coo())
    for a, b, weight in zip(i, j, w, strict=True):
        cycle = pairwise(nx.shortest_path(F, a, b))  # no edge of it is heavier
        assert all(F.edges[e]["weight"] <= weight for e in cycle)
    for a, b, weight in chosen:  # and no edge across the cut is lighter
        F.remove_edge(a, b)
        side = nx.node_connected_component(F, a)
        crossing = [x for u, v, x in zip(i, j, w, strict=True) if (u in side) != (v in side)]
        assert min(crossing) == weight
        F.add_edge(a, b, weight=weight)


@pytest.mark.parametrize("seed", range(4))
def test_larger_graphs_against_scipy_and_igraph(seed):
    """Skewed and uniform, sparse and dense, in several components."""
    rng = np.random.default_rng(seed)
    n, m = 3000, (2500, 5000, 20000, 60000)[seed]
    src, dst = (n * rng.random((2, m)) ** (1 + 2 * (seed % 2))).astype(np.int64)
    G = Graph.from_edges(src, dst, rng.integers(1, 256, m, np.int32), n=n, kind="undirected")
    result = gl.minimum_spanning_forest(G)
    i, j, w = G.A.to_coo()
    H = igraph.Graph(n=n, edges=np.column_stack((i, j))[i < j])
    tree = H.spanning_tree(weights=w[i < j].tolist(), return_tree=False)
    S = to_scipy(G)
    assert result.weight == w[i < j][tree].sum() == scipy_tree(S).sum()
    assert result.edges.weight.nvals == len(tree)
    number, label = connected_components(S, directed=False)
    least = np.array([np.flatnonzero(label == c)[0] for c in range(number)])
    assert np.array_equal(result.component.to_dense(), least[label])
    src, dst, weight = (x.to_dense() for x in result.edges)
    assert (src < dst).all()
    assert (np.diff(src * n + dst) > 0).all()
    assert np.array_equal(S[src, dst], weight)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_two_large_components_and_a_bridge(dtype):
    """Light edges leave two halves of equal size; one heavy edge joins them."""
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 200, (2, 4000))
    half = 200 * (np.arange(4000) % 2)
    weight = rng.integers(1, 50, 4000)
    src, dst = np.append(src + half, 7), np.append(dst + half, 307)
    weight = np.append(weight, 99).astype(dtype)
    check(Graph.from_edges(src, dst, weight, n=401, kind="undirected"))


def test_infinities():
    weight = [np.inf, 1.0, np.inf]
    G = Graph.from_edges([0, 1, 2], [1, 2, 3], weight, kind="undirected")
    assert gl.minimum_spanning_forest(G).weight == np.inf
    G = Graph.from_edges([0, 1, 0], [1, 2, 2], [-np.inf, np.inf, 2.0], kind="undirected")
    assert columns(gl.minimum_spanning_forest(G).edges) == [(0, 1, -np.inf), (0, 2, 2.0)]


def test_symmetric_directed_graph_and_loops():
    G = Graph([[-9, 4, 1], [4, -9, 2], [1, 2, -9]])
    result = gl.minimum_spanning_forest(G)
    assert columns(result.edges) == [(0, 2, 1), (1, 2, 2)]
    assert result.weight == 3


def test_float32_is_summed_in_float64():
    G = Graph.from_edges(
        [0, 1, 2], [1, 2, 3], np.array([2**24, 1, 1], np.float32), kind="undirected"
    )
    assert gl.minimum_spanning_forest(G).weight == 2**24 + 2


def test_small_integers_are_summed_without_wrapping():
    G = Graph.from_edges(range(99), range(1, 100), np.full(99, 127, np.int8), kind="undirected")
    assert gl.minimum_spanning_forest(G).weight == 99 * 127


@pytest.mark.parametrize(
    ("dtype", "most"), [("int64", 2**62 - 1), ("int64", -(2**62) + 1), ("uint64", 2**63 - 1)]
)
def test_total_weight_that_might_not_fit_is_refused(dtype, most):
    def path(w):
        return Graph.from_edges([0, 1], [1, 2], np.array([w, w], dtype), kind="undirected")

    assert gl.minimum_spanning_forest(path(most)).weight == 2 * most
    with pytest.raises(InvalidValue, match=f"2 edges of weight up to {abs(most) + 1}"):
        gl.minimum_spanning_forest(path(most + (1 if most > 0 else -1)))


def test_refused():
    with pytest.raises(SymmetricStructureRequired, match="minimum_spanning_forest"):
        gl.minimum_spanning_forest(Graph([[0, 1], [0, 0]]))
    with pytest.raises(InvalidValue, match="NaN"):
        gl.minimum_spanning_forest(
            Graph.from_edges([0, 1], [1, 2], [1.0, np.nan], kind="undirected")
        )


def test_the_graph_is_left_alone():
    G = random_graph(30, 300, kind="undirected", dtype="int32")
    A, R = G.A.dup(), G.ranks.dup()
    first, second = gl.minimum_spanning_forest(G), gl.minimum_spanning_forest(G)
    assert columns(first.edges) == columns(second.edges)
    assert G.A.isequal(A)
    assert G.ranks.isequal(R)
