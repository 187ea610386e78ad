"""Graph analytics as linear algebra.

Every algorithm is semiring SpMV / SpMM over an adjacency matrix. The public
names below are loaded on first use, so that ``import graphla`` alone loads
neither an array library nor an engine, unless the environment binds OpenMP threads
(:func:`graphla.threads.configure_openmp`).
"""

from __future__ import annotations

import importlib
from typing import Any

from graphla.threads import configure_openmp

__version__ = "0.1.0"

# public name -> module that defines it
_EXPORTS = {
    "Graph": "graphla.graph",
    "read": "graphla.io",
    "write": "graphla.io",
    "bellman_ford": "graphla.algorithms.bellman_ford",
    "bellman_ford_distances": "graphla.algorithms.bellman_ford",
    "bfs": "graphla.algorithms.bfs",
    "bfs_levels": "graphla.algorithms.bfs",
    "minimum_spanning_forest": "graphla.algorithms.minimum_spanning_forest",
    "compare_levels": "graphla.comparison.levels",
    "connected_components": "graphla.algorithms.connected_components",
    "pagerank": "graphla.algorithms.pagerank",
    "pagerank_gap": "graphla.algorithms.pagerank",
    "triangle_count": "graphla.algorithms.triangle_count",
    "clustering_coefficient": "graphla.algorithms.clustering_coefficient",
    "clustering_coefficient_weighted": "graphla.algorithms.clustering_coefficient",
    "triangles": "graphla.algorithms.clustering_coefficient",
    "transitivity": "graphla.algorithms.transitivity",
    "square_clustering": "graphla.algorithms.square_clustering",
    "core_number": "graphla.algorithms.core_number",
    "k_core": "graphla.algorithms.core_number",
    "k_truss": "graphla.algorithms.k_truss",
    "closeness_centrality": "graphla.algorithms.closeness_centrality",
    "closeness_centrality_weighted": "graphla.algorithms.closeness_centrality",
    "harmonic_centrality": "graphla.algorithms.harmonic_centrality",
    "harmonic_centrality_weighted": "graphla.algorithms.harmonic_centrality",
    "degree_centrality": "graphla.algorithms.degree_centrality",
    "in_degree_centrality": "graphla.algorithms.degree_centrality",
    "out_degree_centrality": "graphla.algorithms.degree_centrality",
    "eigenvector_centrality": "graphla.algorithms.eigenvector_centrality",
    "katz_centrality": "graphla.algorithms.katz_centrality",
    "hits": "graphla.algorithms.hits",
    "common_neighbors": "graphla.algorithms.link_prediction",
    "jaccard_coefficient": "graphla.algorithms.link_prediction",
    "adamic_adar_index": "graphla.algorithms.link_prediction",
    "resource_allocation_index": "graphla.algorithms.link_prediction",
    "preferential_attachment": "graphla.algorithms.link_prediction",
    "common_neighbors_by_community": "graphla.algorithms.community_link_prediction",
    "resource_allocation_by_community": "graphla.algorithms.community_link_prediction",
    "within_inter_cluster": "graphla.algorithms.community_link_prediction",
    "reciprocity": "graphla.algorithms.reciprocity",
    "vertex_reciprocity": "graphla.algorithms.reciprocity",
    "global_efficiency": "graphla.algorithms.efficiency",
    "local_efficiency": "graphla.algorithms.efficiency",
    "greedy_color": "graphla.algorithms.greedy_color",
    "label_propagation": "graphla.algorithms.label_propagation",
    "edge_betweenness_centrality": "graphla.algorithms.edge_betweenness_centrality",
    "betweenness_centrality_weighted": "graphla.algorithms.betweenness_centrality_weighted",
    "edge_betweenness_centrality_weighted": "graphla.algorithms.betweenness_centrality_weighted",
    "all_pairs_shortest_paths": "graphla.algorithms.all_pairs_shortest_paths",
    "johnson": "graphla.algorithms.all_pairs_shortest_paths",
    "floyd_warshall": "graphla.algorithms.floyd_warshall",
    "modularity": "graphla.algorithms.modularity",
    "louvain": "graphla.algorithms.louvain",
    "louvain_levels": "graphla.algorithms.louvain",
    "pagerank_weighted": "graphla.algorithms.pagerank_weighted",
    "shortest_path_trees": "graphla.algorithms.shortest_path_trees",
    "compare": "graphla.comparison.runner",
    "is_arborescence": "graphla.algorithms.trees",
    "is_branching": "graphla.algorithms.trees",
    "is_forest": "graphla.algorithms.trees",
    "is_tree": "graphla.algorithms.trees",
    "negative_cycle": "graphla.algorithms.negative_cycle",
    "triangle_list": "graphla.algorithms.triangle_list",
    "betweenness_centrality": "graphla.algorithms.betweenness_centrality",
    "strongly_connected_components": "graphla.algorithms.strongly_connected_components",
    "transitive_closure": "graphla.algorithms.transitive_closure",
    "transitive_closure_squaring": "graphla.algorithms.transitive_closure",
    "transitive_closure_linear": "graphla.algorithms.transitive_closure",
    "transitive_closure_doubling": "graphla.algorithms.transitive_closure",
    "transitive_closure_condensed": "graphla.algorithms.condensed_closure",
    "transitive_closure_warshall": "graphla.algorithms.condensed_closure",
    "set_threads": "graphla.threads",
    "sssp": "graphla.algorithms.sssp",
    "sssp_distances": "graphla.algorithms.sssp",
    "trace": "graphla.tracing",
    "unary_op": "graphla.operators",
    "binary_op": "graphla.operators",
    "monoid_op": "graphla.operators",
    "semiring_op": "graphla.operators",
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
