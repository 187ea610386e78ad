"""Native Louvain: modularity, merges that no longer gain, and the same result in any threads."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue
from graphla.native.cpu.communities import louvain as module
from tests.every_graph import on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx, hubs_and_isolated, random_graph
from tests.native.threads import COUNTS, compiled, threads
from tests.strategies import FEW, float_weights, graphs, small_weights


def community_of(values):
    """Return a Vector of communities."""
    from graphblas import Vector

    return Vector.from_dense(np.asarray(values, np.int64))


def has_weight(G):
    return G.A.nvals and not (G.weighted and G.max_weight == 0)


def check(G, resolution=1.0):
    """The modularity is right, and no merge of two communities raises it."""
    community, modularity = gl.native.louvain(G, resolution=resolution)
    assert community.dtype == G.index_dtype
    label = community.to_dense()
    assert all(x == np.flatnonzero(label == x).min() for x in set(label.tolist()))
    if not has_weight(G):
        assert (label == np.arange(G.n)).all()
        assert modularity == 0
        return
    found = gl.modularity(G, community, resolution=resolution)
    assert modularity == pytest.approx(found, rel=1e-9, abs=1e-9)
    single = gl.modularity(G, community_of(np.arange(G.n)), resolution=resolution)
    assert found >= single - 1e-9
    src, dst = G.A.to_coo(values=False)[:2]
    for a, b in {(a, b) for a, b in zip(label[src], label[dst], strict=True) if a < b}:
        merged = community_of(np.where(label == b, a, label))
        assert gl.modularity(G, merged, resolution=resolution) <= found + 1e-9


@pytest.fixture(params=[1, 1 << 16], ids=["one vertex a group", "default"])
def group(request, monkeypatch):
    monkeypatch.setattr(module, "GROUP", request.param)


test_edge_cases = on_edge_cases(check)


@given(graphs(max_n=12, max_m=40), st.floats(-1, 3))
@FEW
def test_random_graphs_with_loops(G, resolution):
    check(G, resolution)


@given(graphs(max_n=10, max_m=40, weights=small_weights))
@FEW
def test_weights(group, G):
    check(G)


@given(
    graphs(max_n=10, max_m=40, weights=float_weights).filter(
        lambda G: not G.A.nvals or G.max_weight > 1e-9
    )
)
@FEW
def test_weights_of_floats(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=30, m=60, kind="undirected")


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_weights_of_any_size(scale):
    G = random_graph(40, 90, kind="undirected", dtype="int32", seed=1)
    src, dst, weight = G.A.select("triu").new().to_coo()
    scaled = edges(src, dst, weight * scale, n=40, kind="undirected")
    assert gl.native.louvain(scaled).community.isequal(gl.native.louvain(G).community)


def best_move(G, label):
    """Return the largest gain of one vertex that joins a neighbour's community, by brute force."""
    before, gains = gl.modularity(G, community_of(label)), [0.0]
    src, dst = G.A.to_coo(values=False)[:2]
    for v, u in zip(src, dst, strict=True):
        if label[u] != label[v]:
            moved = label.copy()
            moved[v] = label[u]
            gains.append(gl.modularity(G, community_of(moved)) - before)
    return max(gains)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("dtype", [None, "float64"])
def test_vertices_move_until_none_gains(kind, dtype):
    """With a minimum gain of 0, the moves of one level end where no vertex can gain."""
    G = random_graph(30, 70, kind=kind, dtype=dtype, seed=3)
    level, total, _ = module._first_level(G)
    label = np.arange(G.n, dtype=level.indices.dtype)
    before = gl.modularity(G, community_of(label))
    risen = module._Mover(level, 1.0, total).move(label, 0.0)
    assert risen == pytest.approx(gl.modularity(G, community_of(label)) - before, abs=1e-12)
    assert best_move(G, label) <= 2 * module.MIN_GAIN + 1e-12


def test_groups_of_members_are_added_up(group):
    G = random_graph(60, 400, kind="undirected", dtype="int32", seed=2)
    level, total, _ = module._first_level(G)
    label = (np.arange(60) % 7).astype(level.indices.dtype)
    merged = module._merge_communities(level, label, 7)
    found = np.zeros((7, 7))
    for c in range(7):
        row = slice(merged.begin[c], merged.end[c])
        found[c, merged.indices[row]] = merged.weights[row] * total
    expected, (src, dst, weight) = np.zeros((7, 7)), G.A.to_coo()
    np.add.at(expected, (label[src], label[dst]), weight / G.A.to_coo()[2].sum())
    np.fill_diagonal(expected, 0)
    loops = gl.Graph(G.A, kind="undirected").nself_edges
    if not loops:
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def groups(r):
    label = r.community.to_dense().tolist()
    return sorted(sorted(v for v, x in enumerate(label) if x == c) for c in set(label))


def test_cliques_are_found():
    cliques = [[8 * c + i for i in range(8)] for c in range(12)]
    G = from_networkx(nx.connected_caveman_graph(12, 8))
    assert groups(gl.native.louvain(G)) == cliques
    islands = edges(*np.nonzero(np.kron(np.eye(3), 1 - np.eye(4))), n=14)
    expected = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12], [13]]
    assert groups(gl.native.louvain(islands)) == expected


def planted(k, size, inside, outside, seed):
    """Return a planted partition."""
    return from_networkx(nx.planted_partition_graph(k, size, inside, outside, seed=seed))


def test_modularity_beside_the_algebra():
    graphs = [
        gl.generate.grid(20, 30),
        gl.generate.kronecker(9, seed=1),
        gl.generate.kronecker(9, seed=2, weights=(1, 255)),
        planted(10, 20, 0.4, 0.02, 1),
        planted(20, 10, 0.4, 0.02, 2),
        random_graph(200, 600, kind="directed", seed=3),
        gl.generate.cycle(300),
    ]
    for G in graphs:
        assert gl.native.louvain(G).modularity > gl.louvain(G).modularity - 0.01


def median_of_igraph(G, seeds):
    """Return the median modularity of igraph's communities, which depend on a random order."""
    pytest.importorskip("igraph")
    from graphla.interop.igraph import to_igraph

    H, found, before = to_igraph(G), [], random.getstate()
    try:
        for seed in range(seeds):
            random.seed(seed)
            weights = "weight" if H.is_weighted() else None
            found.append(H.community_multilevel(weights=weights).modularity)
    finally:
        random.setstate(before)
    return np.median(found)


@pytest.mark.parametrize("name", ["karate", "les_miserables"])
def test_modularity_beside_igraph_on_real_graphs(name):
    G = getattr(gl.generate, name)()
    assert gl.native.louvain(G).modularity >= median_of_igraph(G, 25) - 1e-9


@pytest.mark.thorough
def test_modularity_beside_igraph_on_large_graphs():
    graphs = [
        gl.generate.grid(200, 200),
        gl.generate.kronecker(13, seed=1),
        gl.generate.kronecker(13, seed=1, weights=(1, 255)),
        planted(50, 60, 0.3, 0.005, 1),
    ]
    for G in graphs:
        assert gl.native.louvain(G).modularity >= median_of_igraph(G, 5) - 1e-4


def test_a_higher_resolution_gives_smaller_communities():
    G = random_graph(200, 800, kind="undirected", seed=1)
    few, many = (len(groups(gl.native.louvain(G, resolution=x))) for x in (0.5, 3))
    assert few < many


def test_more_merges_raise_the_modularity():
    G = gl.generate.grid(20, 20)
    found = [gl.native.louvain(G, max_levels=k) for k in (1, 2, 3, 99)]
    for one, more in itertools.pairwise(found):
        assert more.modularity >= one.modularity
    assert len(groups(found[0])) > len(groups(found[-1]))
    assert gl.native.louvain(G, max_levels=99).community.isequal(gl.native.louvain(G).community)
    only_one = gl.native.louvain(G, tol=0.9)  # more than a level gains
    assert only_one.community.isequal(found[0].community)


@compiled
def test_a_long_path():
    n = 100_000
    G = edges(np.arange(n - 1), np.arange(1, n), n=n, kind="undirected")
    community, modularity = gl.native.louvain(G)
    assert modularity > 0.99
    assert modularity == pytest.approx(gl.modularity(G, community), abs=1e-9)


@compiled
@pytest.mark.parametrize("n", [2, pytest.param(8, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_the_result_does_not_depend_on_the_threads(n, kind, monkeypatch):
    monkeypatch.setattr(module, "LITTLE", 0)
    monkeypatch.setattr(module, "GROUP", 500)
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 400, (2, 4000)) ** 2 // 400
    G = edges(src, dst, rng.random(4000), n=400, kind=kind)
    expected = gl.native.louvain(G)
    with threads(n):
        for _ in range(5):
            found = gl.native.louvain(G)
            assert found.community.isequal(expected.community)
            assert found.modularity == expected.modularity


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, monkeypatch):
    monkeypatch.setattr(module, "LITTLE", 0)
    for G in (gl.generate.kronecker(12, seed=1), hubs_and_isolated("undirected")):
        expected = gl.native.louvain(G).community
        with threads(n):
            for _ in range(20):
                assert gl.native.louvain(G).community.isequal(expected)


def test_communities_are_split_into_groups_of_about_equally_many_entries():
    """A group ends with the row that reaches the size. No result shows how work is shared out."""
    size, entries = 10, np.array([4, 5, 3, 12, 0, 9, 1, 2, 6, 6, 6])
    end = entries.cumsum()
    members, starts = np.arange(11, dtype=np.int32), np.array([0, 4, 4, 11])
    split = module._split_communities(end - entries, end, members, starts, size)
    bounds, owner, room = (part.tolist() for part in split)
    assert bounds == [0, 3, 4, 7, 10, 11]
    assert owner == [0, 0, 2, 2, 2]
    assert room == [0, 12, 24, 34, 48, 54]


def test_refused():
    G = random_graph(3, 3, kind="undirected")
    with pytest.raises(InvalidValue, match="tol=0"):
        gl.native.louvain(G, tol=0)
    with pytest.raises(InvalidValue, match="max_levels=0"):
        gl.native.louvain(G, max_levels=0)
    with pytest.raises(DomainMismatch, match="resolution"):
        gl.native.louvain(G, resolution=None)
    with pytest.raises(InvalidValue, match="resolution"):
        gl.native.louvain(G, resolution=np.nan)
    for weight in (-1.0, np.inf, np.nan):
        with pytest.raises(InvalidValue, match="louvain"):
            gl.native.louvain(edges([0, 1], [1, 2], [1.0, weight], n=3, kind="undirected"))
    with pytest.raises(InvalidValue, match="infinite sum"):
        gl.native.louvain(edges([0, 1], [1, 2], [1e308, 1e308], n=3, kind="undirected"))
