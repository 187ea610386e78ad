"""Small graphs that every algorithm is tested on, and conversions for SciPy and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import scipy.sparse as ss

from graphla import Graph


def edges(src, dst, weight=None, *, n, kind="directed"):
    dtype = np.int64
    return Graph.from_edges(
        np.array(src, dtype), np.array(dst, dtype), weight, n=n, kind=kind, dup="min"
    )


def edge_cases(kind="directed"):
    """Return {name: Graph} of graphs at which algorithms often fail."""
    return {
        "empty": edges([], [], n=0, kind=kind),
        "one vertex": edges([], [], n=1, kind=kind),
        "one loop": edges([0], [0], n=1, kind=kind),
        "no edges": edges([], [], n=5, kind=kind),
        "one edge": edges([0], [1], n=2, kind=kind),
        "isolated ends": edges([1, 2], [2, 3], n=6, kind=kind),
        "loops": edges([0, 0, 1, 2], [0, 1, 1, 2], n=3, kind=kind),
        "duplicates": edges([0, 0, 1, 1], [1, 1, 2, 2], [3, 1, 2, 2], n=3, kind=kind),
        "two parts": edges([0, 1, 3, 4], [1, 2, 4, 5], [1, 1, 2, 2], n=6, kind=kind),
        "zero weights": edges([0, 1, 2, 0], [1, 2, 3, 3], [0, 0, 0, 1], n=4, kind=kind),
        "equal weights": edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [7] * 5, n=4, kind=kind),
        "path": edges(range(9), range(1, 10), n=10, kind=kind),
        "star": edges([0] * 9, range(1, 10), n=10, kind=kind),
        "cycle": edges(range(8), [*range(1, 8), 0], n=8, kind=kind),
        "complete": edges(*np.nonzero(~np.eye(7, dtype=bool)), n=7, kind=kind),
    }


DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64"),
]


def random_graph(n, m, *, kind="directed", dtype=None, high=256, seed=0):
    """Return n vertices and m random edges with weights 1..high-1 of a dtype (None: unweighted)."""
    rng = np.random.default_rng(seed)
    weight = None
    if dtype is not None:
        top = min(high, np.iinfo(dtype).max) if np.dtype(dtype).kind in "iu" else high
        weight = (rng.integers(1, top, m) if dtype != "bool" else np.ones(m)).astype(dtype)
    return edges(rng.integers(0, n, m), rng.integers(0, n, m), weight, n=n, kind=kind)


def to_scipy(G, dtype=np.float64):
    """Return the adjacency matrix as a SciPy CSR array; unweighted edges get weight 1."""
    csr = G.csr
    values = np.ones(csr.indices.size) if csr.values is None else csr.values
    return ss.csr_array((values.astype(dtype), csr.indices, csr.indptr), shape=(G.n, G.n))


def to_networkx(G):
    """Return the graph as a NetworkX graph with weights as Python numbers."""
    rows, cols, values = G.A.to_coo()
    H = (nx.Graph if G.kind == "undirected" else nx.DiGraph)()
    H.add_nodes_from(range(G.n))
    weights = [1] * len(rows) if not G.weighted else values.tolist()
    H.add_weighted_edges_from(zip(rows.tolist(), cols.tolist(), weights, strict=True))
    return H


def from_networkx(H, kind=None):
    """Return a NetworkX graph with nodes 0..n-1 as an unweighted Graph."""
    kind = kind or ("directed" if H.is_directed() else "undirected")
    pairs = np.array(list(H.edges()), dtype=np.int64).reshape(-1, 2)
    return edges(pairs[:, 0], pairs[:, 1], n=H.number_of_nodes(), kind=kind)


def atlas():
    """Return all 1253 graphs of up to seven vertices, as (NetworkX, Graph) pairs."""
    return [(H, from_networkx(H)) for H in nx.graph_atlas_g()]


def oriented_atlas():
    """Return the graphs of the atlas with a random direction for each edge."""
    graphs = []
    for H, _ in atlas():
        pairs = np.array(list(H.edges()), dtype=np.int64).reshape(-1, 2)
        turn = np.random.default_rng(len(pairs)).random(len(pairs)) < 0.5
        pairs[turn] = pairs[turn, ::-1]
        graphs.append(edges(pairs[:, 0], pairs[:, 1], n=H.number_of_nodes()))
    return graphs


def of_networkx(function, H, **options):
    """Return the values of a function of NetworkX for each vertex, as an array."""
    values = function(H, **options)
    return np.array([values[v] for v in range(H.number_of_nodes())], dtype=np.float64)


def simple_networkx(G):
    """Return the graph without self-loops as a NetworkX graph."""
    H = to_networkx(G)
    H.remove_edges_from(list(nx.selfloop_edges(H)))
    return H


def assert_vertex_values(found, expected, *, dtype="FP64", rtol=0, atol=0):
    """Check the dtype of a Vector, that every vertex has an entry, and the values."""
    assert found.dtype == dtype
    assert found.nvals == found.size == len(expected)
    np.testing.assert_allclose(found.to_dense(), expected, rtol=rtol, atol=atol)


def hubs_and_isolated(kind="directed"):
    """Return 40,000 edges, 9000 of them to five hubs, and 1000 isolated vertices."""
    rng = np.random.default_rng(2)
    src, dst = rng.integers(0, 3000, (2, 40000))
    dst[:9000] = dst[:9000] ** 4 % 5
    return edges(src, dst, n=4000, kind=kind)


def large_and_small(n=4000):
    """Return one large component and 40 paths of 2 to 6 vertices, randomly relabelled."""
    rng = np.random.default_rng(0)
    large = n - 40 * 6
    src, dst = rng.integers(0, large, (2, 4 * large))
    starts = np.arange(large, n, 6)
    steps = np.concatenate([np.arange(s, s + 1 + k % 5) for k, s in enumerate(starts)])
    name = rng.permutation(n)
    src, dst = name[np.append(src, steps)], name[np.append(dst, steps + 1)]
    return edges(src, dst, n=n, kind="undirected")
