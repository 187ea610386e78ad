"""Helpers for tests of shortest paths: SciPy's distances, and checks of a shortest-path tree."""

from __future__ import annotations

import numpy as np
import scipy.sparse.csgraph as csgraph

from graphla import Graph
from tests.graphs import to_scipy


def lengths(G, source):
    """Return SciPy's distances as float64; an unreached vertex has inf."""
    return csgraph.bellman_ford(to_scipy(G), indices=source)


def weighted(G, low, high, dtype=np.int64, seed=0):
    """Return G with random weights low..high-1, the same in both directions of an edge."""
    rows, cols, _ = G.A.to_coo()
    rng = np.random.default_rng(seed)
    table = rng.integers(low, high, (G.n, G.n)).astype(dtype)
    values = table[np.minimum(rows, cols), np.maximum(rows, cols)]
    return Graph.from_edges(
        rows.astype(np.int64), cols.astype(np.int64), values, n=G.n, kind=G.kind, dup="min"
    )


def check_tree(G, source, distance, parent):
    """Check that parents form a tree rooted at the source, and that its edges are tight."""
    reached, d = distance.to_coo()
    vertices, p = parent.to_coo()
    np.testing.assert_array_equal(vertices, reached)
    assert parent.dtype == "INT32"
    d_of = dict(zip(reached.tolist(), d, strict=True))
    parent_of = dict(zip(vertices.tolist(), p.tolist(), strict=True))
    assert d_of[source] == 0
    assert parent_of[source] == source
    rows, cols, values = G.A.to_coo()
    if not G.weighted:
        values = np.ones(len(rows), np.int64)
    w = dict(zip(zip(rows.tolist(), cols.tolist(), strict=True), values, strict=True))
    depth = {source: 0}
    for v in parent_of:
        path = []
        while v not in depth:
            assert len(path) < G.n, "the parents form a cycle"
            path.append(v)
            v = parent_of[v]
        for u in reversed(path):
            depth[u] = depth[parent_of[u]] + 1
    kind = distance.dtype.np_type.type
    for v, u in parent_of.items():
        if v != source:
            assert kind(d_of[u]) + kind(w[u, v]) == d_of[v]


def check(G, source, distance, parent, expected=None):
    """Check distances against SciPy's, and that the parents are a tree of shortest paths."""
    expected = lengths(G, source) if expected is None else expected
    dense = np.full(G.n, np.inf)
    indices, values = distance.to_coo()
    dense[indices] = values
    np.testing.assert_array_equal(dense, expected)
    check_tree(G, source, distance, parent)
