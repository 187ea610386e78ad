"""A right result passes; any single corruption of it is found."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Matrix, Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import sweeps, verify
from graphla.errors import (
    DomainMismatch,
    GraphlaError,
    InvalidIndex,
    InvalidValue,
    SymmetricStructureRequired,
    VerificationError,
)
from graphla.results import Edges, Forest
from tests.graphs import DTYPES, atlas, edge_cases, edges, random_graph, to_networkx
from tests.strategies import float_weights, graphs, signed_weights, small_weights


@pytest.fixture(scope="module", autouse=True)
def _small_blocks():
    """Small graphs in many blocks too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "BLOCK", 1)
        yield


def vector(entries, n, dtype=np.int64):
    """Return the Vector of a dict."""
    return Vector.from_coo(list(entries), np.array(list(entries.values()), dtype), size=n)


def refuted(check, *args, match=None, **kwargs):
    with pytest.raises(VerificationError, match=match):
        check(*args, **kwargs)


def digraph(G):
    return to_networkx(G).to_directed()


CASES = [(n, k, G) for k in ("directed", "undirected") for n, G in edge_cases(k).items()]
cases = pytest.mark.parametrize("G", [G for *_, G in CASES], ids=[f"{k} {n}" for n, k, _ in CASES])


@st.composite
def corrupted(draw, entries, n, values):
    """Draw a dict that differs from `entries` at one vertex: changed, removed or added."""
    v = draw(st.integers(0, n - 1))
    new = draw(st.one_of(st.none(), values).filter(lambda x: x != entries.get(v)))
    return {k: x for k, x in {**entries, v: new}.items() if x is not None}


# ---- oracles, all by NetworkX


def bfs_of(G, source):
    paths = nx.single_source_shortest_path(digraph(G), source)
    level = {v: len(path) - 1 for v, path in paths.items()}
    return level, {v: path[-2] if len(path) > 1 else v for v, path in paths.items()}


def sssp_of(G, source):
    distance, paths = nx.single_source_bellman_ford(digraph(G), source)
    return distance, {v: path[-2] if len(path) > 1 else v for v, path in paths.items()}


def forest_of(G):
    tree = nx.minimum_spanning_tree(to_networkx(G)).edges(data="weight")
    rows = [(min(u, v), max(u, v), w) for u, v, w in tree]
    return rows, components_of(G)


def as_forest(rows, component, n, weight=None):
    src, dst, w = (np.array([row[i] for row in rows]) for i in range(3))
    src, dst = src.astype(np.int64), dst.astype(np.int64)
    total = sum(row[2] for row in rows) if weight is None else weight
    columns = Edges(*(Vector.from_dense(x) for x in (src, dst, w)))
    return Forest(columns, total, vector(component, n))


def components_of(G, parts=nx.weakly_connected_components):
    return {v: min(part) for part in parts(digraph(G)) for v in part}


def closure_of(G):
    return set(nx.transitive_closure(digraph(G), reflexive=False).edges())


def as_closure(pairs, n):
    rows, cols = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return Matrix.from_coo(rows, cols, True, nrows=n, ncols=n)


def scores_of(G, sources):
    H = digraph(G)
    raw = nx.betweenness_centrality_subset(H, sources, list(H), normalized=False)
    return {v: float(x) for v, x in raw.items()}


def triangles_of(G):
    H = to_networkx(G)
    H.remove_edges_from(list(nx.selfloop_edges(H)))
    return sum(nx.triangles(H).values()) // 3


# ---- right results pass


def accept_everything(G, source):
    """Check every oracle's result on a graph with nonnegative weights."""
    n = G.n
    level, parent = bfs_of(G, source)
    verify.bfs(G, source, vector(level, n), vector(parent, n))
    verify.bfs(G, source, vector(level, n))
    verify.bfs(G, source, parent=vector(parent, n))
    distance, parent = sssp_of(G, source)
    verify.sssp(G, source, vector(distance, n))
    verify.sssp(G, source, vector(distance, n), vector(parent, n))
    verify.connected_components(G, vector(components_of(G), n))
    strong = components_of(G, nx.strongly_connected_components)
    verify.strongly_connected_components(G, vector(strong, n))
    verify.transitive_closure(G, as_closure(closure_of(G), n))
    rank = nx.pagerank(digraph(G), tol=1e-9, weight=None, max_iter=1000)
    verify.pagerank(G, vector(rank, n, np.float64), tol=1e-6)
    sources = sorted({source, n - 1})
    verify.betweenness_centrality(G, sources, vector(scores_of(G, sources), n, np.float64))
    if G.kind == "undirected":
        verify.minimum_spanning_forest(G, as_forest(*forest_of(G), n))
        verify.triangle_count(G, triangles_of(G))


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_atlas(step):
    for _, G in atlas()[1::step]:
        accept_everything(G, 0)


@cases
def test_edge_cases(G):
    if G.n:
        accept_everything(G, 0)
        accept_everything(G, G.n - 1)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_blocks_of_any_size_hold_the_same_edges(kind, monkeypatch):
    G = random_graph(50, 300, kind=kind, dtype="int64")
    for size in (1, 77, 1 << 20):
        monkeypatch.setattr(sweeps, "BLOCK", size)
        columns = [np.concatenate(column) for column in zip(*sweeps.blocks(G), strict=True)]
        for got, expected in zip(columns, G.A.to_coo(), strict=True):
            np.testing.assert_array_equal(got, expected)
        accept_everything(G, 3)


def test_no_vertices():
    G = edges([], [], n=0, kind="undirected")
    nothing = vector({}, 0)
    verify.connected_components(G, nothing)
    verify.strongly_connected_components(G, nothing)
    verify.transitive_closure(G, G.A)
    verify.pagerank(G, vector({}, 0, np.float64))
    verify.triangle_count(G, 0)
    verify.betweenness_centrality(G, [], vector({}, 0, np.float64))
    verify.minimum_spanning_forest(G, as_forest([], {}, 0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    G = random_graph(40, 120, kind="undirected", dtype=dtype)
    distance, parent = sssp_of(G, 0)
    kind = dtype if dtype.startswith("float") else np.int64
    verify.sssp(G, 0, vector(distance, G.n, kind), vector(parent, G.n))
    verify.minimum_spanning_forest(G, as_forest(*forest_of(G), G.n))
    v = max(distance, key=distance.get)
    refuted(verify.sssp, G, 0, vector({**distance, v: distance[v] + 1}, G.n, kind))


def test_algorithm_of_this_package():
    G = random_graph(300, 900, seed=3)
    verify.bfs(G, 7, *gl.bfs(G, 7))
    verify.bfs(G, 7, gl.bfs_levels(G, 7))


# ---- breadth-first search


@given(st.data(), graphs())
def test_bfs_finds_any_wrong_level(data, G):
    level, parent = bfs_of(G, 0)
    wrong = vector(data.draw(corrupted(level, G.n, st.integers(-2, G.n + 2))), G.n)
    refuted(verify.bfs, G, 0, wrong)
    refuted(verify.bfs, G, 0, wrong, vector(parent, G.n))


@given(st.data(), graphs())
def test_bfs_finds_any_wrong_parent(data, G):
    level, parent = bfs_of(G, 0)
    wrong = data.draw(corrupted(parent, G.n, st.integers(-2, G.n + 2)))
    arcs = set(digraph(G).edges())
    valid = set(wrong) == set(level) and all(
        (p, v) in arcs and level.get(p) == level[v] - 1 if v else p == 0 for v, p in wrong.items()
    )
    for levels in (None, vector(level, G.n)):
        if valid:
            verify.bfs(G, 0, levels, vector(wrong, G.n))
        else:
            refuted(verify.bfs, G, 0, levels, vector(wrong, G.n))


def test_bfs_names_the_offender():
    G = edges([0, 1, 2, 0], [1, 2, 3, 3], n=5)
    right = {0: 0, 1: 1, 2: 2, 3: 1}
    up = {0: 0, 1: 0, 2: 1, 3: 2}

    def levels(**change):
        return vector({**right, **{int(k[1:]): x for k, x in change.items()}}, 5)

    refuted(verify.bfs, G, 0, levels(v3=3), match=r"0 -> 3 leads from level 0 to level 3")
    refuted(verify.bfs, G, 0, levels(v4=1), match=r"vertex 4 at level 1")
    refuted(verify.bfs, G, 0, levels(v0=1), match=r"0 -> 1|vertex 0")
    refuted(verify.bfs, G, 0, levels(v2=9), match=r"level\[2\] is 9: not in 0..n-1")
    missing = vector({0: 0, 1: 1, 3: 1}, 5)
    refuted(verify.bfs, G, 0, missing, match=r"1 -> 2 leads to an unreached vertex")
    refuted(verify.bfs, G, 0, None, vector(up, 5), match=r"0 -> 3 leads from level 0 to level 3")
    refuted(verify.bfs, G, 0, levels(v3=2), vector({**up, 3: 0}, 5), match=r"level\[3\] is 2")
    cycle = vector({0: 0, 1: 2, 2: 1, 3: 0}, 5)
    refuted(verify.bfs, G, 0, None, cycle, match=r"do not lead from vertex 1 to 0")
    refuted(verify.bfs, G, 0, None, vector({1: 0}, 5), match=r"parent\[0\] of the source|vertex 1")
    refuted(verify.bfs, G, 0, None, vector({}, 5), match=r"parent\[0\] of the source")
    assert issubclass(VerificationError, GraphlaError)
    assert issubclass(VerificationError, AssertionError)


def test_values_must_be_vertices():
    G = edges([0, 1], [1, 2], n=3)
    verify.bfs(G, 0, vector({0: 0, 1: 1, 2: 2}, 3, np.float64))
    half = vector({0: 0, 1: 0.5, 2: 1}, 3, np.float64)
    refuted(verify.bfs, G, 0, half, match="not an integer")
    refuted(verify.bfs, G, 0, vector({0: 0, 1: 1, 2: np.nan}, 3, np.float64), match="not in 0..n-1")
    refuted(verify.bfs, G, 0, vector({0: 0, 1: 1, 2: 2}, 4), match=r"shape \(4,\)")


def test_bad_arguments():
    G = edges([0, 1], [1, 2], n=3)
    level = vector({0: 0, 1: 1, 2: 2}, 3)
    with pytest.raises(InvalidValue, match="level, parent or both"):
        verify.bfs(G, 0)
    with pytest.raises(InvalidIndex):
        verify.bfs(G, 3, level)
    with pytest.raises(DomainMismatch):
        verify.sssp(G, "0", level)
    with pytest.raises(InvalidIndex):
        verify.betweenness_centrality(G, [9], level)
    with pytest.raises(SymmetricStructureRequired):
        verify.minimum_spanning_forest(G, as_forest([], {}, 3))
    with pytest.raises(SymmetricStructureRequired):
        verify.triangle_count(G, 0)
    with pytest.raises(InvalidValue, match="NaN"):
        verify.sssp(edges([0], [1], [np.nan], n=2), 0, vector({0: 0}, 2))


# ---- shortest paths


def is_tight_tree(G, distance, parent):
    """Say whether parents are those of some shortest-path tree from 0, by walking each one."""
    H = digraph(G)
    if set(parent) != set(distance) or parent.get(0) != 0:
        return False
    for v, p in parent.items():
        if v and not (
            p in distance and H.has_edge(p, v) and distance[p] + H[p][v]["weight"] == distance[v]
        ):
            return False
    for v in parent:
        for _ in range(G.n):
            v = parent[v]
        if v:
            return False
    return True


def signed_case(G):
    try:
        return sssp_of(G, 0)
    except nx.NetworkXUnbounded:
        return None


@given(st.data(), st.one_of(graphs(weights=small_weights), graphs(weights=signed_weights)))
def test_sssp_finds_any_wrong_distance(data, G):
    right = signed_case(G)
    if right is None:  # a negative cycle: no distances are right
        claim = {0: 0, **data.draw(st.dictionaries(st.integers(1, 11), st.integers(-9, 9)))}
        claim = {v: x for v, x in claim.items() if v < G.n}
        refuted(verify.sssp, G, 0, vector(claim, G.n))
        return
    distance, parent = right
    assert is_tight_tree(G, distance, parent)
    verify.sssp(G, 0, vector(distance, G.n))
    verify.sssp(G, 0, vector(distance, G.n), vector(parent, G.n))
    wrong = vector(data.draw(corrupted(distance, G.n, st.integers(-9, 40))), G.n)
    refuted(verify.sssp, G, 0, wrong)
    refuted(verify.sssp, G, 0, wrong, vector(parent, G.n))


@given(st.data(), graphs(weights=st.integers(0, 2)))
def test_sssp_finds_any_wrong_parent(data, G):
    distance, parent = sssp_of(G, 0)
    wrong = data.draw(corrupted(parent, G.n, st.integers(-1, G.n)))
    if is_tight_tree(G, distance, wrong):
        verify.sssp(G, 0, vector(distance, G.n), vector(wrong, G.n))
    else:
        refuted(verify.sssp, G, 0, vector(distance, G.n), vector(wrong, G.n))


def test_sssp_is_not_fooled_by_a_cycle_of_weight_zero():
    G = edges([0, 1, 2, 3], [1, 2, 3, 2], [4, 1, 0, 0], n=4)
    verify.sssp(G, 0, vector({0: 0, 1: 4, 2: 5, 3: 5}, 4))
    refuted(verify.sssp, G, 0, vector({0: 0, 1: 4, 2: 3, 3: 3}, 4), match="leads to vertex 2 at")
    cycle = vector({0: 0, 1: 0, 2: 3, 3: 2}, 4)
    refuted(verify.sssp, G, 0, vector({0: 0, 1: 4, 2: 5, 3: 5}, 4), cycle, match="do not lead")


def test_sssp_names_the_offender():
    G = edges([0, 0, 1], [1, 2, 2], [1, 5, 1], n=4)
    right, parent = {0: 0, 1: 1, 2: 2}, {0: 0, 1: 0, 2: 1}

    def distances(change):
        return vector({**right, **change}, 4)

    refuted(verify.sssp, G, 0, distances({2: 3}), match="1 -> 2 of weight 1 .* distance 1 to 3")
    refuted(verify.sssp, G, 0, distances({0: 1}), match="source 0 is not 0")
    refuted(verify.sssp, G, 0, vector({0: 0, 1: 1}, 4), match="unreached vertex")
    refuted(verify.sssp, G, 0, distances({3: 9}), match="vertex 3 at distance 9")
    bad = vector({**parent, 2: 0}, 4)
    refuted(verify.sssp, G, 0, distances({}), bad, match="tree edge 0 -> 2 of weight 5")
    bad = vector({**parent, 3: 2}, 4)
    refuted(verify.sssp, G, 0, distances({}), bad, match="vertex 3 has a parent or a distance")
    refuted(verify.sssp, G, 0, distances({3: 2}), bad, match="leads to vertex 3")


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_sssp_does_not_overflow(dtype):
    big = np.iinfo(dtype).max // 2
    G = edges([0, 1, 0], [1, 2, 2], np.array([big, big, 2 * big], dtype), n=3)
    verify.sssp(G, 0, vector({0: 0, 1: big, 2: 2 * big}, 3, dtype))
    refuted(verify.sssp, G, 0, vector({0: 0, 1: big, 2: 2 * big - 1}, 3, dtype))
    wrapped = edges([0, 1], [1, 2], np.array([big, big + 9], dtype), n=3)
    sum_ = np.array([big]).astype(dtype) + np.array([big + 9]).astype(dtype)
    refuted(verify.sssp, wrapped, 0, vector({0: 0, 1: big, 2: int(sum_[0])}, 3, dtype))


@given(graphs(weights=float_weights))
def test_sssp_of_floats_to_rtol(G):
    distance, parent = sssp_of(G, 0)
    single = vector(distance, G.n, np.float32)
    verify.sssp(G, 0, vector(distance, G.n, np.float64), vector(parent, G.n))
    verify.sssp(G, 0, single, vector(parent, G.n))
    last = max(distance, key=distance.get)
    if distance[last] > 1e-30:  # FP32 has no such neighbours below
        off = {**distance, last: distance[last] * (1 + 1e-4)}
        refuted(verify.sssp, G, 0, vector(off, G.n, np.float64))
        refuted(verify.sssp, G, 0, vector(off, G.n, np.float32))
        verify.sssp(G, 0, vector(off, G.n, np.float64), rtol=0.5)


def test_sssp_of_infinite_weights():
    G = edges([0, 1], [1, 2], [np.inf, 1.0], n=3)
    verify.sssp(G, 0, vector({0: 0, 1: np.inf, 2: np.inf}, 3, np.float64))
    refuted(verify.sssp, G, 0, vector({0: 0, 1: 5, 2: 6}, 3, np.float64))
    refuted(verify.sssp, G, 0, vector({0: 0, 1: np.inf, 2: np.nan}, 3, np.float64))


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
        refuted(verify.minimum_spanning_forest, G, as_forest(rows, component, G.n))


@given(st.data(), undirected(small_weights))
def test_forest_finds_any_wrong_value(data, G):
    rows, component = forest_of(G)
    check = verify.minimum_spanning_forest
    off = data.draw(st.integers(-3, 3).filter(bool))
    total = sum(row[2] for row in rows)
    refuted(check, G, as_forest(rows, component, G.n, total + off), match="weight is")
    wrong = data.draw(corrupted(component, G.n, st.integers(-1, G.n)))
    refuted(check, G, as_forest(rows, wrong, G.n), match="component")
    if rows:
        i = data.draw(st.integers(0, len(rows) - 1))
        u, v, w = rows[i]
        for row in [(u, v, w + off), (v, u, w), (u, G.n, w), (-1, v, w), (u, u, w)]:
            refuted(check, G, as_forest([*rows[:i], row, *rows[i + 1 :]], component, G.n))


def test_forest_names_the_offender():
    G = edges([0, 1, 2, 0], [1, 2, 3, 3], [1, 2, 3, 4], n=5, kind="undirected")
    label = {0: 0, 1: 0, 2: 0, 3: 0, 4: 4}
    right = [(0, 1, 1), (1, 2, 2), (2, 3, 3)]

    def check(rows, match, component=label):
        refuted(verify.minimum_spanning_forest, G, as_forest(rows, component, 5), match=match)

    heavy = [(0, 1, 1), (1, 2, 2), (0, 3, 4)]
    check(heavy, "edge 2 -- 3 of weight 3 is lighter than one of weight 4")
    check([*right, (0, 3, 4)], "tree of vertex 0 has a cycle")
    check(right[:2], "does not connect edge 0 -- 3")
    check([*right[:2], (1, 3, 3)], "no edge 1 -- 3 of weight 3")
    check([*right[:2], (2, 3, 4)], "no edge 2 -- 3 of weight 4")
    check(right, r"component\[3\] is 1", {**label, 3: 1})
    columns = Edges(*(Vector.from_dense(np.array(x)) for x in ([0], [1, 2], [1])))
    short = Forest(columns, 1, vector(label, 5))
    refuted(verify.minimum_spanning_forest, G, short, match="shapes")


@pytest.mark.parametrize("n", [2, 9, 64, 300])
def test_forest_on_long_paths_and_stars(n):
    """Many rounds, and the roots that hook the slowest: a star with its centre last."""
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
    refuted(verify.minimum_spanning_forest, G, as_forest(rows, component, 60, total * 1.001))
    big = 2**62
    G = edges([0, 1, 2], [1, 2, 3], [big, big + 1, big + 2], n=4, kind="undirected")
    rows, component = forest_of(G)
    verify.minimum_spanning_forest(G, as_forest(rows, component, 4))
    for wrong in (3 * big + 4, 3 * big + 3 - 2**64):
        refuted(verify.minimum_spanning_forest, G, as_forest(rows, component, 4, wrong))


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
        refuted(check, G, vector(wrong, G.n), match="component")


def test_components_split_or_merged():
    G = edges([0, 1, 3], [1, 2, 4], n=5)
    split, merged = {0: 0, 1: 0, 2: 2, 3: 3, 4: 3}, dict.fromkeys(range(5), 0)
    text = r"component\[2\] is 2; the smallest vertex of that component is 0"
    refuted(verify.connected_components, G, vector(split, 5), match=text)
    refuted(verify.connected_components, G, vector(merged, 5), match=r"component\[3\] is 0")
    largest = vector({0: 2, 1: 2, 2: 2, 3: 4, 4: 4}, 5)
    refuted(verify.connected_components, G, largest, match=r"component\[0\] is 2")
    refuted(verify.strongly_connected_components, G, vector(split, 5))


@given(st.data(), graphs(kind="directed"))
def test_closure_finds_any_wrong_entry(data, G):
    pairs = closure_of(G)
    verify.transitive_closure(G, as_closure(pairs, G.n), samples=G.n)
    vertex = st.integers(0, G.n - 1)
    wrong = pairs ^ {data.draw(st.tuples(vertex, vertex))}
    refuted(verify.transitive_closure, G, as_closure(wrong, G.n), samples=G.n)


def test_closure_without_samples_looks_at_all_rows():
    G = edges([0, 1, 2], [1, 2, 3], n=4)
    pairs = closure_of(G)

    def check(C, match, **kwargs):
        refuted(verify.transitive_closure, G, C, match=match, **kwargs)

    check(as_closure(pairs - {(0, 1)}, 4), "lacks an edge", samples=0)
    check(as_closure(pairs - {(0, 2), (0, 3)}, 4), "0 -> 1, but their rows have 1 and 2", samples=0)
    check(as_closure(pairs, 5), "shape")
    check(as_closure(pairs | {(3, 3)}, 4), r"has \(3, 3\): True; a path leads there: False")
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
        refuted(verify.pagerank, G, wrong)
    del rank[v]
    refuted(verify.pagerank, G, vector(rank, G.n, np.float64), match=rf"rank\[{v}\] has no entry")


def test_pagerank_of_another_damping_or_rule():
    G = edges([0, 1, 1, 2], [1, 2, 3, 0], n=4)  # 3 dangles
    rank = nx.pagerank(digraph(G), alpha=0.6, tol=1e-12)
    verify.pagerank(G, vector(rank, 4, np.float64), damping=0.6)
    refuted(verify.pagerank, G, vector(rank, 4, np.float64), match=r"most rank\[")
    lost = np.full(4, 0.25)
    for _ in range(60):
        out = 0.85 * lost
        lost = 0.15 / 4 + np.array([out[2], out[0], out[1] / 2, out[1] / 2])
    verify.pagerank(G, Vector.from_dense(lost), dangling=False, tol=1e-3)
    refuted(verify.pagerank, G, Vector.from_dense(lost))
    zeros = Vector.from_dense(np.zeros(4))
    refuted(verify.pagerank, G, zeros, damping=1, match="sum to 0")


# ---- triangles


@given(st.data(), graphs(kind="undirected"))
def test_triangle_count_is_exact_on_small_graphs(data, G):
    count = triangles_of(G)
    verify.triangle_count(G, count)
    off = data.draw(st.integers(-3, 3).filter(bool))
    refuted(verify.triangle_count, G, count + off, match=f"the graph has {count}")


def test_triangle_count_by_a_sample(monkeypatch):
    monkeypatch.setattr(verify, "PRODUCTS", 0)
    monkeypatch.setattr(verify, "PAIRS", 100_000)
    G = random_graph(300, 9000, kind="undirected", seed=5)
    count = triangles_of(G)
    for seed in range(5):
        verify.triangle_count(G, count, seed=seed)
        for wrong in (int(count * 1.1), int(count * 0.9), 0, -count, 100 * count):
            refuted(verify.triangle_count, G, wrong, seed=seed, match="drawn are closed")


def test_sampled_triangles_of_a_tree_and_of_a_bipartite_graph(monkeypatch):
    monkeypatch.setattr(verify, "PRODUCTS", 0)
    verify.triangle_count(edges(range(9), range(1, 10), n=10, kind="undirected"), 0)
    src, dst = np.nonzero(np.ones((30, 30)))
    verify.triangle_count(edges(src, dst + 30, n=60, kind="undirected"), 0)
    refuted(verify.triangle_count, edges(src, dst + 30, n=60, kind="undirected"), 500)


# ---- betweenness


@given(st.data(), graphs())
def test_betweenness_finds_any_wrong_score(data, G):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), unique=True))
    score = scores_of(G, sources)
    verify.betweenness_centrality(G, sources, vector(score, G.n, np.float64))
    wrong = data.draw(corrupted(score, G.n, st.sampled_from([-1.0, 0.0, 0.5, 1.01, 7.0, np.nan])))
    if any(abs(wrong.get(v, -9) - score[v]) > 1e-6 or wrong[v] != wrong[v] for v in score):
        refuted(verify.betweenness_centrality, G, sources, vector(wrong, G.n, np.float64))


def test_betweenness_counts_a_source_as_often_as_it_is_given():
    G = edges(range(4), range(1, 5), n=5)
    once = scores_of(G, [0])
    twice = {v: 2 * x for v, x in once.items()}
    verify.betweenness_centrality(G, [0, 0], vector(twice, 5, np.float64))
    refuted(
        verify.betweenness_centrality, G, [0], vector(twice, 5, np.float64), match=r"score\[1\]"
    )


def test_betweenness_sum_finds_what_each_score_hides():
    """Each score is off by less than its tolerance, all of them together by more."""
    n = 1000
    G = edges([0] * (n - 1), range(1, n), n=n)
    tiny = np.r_[0.0, np.full(n - 1, 9e-7)]
    refuted(verify.betweenness_centrality, G, [0], Vector.from_dense(tiny), match="sum to")


def test_betweenness_refuses_more_paths_than_it_can_count():
    k = 1100  # diamonds in a row: 2^k shortest paths
    first = 3 * np.arange(k)
    src = np.concatenate([first, first, first + 1, first + 2])
    dst = np.concatenate([first + 1, first + 2, first + 3, first + 3])
    G = edges(src, dst, n=3 * k + 1)
    with pytest.raises(InvalidValue, match="too many shortest paths from 0"):
        verify.betweenness_centrality(G, [0], Vector.from_dense(np.zeros(G.n)))
    far = 3 * (k - 2)
    depth = dict.fromkeys(range(G.n), 0.0) | {far + 1: 2.0, far + 2: 2.0, far + 3: 3.0}
    depth |= {far + 4: 0.5, far + 5: 0.5}
    verify.betweenness_centrality(G, [far], vector(depth, G.n, np.float64))
