"""Graph analytics as linear algebra.

Every algorithm is semiring SpMV / SpMM over an adjacency matrix. The public
names below are loaded on first use, so that ``import graphla`` alone loads
neither an array library nor an engine, unless the environment binds OpenMP threads
(:func:`graphla.core.threads.configure_openmp`).
"""

from __future__ import annotations

import importlib
from typing import Any

from graphla.core.threads import configure_openmp

__version__ = "0.1.0"

# public name -> module that defines it
_EXPORTS = {
    "Graph": "graphla.core.graph",
    "read": "graphla.io",
    "write": "graphla.io",
    "bellman_ford": "graphla.algorithms.paths.bellman_ford",
    "bellman_ford_distances": "graphla.algorithms.paths.bellman_ford",
    "bfs": "graphla.algorithms.traversal.bfs",
    "bfs_levels": "graphla.algorithms.traversal.bfs",
    "minimum_spanning_forest": "graphla.algorithms.spanning.minimum_spanning_forest",
    "compare_levels": "graphla.comparison.levels",
    "connected_components": "graphla.algorithms.components.connected_components",
    "pagerank": "graphla.algorithms.ranking.pagerank",
    "pagerank_gap": "graphla.algorithms.ranking.pagerank",
    "triangle_count": "graphla.algorithms.triangles.triangle_count",
    "clustering_coefficient": "graphla.algorithms.triangles.clustering_coefficient",
    "clustering_coefficient_weighted": "graphla.algorithms.triangles.clustering_coefficient",
    "triangles": "graphla.algorithms.triangles.clustering_coefficient",
    "transitivity": "graphla.algorithms.triangles.transitivity",
    "square_clustering": "graphla.algorithms.triangles.square_clustering",
    "core_number": "graphla.algorithms.cores.core_number",
    "k_core": "graphla.algorithms.cores.core_number",
    "k_truss": "graphla.algorithms.cores.k_truss",
    "closeness_centrality": "graphla.algorithms.centrality.closeness_centrality",
    "closeness_centrality_weighted": "graphla.algorithms.centrality.closeness_centrality",
    "harmonic_centrality": "graphla.algorithms.centrality.harmonic_centrality",
    "harmonic_centrality_weighted": "graphla.algorithms.centrality.harmonic_centrality",
    "degree_centrality": "graphla.algorithms.centrality.degree_centrality",
    "in_degree_centrality": "graphla.algorithms.centrality.degree_centrality",
    "out_degree_centrality": "graphla.algorithms.centrality.degree_centrality",
    "eigenvector_centrality": "graphla.algorithms.ranking.eigenvector_centrality",
    "katz_centrality": "graphla.algorithms.ranking.katz_centrality",
    "hits": "graphla.algorithms.ranking.hits",
    "common_neighbors": "graphla.algorithms.links.link_prediction",
    "jaccard_coefficient": "graphla.algorithms.links.link_prediction",
    "adamic_adar_index": "graphla.algorithms.links.link_prediction",
    "resource_allocation_index": "graphla.algorithms.links.link_prediction",
    "preferential_attachment": "graphla.algorithms.links.link_prediction",
    "common_neighbors_by_community": "graphla.algorithms.links.community_link_prediction",
    "resource_allocation_by_community": "graphla.algorithms.links.community_link_prediction",
    "within_inter_cluster": "graphla.algorithms.links.community_link_prediction",
    "reciprocity": "graphla.algorithms.links.reciprocity",
    "vertex_reciprocity": "graphla.algorithms.links.reciprocity",
    "global_efficiency": "graphla.algorithms.paths.efficiency",
    "local_efficiency": "graphla.algorithms.paths.efficiency",
    "greedy_color": "graphla.algorithms.communities.greedy_color",
    "label_propagation": "graphla.algorithms.communities.label_propagation",
    "edge_betweenness_centrality": "graphla.algorithms.centrality.edge_betweenness_centrality",
    "betweenness_centrality_weighted": "graphla.algorithms.centrality.betweenness_centrality_weighted",
    "edge_betweenness_centrality_weighted": "graphla.algorithms.centrality.betweenness_centrality_weighted",
    "all_pairs_shortest_paths": "graphla.algorithms.paths.all_pairs_shortest_paths",
    "johnson": "graphla.algorithms.paths.all_pairs_shortest_paths",
    "floyd_warshall": "graphla.algorithms.paths.floyd_warshall",
    "modularity": "graphla.algorithms.communities.modularity",
    "louvain": "graphla.algorithms.communities.louvain",
    "louvain_levels": "graphla.algorithms.communities.louvain",
    "pagerank_weighted": "graphla.algorithms.ranking.pagerank_weighted",
    "shortest_path_trees": "graphla.algorithms.paths.shortest_path_trees",
    "compare": "graphla.comparison.runner",
    "is_arborescence": "graphla.algorithms.spanning.trees",
    "is_branching": "graphla.algorithms.spanning.trees",
    "is_forest": "graphla.algorithms.spanning.trees",
    "is_tree": "graphla.algorithms.spanning.trees",
    "negative_cycle": "graphla.algorithms.paths.negative_cycle",
    "triangle_list": "graphla.algorithms.triangles.triangle_list",
    "betweenness_centrality": "graphla.algorithms.centrality.betweenness_centrality",
    "strongly_connected_components": "graphla.algorithms.components.strongly_connected_components",
    "transitive_closure": "graphla.algorithms.closure.transitive_closure",
    "transitive_closure_squaring": "graphla.algorithms.closure.transitive_closure",
    "transitive_closure_linear": "graphla.algorithms.closure.transitive_closure",
    "transitive_closure_doubling": "graphla.algorithms.closure.transitive_closure",
    "transitive_closure_condensed": "graphla.algorithms.closure.condensed_closure",
    "transitive_closure_warshall": "graphla.algorithms.closure.condensed_closure",
    "set_threads": "graphla.core.threads",
    "sssp": "graphla.algorithms.paths.sssp",
    "sssp_distances": "graphla.algorithms.paths.sssp",
    "trace": "graphla.core.tracing",
    "unary_op": "graphla.core.user_operators",
    "binary_op": "graphla.core.user_operators",
    "monoid_op": "graphla.core.user_operators",
    "semiring_op": "graphla.core.user_operators",
}
_MODULES = (
    *("algorithms", "cuda", "datasets", "errors", "generate", "graph500", "interop", "io"),
    *("native", "plot", "star", "transform", "verify"),
)

__all__ = ["__version__", *_EXPORTS, *_MODULES]

configure_openmp()  # before anything imports graphblas


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        value = getattr(importlib.import_module(_EXPORTS[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"graphla.{name}")
    else:
        raise AttributeError(f"module 'graphla' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
