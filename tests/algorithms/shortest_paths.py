"""What the tests of the shortest-path algorithms share: SciPy's distances, a tree's invariants."""

from __future__ import annotations

import numpy as np
import scipy.sparse.csgraph as csgraph

from graphla import Graph
from tests.graphs import to_scipy


def lengths(G, source):
    """Return SciPy's distances as float64, with inf where a vertex is not reached."""
    return csgraph.bellman_ford(to_scipy(G), indices=source)


def weighted(G, low, high, dtype=np.int64, seed=0):
    """Return the same edges with random weights low..high-1, equal both ways where undirected."""
    rows, cols, _ = G.A.to_coo()
    rng = np.random.default_rng(seed)
    table = rng.integers(low, high, (G.n, G.n)).astype(dtype)
    values = table[np.minimum(rows, cols), np.maximum(rows, cols)]
    return Graph.from_edges(
        rows.astype(np.int64), cols.astype(np.int64), values, n=G.n, kind=G.kind, dup="min"
    )


def check_tree(G, source, distance, parent):
    """Every parent is one edge nearer along a tight edge, and all lead to the source."""
    reached, d = distance.to_coo()
    found, p = parent.to_coo()
    np.testing.assert_array_equal(found, reached)
    assert parent.dtype == "INT32"
    d_of = dict(zip(reached.tolist(), d, strict=True))
    parent_of = dict(zip(found.tolist(), p.tolist(), strict=True))
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
            assert len(path) < G.n, "the parents close a cycle"
            path.append(v)
            v = parent_of[v]
        for u in reversed(path):
            depth[u] = depth[parent_of[u]] + 1
    kind = distance.dtype.np_type.type
    for v, u in parent_of.items():
        if v != source:
            assert kind(d_of[u]) + kind(w[u, v]) == d_of[v]


def check(G, source, distance, parent, expected=None):
    """Distances equal SciPy's and the parents are a tree of shortest paths."""
    expected = lengths(G, source) if expected is None else expected
    dense = np.full(G.n, np.inf)
    indices, values = distance.to_coo()
    dense[indices] = values
    np.testing.assert_array_equal(dense, expected)
    check_tree(G, source, distance, parent)
