"""Random digraphs as weights of the STAR-machine, and checks of paths against SciPy."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

from graphla.star import Weights

SIZES = {"n": st.integers(1, 70), "degree": st.floats(0.5, 5), "seed": st.integers(0, 2**32)}


def digraph(n, degree, seed, shift=0):
    """Weights with infinity where there is no arc; potentials make some of them negative."""
    rng = np.random.default_rng(seed)
    D = np.where(rng.random((n, n)) < degree / n, rng.integers(0, 20, (n, n)), np.inf)
    height = rng.integers(0, shift + 1, n)
    return D + height[:, None] - height


def made(D, engine, signed=False):
    W = Weights(len(D), 8, signed=signed, engine="cpu")
    for i, j in zip(*np.isfinite(D).nonzero(), strict=True):
        W[i + 1, j + 1] = int(D[i, j])
    return W.to(engine)


def distances(D, method):
    return shortest_path(csgraph_from_dense(D, null_value=np.inf), method=method)


def check_paths(paths, D, model, s):
    """Distances are the model's, and parents are the last arcs of paths of these lengths."""
    d, parent, reached = paths.to_numpy()
    assert (np.where(reached, d, np.inf) == model).all()
    assert parent[s] == s + 1
    for v in set(np.flatnonzero(reached)) - {s}:
        assert d[v] == d[parent[v] - 1] + D[parent[v] - 1, v]
        seen = {v}
        while v != s:
            v = parent[v] - 1
            assert v not in seen
            seen.add(v)
    assert not parent[~reached].any()


def cycle(n):
    """Return the weights of a cycle of n arcs, and one more vertex; they sum to -1."""
    W = Weights(n + 1, 5, signed=True)
    for v in range(1, n + 1):
        W[v, v % n + 1] = 1 if v < n else -n
    return W
