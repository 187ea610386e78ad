"""Random lists of edges, and checks of forests against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np

from graphla.star import Arcs, Slice


def drawn_edges(n, m, seed, heaviest=20, loops=True):
    """Draw edges between vertices of 1..n: (u, v, weight), some of them parallel."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(1, n + 1, (2, m))
    w = rng.integers(0, heaviest + 1, m)
    keep = slice(None) if loops else u != v
    return list(zip(u[keep].tolist(), v[keep].tolist(), w[keep].tolist(), strict=True))


def listed(edges, n, engine, capacity=None, bits=8):
    u, v, w = zip(*edges, strict=True) if edges else ((), (), ())
    return Arcs.from_edges(u, v, w, n=n, bits=bits, capacity=capacity, engine=engine)


def network(edges, n):
    g = nx.MultiGraph()
    g.add_nodes_from(range(1, n + 1))
    g.add_weighted_edges_from(edges)
    return g


def chosen(E, rows):
    """Return the edges of a slice of rows."""
    return [(*E.ends(e), int(E.weight.row(e))) for e in rows.positions().tolist()]


def check_forest(forest, edges, vertices):
    """Check that the edges are a spanning forest of least weight."""
    g = nx.MultiGraph()
    g.add_nodes_from(vertices)
    g.add_weighted_edges_from(edges)
    model = nx.minimum_spanning_tree(g).edges(data="weight")
    assert len(forest) == len(model)
    assert sum(w for *_, w in forest) == sum(w for *_, w in model)
    f = nx.MultiGraph()
    f.add_nodes_from(vertices)
    f.add_weighted_edges_from(forest)
    assert nx.number_connected_components(f) == nx.number_connected_components(g)


def check_forest_of(algorithm, n, m, seed):
    """Check the forest of random edges, and that the algorithm leaves the list unchanged."""
    edges = drawn_edges(n, m, seed)
    E = listed(edges, n, "cpu", capacity=len(edges) + 2)
    check_forest(chosen(E, algorithm(E)), edges, range(1, n + 1))
    assert chosen(E, E.used) == edges


def check_forests_on(algorithm, engine):
    """Check the forests of random edges, and of every second one of them, on an engine."""
    edges = drawn_edges(30, 70, 3)
    E = listed(edges, 30, engine)
    check_forest(chosen(E, algorithm(E)), edges, range(1, 31))
    X = Slice.from_numpy([k % 2 for k in range(70)], engine=engine)
    check_forest(chosen(E, algorithm(E, X)), edges[1::2], range(1, 31))
