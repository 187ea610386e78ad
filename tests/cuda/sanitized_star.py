"""The section of tests/cuda/sanitized.py for the STAR-machine, on both engines."""

from __future__ import annotations

import numpy as np

import graphla as gl
from graphla.core.engines import host_array


def star():
    """Slices, tables and algorithms of the STAR-machine: engine "cuda" equals "cpu"."""
    from graphla import star
    from graphla.star import algorithms as written

    rng = np.random.default_rng(3)
    n = 130  # several words of 64 bits, the last one in part, and several blocks of pivots
    rows, control = rng.random((n, n)) < 0.02, rng.random(n) < 0.7
    values, G = rng.integers(0, 32, n), gl.generate.grid(3, 3, seed=1, weights=(1, 9))

    def results(engine):
        T, X = (
            star.Table.from_numpy(rows, engine=engine),
            star.Slice.from_numpy(control, engine=engine),
        )
        for name in ("warshall", "warshall_columns", "warshall_adapted", "warshall_blocked"):
            yield getattr(written, name)(T).to_numpy()
        V = star.Table.from_integers(values, 5, engine=engine)
        for name in ("match", "unequal", "less", "greater_equal"):
            yield getattr(star, name)(V, 7, X).to_numpy()
        yield star.minimum(V, X).to_numpy()
        yield star.maximum(V, X).to_numpy()
        yield host_array(star.add(V, V, X, bits=6).to_integers())
        yield host_array(star.subtract(V, 3).to_integers())
        halves = star.Table.from_integers(values // 2, 5, engine=engine)
        yield host_array(star.merge(V, X, halves).to_integers())
        H = G if engine == "cpu" else G.to("cuda")
        yield from written.floyd(star.Weights.from_graph(H))[0].to_numpy()
        E = star.Arcs.from_graph(H)
        yield written.kruskal(E).to_numpy()
        yield written.prim_dijkstra(E).to_numpy()

    for ours, theirs in zip(results("cuda"), results("cpu"), strict=True):
        np.testing.assert_array_equal(ours, theirs)
