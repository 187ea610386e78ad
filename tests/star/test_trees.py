"""Search in a tree, the path to its root, and the edges of a cut, against NetworkX."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphla.star import Slice
from graphla.star.trees import cut_edges, search_tree, tree_path
from tests.star.algorithms.edges import drawn_edges, listed
from tests.star.models import drawn

SIZES = {"n": st.integers(1, 12), "degree": st.floats(0, 3), "seed": st.integers(0, 2**32)}


def forest_of(edges, n):
    """Return the graph of all vertices, and the rows of a spanning forest of the edges."""
    forest, rows = nx.empty_graph(range(1, n + 1)), []
    for row, (u, v, *_) in enumerate(edges):
        if not nx.has_path(forest, u, v):
            forest.add_edge(u, v)
            rows.append(row)
    return forest, np.isin(np.arange(len(edges)), rows)


@drawn
@given(**SIZES)
def test_search_and_paths(n, degree, seed):
    edges = drawn_edges(n, int(n * degree), seed)
    E = listed(edges, n, "cpu")
    forest, rows = forest_of(edges, n)
    v = 1 + seed % n
    seen, via = search_tree(E, Slice.from_numpy(rows), v)
    component = nx.node_connected_component(forest, v)
    assert {i + 1 for i in np.flatnonzero(seen.to_numpy())} == component
    assert int(via.row(v)) == 0
    for u in component:
        path = nx.shortest_path(forest, u, v)
        found = np.flatnonzero(tree_path(E, via, u).to_numpy())
        assert {frozenset(edges[k][:2]) for k in found} == set(map(frozenset, pairwise(path)))


@drawn
@given(**SIZES)
def test_cut(n, degree, seed):
    edges = drawn_edges(n, int(n * degree), seed)
    E = listed(edges, n, "cpu")
    inside = np.random.default_rng(seed).random(n) < 0.5
    rows = np.array([u != v for u, v, *_ in edges], bool)
    found = cut_edges(E, Slice.from_numpy(inside), Slice.from_numpy(rows)).to_numpy()
    assert found.tolist() == [bool(inside[u - 1] != inside[v - 1]) for u, v, *_ in edges]
