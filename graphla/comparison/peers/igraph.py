"""igraph: one thread, results as Python lists.

No call returns distances together with one tree, so there is `sssp_distances` but no `sssp`.
PageRank is solved exactly (prpack). An undirected self-loop counts twice in a degree; a graph
with self-loops is therefore passed with each edge in both directions.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import (
    directed,
    intersection_steps,
    negative_weights,
    too_long,
)
from graphla.core.results import BFS, SSSP
from graphla.interop.igraph import to_igraph

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def weight_attribute(H: Any) -> str | None:
    return "weight" if H.is_weighted() else None


def to_simple(G: Graph) -> Any:
    """Return the graph without self-loops."""
    return to_igraph(convert.without_self_edges(G))


def distances(H: Any, source: int, *, method: str) -> Any:
    return H.distances(source, weights=weight_attribute(H), mode="out", algorithm=method)[0]


def all_distances(H: Any, sources: list[int]) -> Any:
    return H.distances(sources, weights=weight_attribute(H), mode="out", algorithm="dijkstra")


def betweenness(H: Any, sources: list[int]) -> Any:
    return H.betweenness(directed=H.is_directed(), sources=sources)


def as_bfs(G: Graph, result: Any) -> Any:
    order, level_starts, predecessor = result
    order, level = np.array(order), np.full(G.n, -1)
    level[order] = np.repeat(np.arange(len(level_starts) - 1), np.diff(level_starts))
    parent = np.where(level >= 0, predecessor, -1)
    return BFS(convert.vector(level, level >= 0), convert.parents(parent, order[0]))


def as_forest(G: Graph, edge_numbers: Any) -> Any:
    src, dst, weight = convert.edges(G)
    k = np.array(edge_numbers, np.int64)
    weight = np.ones(k.size) if weight is None else weight[k]
    return convert.forest(src[k], dst[k], weight)


def as_scores(G: Graph, scores: Any) -> Any:
    """Double the scores of undirected graphs: igraph counts each unordered pair once."""
    return convert.vector(np.array(scores, float) * (1 if G.kind == "directed" else 2))


entry = partial(Implementation, name="igraph", prepare=to_igraph, library="igraph")
IMPLEMENTATIONS = (
    entry(
        algorithm="bfs",
        returns="levels, parents",
        run=lambda H, source: H.bfs(source, mode="out"),
        result=as_bfs,
    ),
    entry(
        algorithm="bfs_levels",
        returns="levels",
        run=lambda H, source: H.distances(source, mode="out")[0],
        result=lambda G, d: convert.levels(d),
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        run=partial(distances, method="dijkstra"),
        result=lambda G, d: convert.distances(d),
        refuses=negative_weights,
    ),
    entry(
        algorithm="all_pairs_shortest_paths",
        returns="distances",
        run=all_distances,
        result=lambda G, d: convert.distance_matrix(d),
        refuses=negative_weights,
    ),
    entry(
        algorithm="bellman_ford",
        returns="distances",
        run=partial(distances, method="bellman_ford"),
        result=lambda G, d: SSSP(convert.distances(d), None),
        refuses=lambda G: too_long(G.A.nvals * 1e-6, "about 1 us an edge"),
    ),
    entry(
        algorithm="minimum_spanning_forest",
        returns="forest",
        run=lambda H, start: H.spanning_tree(weights=weight_attribute(H), return_tree=False),
        result=as_forest,
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=lambda H, start: H.connected_components(mode="weak").membership,
        result=lambda G, label: convert.smallest_vertices(label),
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        prepare=partial(to_igraph, directed=True),
        run=lambda H, start: H.connected_components(mode="strong").membership,
        result=lambda G, label: convert.smallest_vertices(label),
    ),
    entry(
        algorithm="pagerank",
        returns="exact ranks",
        prepare=lambda G: to_igraph(G, directed=G.nself_edges > 0),
        run=lambda H, start: H.pagerank(damping=0.85, implementation="prpack"),
        result=lambda G, ranks: convert.ranks(ranks),
    ),
    entry(
        algorithm="triangle_count",
        returns="triangles",
        run=lambda H, start: len(H.list_triangles()),
        refuses=lambda G: too_long(intersection_steps(G) * 1e-8, "it lists all triangles"),
    ),
    entry(
        algorithm="betweenness_centrality",
        returns="scores",
        run=betweenness,
        result=as_scores,
    ),
    entry(
        algorithm="clustering_coefficient",
        returns="coefficients",
        prepare=to_simple,
        run=lambda H, start: H.transitivity_local_undirected(mode="zero"),
        result=lambda G, c: convert.vector(np.array(c, float)),
        refuses=directed,
    ),
    entry(
        algorithm="core_number",
        returns="core numbers",
        prepare=to_simple,
        run=lambda H, start: H.coreness(mode="all"),
        result=lambda G, core: convert.vector(np.array(core, np.int64)),
    ),
    entry(
        algorithm="greedy_color",
        returns="colours",
        prepare=to_simple,
        run=lambda H, start: H.vertex_coloring_greedy(),
        result=lambda G, color: convert.vector(np.array(color, np.int64)),
    ),
    entry(
        algorithm="label_propagation",
        returns="communities",
        prepare=to_simple,
        run=lambda H, start: H.community_label_propagation().membership,
        result=lambda G, label: convert.smallest_vertices(label),
    ),
    entry(
        algorithm="louvain",
        returns="communities",
        run=lambda H, start: H.community_multilevel(weights=weight_attribute(H)).membership,
        result=lambda G, label: convert.communities(label),
        refuses=directed,
    ),
)
