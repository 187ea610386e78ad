"""Calls of other Python libraries that graphla's own tables of peers do not have.

    python benchmarks/run.py --peer python_peers --graphs kron13 --algorithms k_truss

- `k_truss` of NetworkX: NetworKit, igraph and rustworkx have none.
- `triangles` of NetworKit: its clustering coefficients, from which the counts follow. The
  multiplication by the pairs of neighbours is not timed.
- `all_pairs_shortest_paths` of NetworKit: searches from the sources in parallel.
- `label_propagation` of NetworKit, in place of the entry of the same name: threads of its PLP mark
  vertices as active in one vector of bits without synchronisation, so that marks can be lost. With
  16 threads it ended although some vertices did not have the most frequent label of their
  neighbours. Here it is run again from its own result until that does not change.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from graphblas import Matrix

from graphla.comparison import convert
from graphla.comparison.algorithms import TRUSS
from graphla.comparison.implementations import Implementation, register
from graphla.comparison.peers import networkit, networkx
from graphla.comparison.refusals import directed, intersection_steps, negative_weights, too_long

MAX_RUNS = 50  # of label propagation


def networkx_truss(H, _start):
    """Return the graph of the truss."""
    import networkx as nx

    return nx.k_truss(H, TRUSS)


def as_truss(G, H):
    """Return the truss with the number of triangles on each edge."""
    import networkx as nx

    H = H.copy()  # it lacks vertices
    H.add_nodes_from(range(G.n))
    A = nx.to_scipy_sparse_array(H, nodelist=range(G.n), dtype=np.int64, format="csr")
    counts = (A @ A).multiply(A).tocoo()
    return Matrix.from_coo(counts.row, counts.col, counts.data, nrows=G.n, ncols=G.n)


def to_networkx(G):
    """Return a graph without self-loops, which NetworkX's function refuses."""
    return networkx.to_networkx(convert.without_self_edges(G))


def paths(H, sources):
    """Return the distances from the sources, searches in parallel."""
    from networkit.distance import SPSP

    return SPSP(H, sources).run().getDistances(asarray=True)


def as_distances(_G, found):
    """Return the distances; unreached vertices have the largest FP64."""
    found = np.asarray(found, np.float64)
    return convert.distance_matrix(np.where(found < np.finfo(np.float64).max, found, np.inf))


def as_triangles(G, coefficients):
    """Return the numbers of triangles of the vertices."""
    degree = np.diff(convert.without_self_edges(G).csr.indptr).astype(np.int64)
    counts = np.array(coefficients, float) * (degree * (degree - 1) // 2)
    return convert.vector(np.rint(counts).astype(np.int64))


def stable_labels(H, _start):
    """Propagate labels until a whole round over all vertices changes none."""
    from networkit.community import PLP

    partition = PLP(H, updateThreshold=0).run().getPartition()
    for _ in range(MAX_RUNS):
        again = PLP(H, updateThreshold=0, baseClustering=partition).run()
        if again.numberOfIterations() <= 1:
            return partition
        partition = again.getPartition()
    raise RuntimeError(f"labels still changed after {MAX_RUNS} runs")


entry = partial(Implementation, name="networkit", library="networkit")
for implementation in (
    Implementation(
        name="networkx",
        library="networkx",
        algorithm="k_truss",
        returns="edges",
        prepare=to_networkx,
        run=networkx_truss,
        result=as_truss,
        refuses=lambda G: too_long(intersection_steps(G) * 1e-6, "sets of Python"),
    ),
    entry(
        algorithm="triangles",
        returns="coefficients",
        prepare=networkit.to_simple,
        run=networkit.coefficients,
        result=as_triangles,
        refuses=directed,
    ),
    entry(
        algorithm="all_pairs_shortest_paths",
        returns="distances",
        prepare=networkit.to_networkit,
        run=paths,
        result=as_distances,
        refuses=negative_weights,
    ),
    entry(
        algorithm="label_propagation",
        returns="communities, run until stable",
        prepare=networkit.to_simple,
        run=stable_labels,
        result=networkit.as_components,
    ),
):
    register(implementation)
