"""NetworKit: C++ and OpenMP, on as many threads as :func:`graphla.set_threads` has set.

Searches run on one thread. Parents are available only by a call for each vertex, so there are
`bfs_levels` and `sssp_distances` but no `bfs` and `sssp`. Triangles are counted for every edge,
and the counts are summed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert, measure
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import directed, negative_weights, too_long

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def to_networkit(G: Graph, *, directed: bool | None = None) -> Any:
    """Return a networkit.Graph and set NetworKit's number of threads."""
    import networkit as nk

    nk.setNumberOfThreads(measure.threads())
    directed = G.kind == "directed" if directed is None else directed
    src, dst, weight = convert.columns(G) if directed else convert.edges(G)
    weight = np.ones(src.size) if weight is None else weight.astype(np.float64)
    ends = src.astype(np.uint64), dst.astype(np.uint64)
    return nk.GraphFromCoo((weight, ends), n=G.n, weighted=G.weighted, directed=directed)


def to_simple(G: Graph) -> Any:
    """Return the graph with edge numbers and without self-loops, which would count as triangles."""
    H = to_networkit(G)
    H.removeSelfLoops()
    H.indexEdges()
    return H


def levels(H: Any, source: int) -> Any:
    from networkit.distance import BFS

    return BFS(H, source, storePaths=False).run().getDistances(asarray=True)


def distances(H: Any, source: int) -> Any:
    from networkit.distance import Dijkstra

    return Dijkstra(H, source, storePaths=False).run().getDistances(asarray=True)


def spanning_forest(H: Any, start: None) -> Any:
    """Return a graph that has the forest's edges without their weights."""
    from networkit.graph import KruskalMSF

    return KruskalMSF(H).run().getForest()


def components(H: Any, start: None) -> Any:
    from networkit.components import ParallelConnectedComponents, WeaklyConnectedComponents

    find = WeaklyConnectedComponents if H.isDirected() else ParallelConnectedComponents
    return find(H).run().getPartition()


def strong_components(H: Any, start: None) -> Any:
    from networkit.components import StronglyConnectedComponents

    return StronglyConnectedComponents(H).run().getPartition()


def pagerank(H: Any, start: None) -> Any:
    """NetworKit spreads the rank of vertices without out-edges in directed graphs only."""
    from networkit.centrality import Norm, PageRank, SinkHandling

    rank = PageRank(H, damp=0.85, tol=1e-4, distributeSinks=SinkHandling.DistributeSinks)
    rank.norm = Norm.L1_NORM
    return rank.run().scores()


def triangles(H: Any, start: None) -> int:
    from networkit.sparsification import TriangleEdgeScore

    return sum(TriangleEdgeScore(H).run().scores()) // 3


def closeness(H: Any, start: None) -> Any:
    from networkit.centrality import Closeness, ClosenessVariant

    return Closeness(H, True, ClosenessVariant.GENERALIZED).run().scores()


def coefficients(H: Any, start: None) -> Any:
    from networkit.centrality import LocalClusteringCoefficient

    return LocalClusteringCoefficient(H, turbo=True).run().scores()


def cores(H: Any, start: None) -> Any:
    from networkit.centrality import CoreDecomposition

    return CoreDecomposition(H).run().scores()


def stable_labels(H: Any, start: None) -> Any:
    """Propagate labels until a round changes none."""
    from networkit.community import PLP

    return PLP(H, updateThreshold=0).run().getPartition()


def communities(H: Any, start: None) -> Any:
    from networkit.community import PLM

    return PLM(H).run().getPartition()


def as_components(G: Graph, partition: Any) -> Any:
    return convert.smallest_vertices(partition.getVector())


def as_forest(G: Graph, H: Any) -> Any:
    src, dst = np.array(list(H.iterEdges()), np.int64).reshape(-1, 2).T
    return convert.forest(src, dst, convert.weights_of(G, src, dst))


entry = partial(Implementation, name="networkit", prepare=to_networkit, library="networkit")
IMPLEMENTATIONS = (
    entry(
        algorithm="bfs_levels",
        returns="levels",
        run=levels,
        result=lambda G, level: convert.levels(level),
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        run=distances,
        result=lambda G, distance: convert.distances(distance),
        refuses=negative_weights,
    ),
    entry(
        algorithm="minimum_spanning_forest",
        returns="edges",
        run=spanning_forest,
        result=as_forest,
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=components,
        result=as_components,
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        prepare=partial(to_networkit, directed=True),
        run=strong_components,
        result=as_components,
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        prepare=partial(to_networkit, directed=True),
        run=pagerank,
        result=lambda G, ranks: convert.ranks(ranks),
        refuses=lambda G: None if G.n else "ends the process on a graph without vertices",
    ),
    entry(
        algorithm="triangle_count",
        returns="counts of edges",
        prepare=to_simple,
        run=triangles,
    ),
    entry(
        algorithm="closeness_centrality",
        returns="scores",
        run=closeness,
        result=lambda G, scores: convert.vector(np.array(scores, float)),
        refuses=lambda G: (
            directed(G)
            or (None if G.n else "ends the process on a graph without vertices")
            or too_long(G.n * G.A.nvals * 1e-8, "a search from each vertex")
        ),
    ),
    entry(
        algorithm="clustering_coefficient",
        returns="coefficients",
        prepare=to_simple,
        run=coefficients,
        result=lambda G, c: convert.vector(np.array(c, float)),
        refuses=directed,
    ),
    entry(
        algorithm="core_number",
        returns="core numbers",
        prepare=to_simple,
        run=cores,
        result=lambda G, core: convert.vector(np.array(core, np.int64)),
        refuses=directed,
    ),
    entry(
        algorithm="label_propagation",
        returns="communities",
        prepare=to_simple,
        run=stable_labels,
        result=as_components,
    ),
    entry(
        algorithm="louvain",
        returns="communities",
        run=communities,
        result=lambda G, partition: convert.communities(partition.getVector()),
        refuses=directed,
    ),
)
