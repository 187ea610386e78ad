"""Checks of forests, components, closures, ranks, triangles and scores reject wrong results."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import verify
from graphla.core.results import Edges, Forest
from graphla.errors import (
    InvalidValue,
)
from graphla.verify import edge_passes
from tests.graphs import edges, random_graph
from tests.oracles import (
    as_closure,
    as_forest,
    assert_rejected,
    closure_of,
    components_of,
    corrupted,
    digraph,
    forest_of,
    scores_of,
    triangles_of,
    vector,
)
from tests.strategies import graphs, signed_weights, small_weights

pytestmark = pytest.mark.usefixtures("small_blocks")


# ---- spanning forest


def undirected(weights):
    return graphs(kind="undirected", weights=weights)


@given(st.data(), st.one_of(undirected(st.integers(0, 3)), undirected(signed_weights)))
def test_forest_accepts_minimum_spanning_forests_only(data, G):
    """Replace, add or drop an edge: right only if it spans, has no cycle and weighs as little."""
    rows, component = forest_of(G)
    verify.minimum_spanning_forest(G, as_forest(rows, component, G.n))
    least, size = sum(row[2] for row in rows), len(rows)
    src, dst, w = G.A.to_coo()
    kept = src < dst
    every = list(zip(src[kept].tolist(), dst[kept].tolist(), w[kept].tolist(), strict=True))
    if not every:
        return
    if rows and data.draw(st.booleans()):
        rows = data.draw(st.permutations(rows))[1:]
    if data.draw(st.booleans()):
        rows = [*rows, data.draw(st.sampled_from(every))]
    H = nx.Graph()
    H.add_nodes_from(range(G.n))
    H.add_edges_from(row[:2] for row in rows)
    spans = nx.number_connected_components(H) == G.n - size
    if len(rows) == size and spans and sum(row[2] for row in rows) == least:
        verify.minimum_spanning_forest(G, as_forest(rows, component, G.n))
    else:
        assert_rejected(verify.minimum_spanning_forest, G, as_forest(rows, component, G.n))


@given(st.data(), undirected(small_weights))
def test_forest_finds_any_wrong_value(data, G):
    rows, component = forest_of(G)
    check = verify.minimum_spanning_forest
    off = data.draw(st.integers(-3, 3).filter(bool))
    total = sum(row[2] for row in rows)
    assert_rejected(check, G, as_forest(rows, component, G.n, total + off), match="weight is")
    wrong = data.draw(corrupted(component, G.n, st.integers(-1, G.n)))
    assert_rejected(check, G, as_forest(rows, wrong, G.n), match="component")
    if rows:
        i = data.draw(st.integers(0, len(rows) - 1))
        u, v, w = rows[i]
        for row in [(u, v, w + off), (v, u, w), (u, G.n, w), (-1, v, w), (u, u, w)]:
            assert_rejected(check, G, as_forest([*rows[:i], row, *rows[i + 1 :]], component, G.n))


def test_forest_names_the_offender():
    G = edges([0, 1, 2, 0], [1, 2, 3, 3], [1, 2, 3, 4], n=5, kind="undirected")
    label = {0: 0, 1: 0, 2: 0, 3: 0, 4: 4}
    right = [(0, 1, 1), (1, 2, 2), (2, 3, 3)]

    def check(rows, match, component=label):
        assert_rejected(
            verify.minimum_spanning_forest, G, as_forest(rows, component, 5), match=match
        )

    heavy = [(0, 1, 1), (1, 2, 2), (0, 3, 4)]
    check(heavy, "edge 2 -- 3 of weight 3 is lighter than one of weight 4")
    check([*right, (0, 3, 4)], "tree of vertex 0 has a cycle")
    check(right[:2], "does not connect edge 0 -- 3")
    check([*right[:2], (1, 3, 3)], "no edge 1 -- 3 of weight 3")
    check([*right[:2], (2, 3, 4)], "no edge 2 -- 3 of weight 4")
    check(right, r"component\[3\] is 1", {**label, 3: 1})
    columns = Edges(*(Vector.from_dense(np.array(x)) for x in ([0], [1, 2], [1])))
    short = Forest(columns, 1, vector(label, 5))
    assert_rejected(verify.minimum_spanning_forest, G, short, match="shapes")


@pytest.mark.parametrize("n", [2, 9, 64, 300])
def test_forest_on_long_paths_and_stars(n):
    """Many rounds: a path, and a star with its centre last, whose roots hook slowest."""
    rng = np.random.default_rng(n)
    for src, dst in [(range(n - 1), range(1, n)), ([n - 1] * (n - 1), range(n - 1))]:
        for weight in (np.arange(n - 1), np.arange(n - 1)[::-1], rng.permutation(n - 1)):
            G = edges(src, dst, weight, n=n, kind="undirected")
            verify.minimum_spanning_forest(G, as_forest(*forest_of(G), n))


def test_forest_of_floats_and_of_large_integers():
    G = random_graph(60, 300, kind="undirected", dtype="float32")
    rows, component = forest_of(G)
    total = sum(row[2] for row in rows)
    verify.minimum_spanning_forest(G, as_forest(rows, component, 60, total * (1 + 1e-8)))
    assert_rejected(
        verify.minimum_spanning_forest, G, as_forest(rows, component, 60, total * 1.001)
    )
    big = 2**62
    G = edges([0, 1, 2], [1, 2, 3], [big, big + 1, big + 2], n=4, kind="undirected")
    rows, component = forest_of(G)
    verify.minimum_spanning_forest(G, as_forest(rows, component, 4))
    for wrong in (3 * big + 4, 3 * big + 3 - 2**64):
        assert_rejected(verify.minimum_spanning_forest, G, as_forest(rows, component, 4, wrong))


# ---- components and closure


@given(st.data(), graphs())
def test_components_finds_any_wrong_label(data, G):
    for check, parts in [
        (verify.connected_components, nx.weakly_connected_components),
        (verify.strongly_connected_components, nx.strongly_connected_components),
    ]:
        label = components_of(G, parts)
        check(G, vector(label, G.n))
        wrong = data.draw(corrupted(label, G.n, st.integers(-1, G.n)))
        assert_rejected(check, G, vector(wrong, G.n), match="component")


def test_components_split_or_merged():
    G = edges([0, 1, 3], [1, 2, 4], n=5)
    split, merged = {0: 0, 1: 0, 2: 2, 3: 3, 4: 3}, dict.fromkeys(range(5), 0)
    text = r"component\[2\] is 2; the smallest vertex of that component is 0"
    assert_rejected(verify.connected_components, G, vector(split, 5), match=text)
    assert_rejected(verify.connected_components, G, vector(merged, 5), match=r"component\[3\] is 0")
    largest = vector({0: 2, 1: 2, 2: 2, 3: 4, 4: 4}, 5)
    assert_rejected(verify.connected_components, G, largest, match=r"component\[0\] is 2")
    assert_rejected(verify.strongly_connected_components, G, vector(split, 5))


@given(st.data(), graphs(kind="directed"))
def test_closure_finds_any_wrong_entry(data, G):
    pairs = closure_of(G)
    verify.transitive_closure(G, as_closure(pairs, G.n), samples=G.n)
    vertex = st.integers(0, G.n - 1)
    wrong = pairs ^ {data.draw(st.tuples(vertex, vertex))}
    assert_rejected(verify.transitive_closure, G, as_closure(wrong, G.n), samples=G.n)


def test_closure_without_samples_looks_at_all_rows():
    G = edges([0, 1, 2], [1, 2, 3], n=4)
    pairs = closure_of(G)

    def check(C, match, **kwargs):
        assert_rejected(verify.transitive_closure, G, C, match=match, **kwargs)

    check(as_closure(pairs - {(0, 1)}, 4), "lacks an edge", samples=0)
    check(as_closure(pairs - {(0, 2), (0, 3)}, 4), "0 -> 1, but their rows have 1 and 2", samples=0)
    check(as_closure(pairs, 5), "shape")
    check(as_closure(pairs | {(3, 3)}, 4), r"has \(3, 3\): True; a path exists: False")
    false = as_closure(pairs, 4)
    false[0, 2] = False
    check(false, "false entry")


# ---- PageRank


@given(st.data(), graphs())
def test_pagerank_finds_what_moves_the_sum_or_the_residual(data, G):
    rank = nx.pagerank(digraph(G), tol=1e-12, weight=None, max_iter=1000)
    verify.pagerank(G, vector(rank, G.n, np.float64), tol=1e-8)
    verify.pagerank(G, vector(rank, G.n, np.float32), tol=1e-8)
    v = data.draw(st.integers(0, G.n - 1))
    for change in (1e-3, -rank[v] - 1e-3, np.nan, np.inf):
        wrong = vector({**rank, v: rank[v] + change}, G.n, np.float64)
        assert_rejected(verify.pagerank, G, wrong)
    del rank[v]
    assert_rejected(
        verify.pagerank, G, vector(rank, G.n, np.float64), match=rf"rank\[{v}\] has no entry"
    )


def test_pagerank_of_another_damping_or_rule():
    G = edges([0, 1, 1, 2], [1, 2, 3, 0], n=4)  # 3 dangles
    rank = nx.pagerank(digraph(G), alpha=0.6, tol=1e-12)
    verify.pagerank(G, vector(rank, 4, np.float64), damping=0.6)
    assert_rejected(verify.pagerank, G, vector(rank, 4, np.float64), match=r"most rank\[")
    lost = np.full(4, 0.25)
    for _ in range(60):
        out = 0.85 * lost
        lost = 0.15 / 4 + np.array([out[2], out[0], out[1] / 2, out[1] / 2])
    verify.pagerank(G, Vector.from_dense(lost), dangling=False, tol=1e-3)
    assert_rejected(verify.pagerank, G, Vector.from_dense(lost))
    zeros = Vector.from_dense(np.zeros(4))
    assert_rejected(verify.pagerank, G, zeros, damping=1, match="sum to 0")


# ---- triangles


@given(st.data(), graphs(kind="undirected"))
def test_triangle_count_is_exact_on_small_graphs(data, G):
    count = triangles_of(G)
    verify.triangle_count(G, count)
    off = data.draw(st.integers(-3, 3).filter(bool))
    assert_rejected(verify.triangle_count, G, count + off, match=f"the graph has {count}")


def test_triangle_count_by_a_sample(monkeypatch):
    monkeypatch.setattr("graphla.verify.PRODUCTS", 0)
    monkeypatch.setattr("graphla.verify.PAIRS", 100_000)
    G = random_graph(300, 9000, kind="undirected", seed=5)
    count = triangles_of(G)
    for seed in range(5):
        verify.triangle_count(G, count, seed=seed)
        for wrong in (int(count * 1.1), int(count * 0.9), 0, -count, 100 * count):
            assert_rejected(verify.triangle_count, G, wrong, seed=seed, match="drawn are closed")


def test_sampled_triangles_of_a_tree_and_of_a_bipartite_graph(monkeypatch):
    monkeypatch.setattr("graphla.verify.PRODUCTS", 0)
    verify.triangle_count(edges(range(9), range(1, 10), n=10, kind="undirected"), 0)
    src, dst = np.nonzero(np.ones((30, 30)))
    verify.triangle_count(edges(src, dst + 30, n=60, kind="undirected"), 0)
    assert_rejected(verify.triangle_count, edges(src, dst + 30, n=60, kind="undirected"), 500)


# ---- betweenness


@given(st.data(), graphs())
def test_betweenness_finds_any_wrong_score(data, G):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), unique=True))
    score = scores_of(G, sources)
    verify.betweenness_centrality(G, sources, vector(score, G.n, np.float64))
    wrong = data.draw(corrupted(score, G.n, st.sampled_from([-1.0, 0.0, 0.5, 1.01, 7.0, np.nan])))
    if any(abs(wrong.get(v, -9) - score[v]) > 1e-6 or wrong[v] != wrong[v] for v in score):
        assert_rejected(verify.betweenness_centrality, G, sources, vector(wrong, G.n, np.float64))


def test_betweenness_counts_a_source_as_often_as_it_is_given():
    G = edges(range(4), range(1, 5), n=5)
    once = scores_of(G, [0])
    twice = {v: 2 * x for v, x in once.items()}
    verify.betweenness_centrality(G, [0, 0], vector(twice, 5, np.float64))
    assert_rejected(
        verify.betweenness_centrality, G, [0], vector(twice, 5, np.float64), match=r"score\[1\]"
    )


def test_betweenness_sum_finds_what_each_score_hides():
    """Each score is within its tolerance, but their sum is not."""
    n = 1000
    G = edges([0] * (n - 1), range(1, n), n=n)
    tiny = np.r_[0.0, np.full(n - 1, 9e-7)]
    assert_rejected(verify.betweenness_centrality, G, [0], Vector.from_dense(tiny), match="sum to")


def diamonds(k):
    """Diamonds in a row: 2^k shortest paths."""
    first = 3 * np.arange(k)
    src = np.concatenate([first, first, first + 1, first + 2])
    dst = np.concatenate([first + 1, first + 2, first + 3, first + 3])
    return edges(src, dst, n=3 * k + 1)


def test_betweenness_of_more_paths_than_a_double_holds():
    G = diamonds(1100)
    scores = gl.betweenness_centrality(G, [0])
    verify.betweenness_centrality(G, [0], scores)
    scores[1] = 0.0
    assert_rejected(verify.betweenness_centrality, G, [0], scores, match=r"score\[1\]")


def test_betweenness_refuses_more_paths_than_it_can_count(monkeypatch):
    monkeypatch.setattr(edge_passes, "PATH_COUNT", np.float64)
    k = 1100
    G = diamonds(k)
    with pytest.raises(InvalidValue, match="too many shortest paths from 0"):
        verify.betweenness_centrality(G, [0], Vector.from_dense(np.zeros(G.n)))
    far = 3 * (k - 2)
    depth = dict.fromkeys(range(G.n), 0.0) | {far + 1: 2.0, far + 2: 2.0, far + 3: 3.0}
    depth |= {far + 4: 0.5, far + 5: 0.5}
    verify.betweenness_centrality(G, [far], vector(depth, G.n, np.float64))
