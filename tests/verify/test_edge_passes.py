"""Passes over blocks of edges against SciPy, NetworkX and plain loops."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.verify import edge_passes
from tests.graphs import edges, random_graph, to_networkx
from tests.oracles import triangles_of
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")
PARENTS = st.integers(1, 30).flatmap(
    lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)
)


@given(graphs())
def test_blocks_are_all_edges_in_row_order(G):
    blocks = list(edge_passes.edge_blocks(G))
    found = [(i, j) for src, dst, _ in blocks for i, j in zip(src, dst, strict=True)]
    assert found == list(zip(*G.A.to_coo()[:2], strict=True))
    assert all(len(src) <= max(1, G.n) for src, _, _ in blocks)
    assert edge_passes.scipy_pattern(G).toarray().astype(bool).tolist() == (
        G.A.to_dense(fill_value=False).astype(bool).tolist()
    )


@given(PARENTS)
def test_ends_and_lengths_of_chains(parent):
    parent = np.array(parent)
    end, depth = edge_passes.chain_ends_and_depths(np, parent)
    for v in range(parent.size):
        seen, u = [v], v
        while parent[u] not in seen:
            u = int(parent[u])
            seen.append(u)
        if parent[u] == u:
            assert (end[v], depth[v]) == (u, len(seen) - 1)
        else:  # a longer cycle
            assert end[v] in seen[seen.index(parent[u]) :]


@given(graphs())
def test_components(G):
    found = edge_passes.smallest_in_component(np, G.n, edge_passes.edge_blocks(G))
    for part in nx.weakly_connected_components(to_networkx(G).to_directed()):
        assert {found[v] for v in part} == {min(part)}
    smallest, size = edge_passes.strong_components(edge_passes.scipy_pattern(G))
    for part in nx.strongly_connected_components(to_networkx(G).to_directed()):
        assert {(smallest[v], size[v]) for v in part} == {(min(part), len(part))}


@given(graphs(), st.data())
def test_what_a_source_reaches(G, data):
    source = data.draw(st.integers(0, G.n - 1))
    blocks = [(src, dst) for src, dst, _ in edge_passes.edge_blocks(G)]
    reached = {source} | nx.descendants(to_networkx(G), source)
    wanted = np.isin(np.arange(G.n), list(reached))
    found = edge_passes.reachable(np, source, wanted, blocks)
    assert wanted[found].all()
    assert found[wanted].all()


def test_the_heaviest_edge_on_a_path_of_a_forest():
    rng = np.random.default_rng(5)
    n = 40
    src, dst = np.arange(1, n), np.array([rng.integers(0, v) for v in range(1, n)])
    weight = rng.integers(0, 9, n - 1)
    rounds = edge_passes.boruvka_rounds(np, n, src, dst, weight)
    tree = nx.Graph()
    tree.add_weighted_edges_from(zip(src.tolist(), dst.tolist(), weight.tolist(), strict=True))
    for u, v in rng.integers(0, n, (60, 2)).tolist():
        if u == v:
            continue
        path = nx.shortest_path(tree, u, v)
        heaviest, a, b = 0, u, v
        for joining, merged in rounds:
            heaviest = max(heaviest, joining[a], joining[b])
            a, b = merged[a], merged[b]
            if a == b:
                break
        assert heaviest == max(tree[x][y]["weight"] for x, y in nx.utils.pairwise(path))


def test_triangles_counted_and_drawn():
    G = random_graph(60, 500, kind="undirected", seed=2)
    U = edge_passes.oriented_rows(G)
    triangles = triangles_of(G)
    assert edge_passes.count_triangles(U) == triangles
    closed, pairs = edge_passes.sample_closed_pairs(np, U, 20_000, seed=1)
    assert closed / 20_000 * pairs == pytest.approx(triangles, rel=0.1)


def test_one_step_of_pagerank():
    G = edges([0, 0, 1], [1, 2, 2], n=4)
    rank = np.array([0.4, 0.3, 0.2, 0.1])
    with_dangling = (0.15 + 0.85 * 0.3) / 4
    base = with_dangling, 0.15 / 4
    for dangling, b in zip((True, False), base, strict=True):
        found = edge_passes.pagerank_step(G, rank, 0.85, dangling)
        assert found == pytest.approx([b, b + 0.85 * 0.2, b + 0.85 * 0.5, b])
