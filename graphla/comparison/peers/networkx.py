"""NetworkX: pure Python on dictionaries, except PageRank, which uses SciPy's matrix product.

Graphs are refused if the estimated time of a call, a few microseconds an edge, is too long.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import intersection_steps, negative_weights, too_long
from graphla.core.results import BFS, SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MAX_EDGES = 20_000_000  # an edge takes about 400 bytes


def to_networkx(G: Graph, *, directed: bool = False) -> Any:
    """Return a nx.Graph or DiGraph with Python numbers as weights."""
    import networkx as nx

    H = nx.Graph() if G.kind == "undirected" and not directed else nx.DiGraph()
    H.add_nodes_from(range(G.n))
    src, dst, weight = convert.columns(G) if H.is_directed() else convert.edges(G)
    if weight is None:
        H.add_edges_from(zip(src.tolist(), dst.tolist(), strict=True))
    else:
        H.add_weighted_edges_from(zip(src.tolist(), dst.tolist(), weight.tolist(), strict=True))
    return H


def bfs(H: Any, source: int) -> Any:
    import networkx as nx

    return source, dict(nx.bfs_predecessors(H, source))


def levels(H: Any, source: int) -> Any:
    import networkx as nx

    return nx.single_source_shortest_path_length(H, source)


def paths(H: Any, source: int, *, method: str) -> Any:
    import networkx as nx

    return getattr(nx, f"{method}_predecessor_and_distance")(H, source)


def distances(H: Any, source: int) -> Any:
    import networkx as nx

    return nx.single_source_dijkstra_path_length(H, source)


def spanning_forest(H: Any, start: None) -> Any:
    import networkx as nx

    return list(nx.minimum_spanning_edges(H))


def closure(H: Any, start: None) -> Any:
    import networkx as nx

    return nx.transitive_closure(H, reflexive=False)


def components(H: Any, start: None) -> Any:
    import networkx as nx

    find = nx.weakly_connected_components if H.is_directed() else nx.connected_components
    return list(find(H))


def strong_components(H: Any, start: None) -> Any:
    import networkx as nx

    return list(nx.strongly_connected_components(H))


def pagerank(H: Any, start: None, *, damping: float = 0.85, tol: float = 1e-4) -> Any:
    """Divide `tol` by n: NetworkX stops when the L1 change is below n tol."""
    import networkx as nx

    return nx.pagerank(H, damping, tol=tol / max(len(H), 1), weight=None, max_iter=1000)


def triangles(H: Any, start: None) -> int:
    import networkx as nx

    return sum(nx.triangles(H).values()) // 3


def betweenness(H: Any, sources: list[int]) -> Any:
    import networkx as nx

    return nx.betweenness_centrality_subset(H, sources, list(H))


def to_simple(G: Graph) -> Any:
    """Return the graph without self-loops."""
    return to_networkx(convert.without_self_edges(G))


def coefficients(H: Any, start: None) -> Any:
    import networkx as nx

    return nx.clustering(H)


def triangles_of_vertices(H: Any, start: None) -> Any:
    import networkx as nx

    return nx.triangles(H)


def cores(H: Any, start: None) -> Any:
    import networkx as nx

    return nx.core_number(H)


def colors(H: Any, start: None) -> Any:
    import networkx as nx

    return nx.greedy_color(H)


def as_bfs(G: Graph, result: Any) -> Any:
    source, predecessor = result
    return BFS(None, convert.vector_from_dict(G, {source: source, **predecessor}))


def as_sssp(G: Graph, result: Any) -> Any:
    predecessors, distance = result
    parent = {v: (u[0] if u else v) for v, u in predecessors.items()}
    source = next(iter(distance))
    parent[source] = source  # an edge of weight 0 may lead back to it
    return SSSP(as_distances(G, distance), convert.vector_from_dict(G, parent))


def as_distances(G: Graph, distance: Any) -> Any:
    return convert.vector_from_dict(G, distance, number_dtype(G))


def number_dtype(G: Graph) -> Any:
    """Return the dtype of distances, which are sums of the weights as Python numbers."""
    return np.float64 if G.dtype.name.startswith("FP") else np.int64


def as_forest(G: Graph, edges: Any) -> Any:
    src, dst, data = zip(*edges, strict=True) if edges else ((), (), ())
    return convert.forest(src, dst, [d.get("weight", 1) for d in data])


def as_closure(G: Graph, H: Any) -> Any:
    return convert.closure(G, [list(H.adj[v]) for v in range(G.n)])


def as_scores(G: Graph, scores: Any) -> Any:
    """Double the scores of undirected graphs: NetworkX counts each unordered pair once."""
    v = convert.vector_from_dict(G, scores, np.float64)
    return v if G.kind == "directed" else convert.vector(2 * v.to_dense())


def slow(G: Graph, seconds_per_edge: float) -> str | None:
    """Return a reason if the edges do not fit in memory or take too long."""
    if G.nedges > MAX_EDGES:
        return f"{G.nedges:,} edges take about {G.nedges * 4e-7:,.0f} GB in dictionaries"
    return too_long(G.A.nvals * seconds_per_edge, f"{seconds_per_edge * 1e6:g} us an edge")


def slow_closure(G: Graph) -> str | None:
    return slow(G, 1e-6) or too_long(G.n * G.A.nvals * 1e-6, "a search in Python from each vertex")


def slow_triangles(G: Graph) -> str | None:
    steps = intersection_steps(G)
    return slow(G, 1e-6) or too_long(steps * 5e-8, f"{steps:,} steps of intersections")


entry = partial(Implementation, name="networkx", prepare=to_networkx, library="networkx")
IMPLEMENTATIONS = (
    entry(
        algorithm="bfs",
        returns="parents",
        run=bfs,
        result=as_bfs,
        refuses=partial(slow, seconds_per_edge=1e-6),
    ),
    entry(
        algorithm="bfs_levels",
        returns="levels",
        run=levels,
        result=convert.vector_from_dict,
        refuses=partial(slow, seconds_per_edge=1e-6),
    ),
    entry(
        algorithm="sssp",
        returns="distances, parents",
        run=partial(paths, method="dijkstra"),
        result=as_sssp,
        refuses=lambda G: negative_weights(G) or slow(G, 2e-6),
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        run=distances,
        result=as_distances,
        refuses=lambda G: negative_weights(G) or slow(G, 2e-6),
    ),
    entry(
        algorithm="bellman_ford",
        returns="distances, parents",
        run=partial(paths, method="bellman_ford"),
        result=as_sssp,
        refuses=partial(slow, seconds_per_edge=1e-5),
    ),
    entry(
        algorithm="minimum_spanning_forest",
        returns="forest",
        run=spanning_forest,
        result=as_forest,
        refuses=partial(slow, seconds_per_edge=3e-6),
    ),
    entry(
        algorithm="transitive_closure",
        returns="graph",
        prepare=partial(to_networkx, directed=True),
        run=closure,
        result=as_closure,
        refuses=slow_closure,
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=components,
        result=convert.components_from_sets,
        refuses=partial(slow, seconds_per_edge=1e-6),
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        prepare=partial(to_networkx, directed=True),
        run=strong_components,
        result=convert.components_from_sets,
        refuses=partial(slow, seconds_per_edge=2e-6),
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        run=pagerank,
        result=lambda G, ranks: convert.ranks([ranks[v] for v in range(G.n)]),
        refuses=partial(slow, seconds_per_edge=2e-6),
    ),
    entry(algorithm="triangle_count", returns="count", run=triangles, refuses=slow_triangles),
    entry(
        algorithm="triangles",
        returns="counts",
        run=triangles_of_vertices,
        result=convert.vector_from_dict,
        refuses=slow_triangles,
    ),
    entry(
        algorithm="clustering_coefficient",
        returns="coefficients",
        run=coefficients,
        result=partial(convert.vector_from_dict, dtype=np.float64),
        refuses=slow_triangles,
    ),
    entry(
        algorithm="core_number",
        returns="core numbers",
        prepare=to_simple,
        run=cores,
        result=convert.vector_from_dict,
        refuses=partial(slow, seconds_per_edge=5e-6),
    ),
    entry(
        algorithm="greedy_color",
        returns="colours",
        prepare=to_simple,
        run=colors,
        result=convert.vector_from_dict,
        refuses=partial(slow, seconds_per_edge=2e-6),
    ),
    entry(
        algorithm="betweenness_centrality",
        returns="scores",
        run=betweenness,
        result=as_scores,
        refuses=partial(slow, seconds_per_edge=2e-5),
    ),
)
