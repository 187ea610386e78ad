"""Correct results by NetworkX, and corrupted ones, for tests of graphla.verify."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Matrix, Vector
from hypothesis import strategies as st

from graphla.core.results import Edges, Forest
from graphla.errors import (
    VerificationError,
)
from tests.graphs import edge_cases, simple_networkx, to_networkx


def vector(entries, n, dtype=np.int64):
    """Return a Vector with the entries of a dict."""
    return Vector.from_coo(list(entries), np.array(list(entries.values()), dtype), size=n)


def assert_rejected(check, *args, match=None, **kwargs):
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


# ---- results by NetworkX


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
    return sum(nx.triangles(simple_networkx(G)).values()) // 3
