"""Graph analytics as linear algebra.

Most algorithms are products of sparse matrices and vectors, run by SuiteSparse:GraphBLAS on a CPU
and by CUDA kernels on a GPU; :mod:`graphla.native` has hand-written kernels. The public names below
are loaded on first use, so that ``import graphla`` alone loads neither an array library nor an
engine, unless the environment binds OpenMP threads
(:func:`graphla.core.threads.configure_openmp`).
"""

from __future__ import annotations

import importlib
from typing import Any

from graphla.core.threads import configure_openmp

__version__ = "0.1.0"

_ALGORITHMS = "graphla.algorithms"
# public name -> module that defines it
_EXPORTS = {
    "Graph": "graphla.core.graph",
    "read": "graphla.io",
    "write": "graphla.io",
    "bellman_ford": f"{_ALGORITHMS}.paths.bellman_ford",
    "bellman_ford_distances": f"{_ALGORITHMS}.paths.bellman_ford",
    "bfs": f"{_ALGORITHMS}.traversal.bfs",
    "bfs_levels": f"{_ALGORITHMS}.traversal.bfs",
    "minimum_spanning_forest": f"{_ALGORITHMS}.spanning.minimum_spanning_forest",
    "compare_levels": "graphla.comparison.levels",
    "connected_components": f"{_ALGORITHMS}.components.connected_components",
    "pagerank": f"{_ALGORITHMS}.ranking.pagerank",
    "pagerank_gap": f"{_ALGORITHMS}.ranking.pagerank",
    "triangle_count": f"{_ALGORITHMS}.triangles.triangle_count",
    "clustering_coefficient": f"{_ALGORITHMS}.triangles.clustering_coefficient",
    "clustering_coefficient_weighted": f"{_ALGORITHMS}.triangles.clustering_coefficient",
    "triangles": f"{_ALGORITHMS}.triangles.clustering_coefficient",
    "transitivity": f"{_ALGORITHMS}.triangles.transitivity",
    "square_clustering": f"{_ALGORITHMS}.triangles.square_clustering",
    "core_number": f"{_ALGORITHMS}.cores.core_number",
    "k_core": f"{_ALGORITHMS}.cores.core_number",
    "k_truss": f"{_ALGORITHMS}.cores.k_truss",
    "closeness_centrality": f"{_ALGORITHMS}.centrality.closeness_centrality",
    "closeness_centrality_weighted": f"{_ALGORITHMS}.centrality.closeness_centrality",
    "harmonic_centrality": f"{_ALGORITHMS}.centrality.harmonic_centrality",
    "harmonic_centrality_weighted": f"{_ALGORITHMS}.centrality.harmonic_centrality",
    "degree_centrality": f"{_ALGORITHMS}.centrality.degree_centrality",
    "in_degree_centrality": f"{_ALGORITHMS}.centrality.degree_centrality",
    "out_degree_centrality": f"{_ALGORITHMS}.centrality.degree_centrality",
    "eigenvector_centrality": f"{_ALGORITHMS}.ranking.eigenvector_centrality",
    "katz_centrality": f"{_ALGORITHMS}.ranking.katz_centrality",
    "hits": f"{_ALGORITHMS}.ranking.hits",
    "common_neighbors": f"{_ALGORITHMS}.links.link_prediction",
    "jaccard_coefficient": f"{_ALGORITHMS}.links.link_prediction",
    "adamic_adar_index": f"{_ALGORITHMS}.links.link_prediction",
    "resource_allocation_index": f"{_ALGORITHMS}.links.link_prediction",
    "preferential_attachment": f"{_ALGORITHMS}.links.link_prediction",
    "common_neighbors_by_community": f"{_ALGORITHMS}.links.community_link_prediction",
    "resource_allocation_by_community": f"{_ALGORITHMS}.links.community_link_prediction",
    "within_inter_cluster": f"{_ALGORITHMS}.links.community_link_prediction",
    "reciprocity": f"{_ALGORITHMS}.links.reciprocity",
    "vertex_reciprocity": f"{_ALGORITHMS}.links.reciprocity",
    "global_efficiency": f"{_ALGORITHMS}.centrality.efficiency",
    "local_efficiency": f"{_ALGORITHMS}.centrality.efficiency",
    "greedy_color": f"{_ALGORITHMS}.communities.greedy_color",
    "label_propagation": f"{_ALGORITHMS}.communities.label_propagation",
    "edge_betweenness_centrality": f"{_ALGORITHMS}.centrality.edge_betweenness_centrality",
    "betweenness_centrality_weighted": f"{_ALGORITHMS}.centrality.betweenness_centrality_weighted",
    "edge_betweenness_centrality_weighted": (
        f"{_ALGORITHMS}.centrality.betweenness_centrality_weighted"
    ),
    "all_pairs_shortest_paths": f"{_ALGORITHMS}.paths.all_pairs_shortest_paths",
    "johnson": f"{_ALGORITHMS}.paths.all_pairs_shortest_paths",
    "floyd_warshall": f"{_ALGORITHMS}.paths.floyd_warshall",
    "modularity": f"{_ALGORITHMS}.communities.modularity",
    "louvain": f"{_ALGORITHMS}.communities.louvain",
    "louvain_levels": f"{_ALGORITHMS}.communities.louvain",
    "pagerank_weighted": f"{_ALGORITHMS}.ranking.pagerank_weighted",
    "shortest_path_trees": f"{_ALGORITHMS}.paths.shortest_path_trees",
    "compare": "graphla.comparison.runner",
    "is_arborescence": f"{_ALGORITHMS}.spanning.trees",
    "is_branching": f"{_ALGORITHMS}.spanning.trees",
    "is_forest": f"{_ALGORITHMS}.spanning.trees",
    "is_tree": f"{_ALGORITHMS}.spanning.trees",
    "negative_cycle": f"{_ALGORITHMS}.paths.negative_cycle",
    "triangle_list": f"{_ALGORITHMS}.triangles.triangle_list",
    "betweenness_centrality": f"{_ALGORITHMS}.centrality.betweenness_centrality",
    "strongly_connected_components": f"{_ALGORITHMS}.components.strongly_connected_components",
    "transitive_closure": f"{_ALGORITHMS}.closure.transitive_closure",
    "transitive_closure_squaring": f"{_ALGORITHMS}.closure.transitive_closure",
    "transitive_closure_linear": f"{_ALGORITHMS}.closure.transitive_closure",
    "transitive_closure_doubling": f"{_ALGORITHMS}.closure.transitive_closure",
    "transitive_closure_condensed": f"{_ALGORITHMS}.closure.condensed_closure",
    "transitive_closure_warshall": f"{_ALGORITHMS}.closure.condensed_closure",
    "set_threads": "graphla.core.threads",
    "sssp": f"{_ALGORITHMS}.paths.sssp",
    "sssp_distances": f"{_ALGORITHMS}.paths.sssp",
    "trace": "graphla.core.tracing",
    "unary_op": "graphla.core.user_operators",
    "binary_op": "graphla.core.user_operators",
    "monoid_op": "graphla.core.user_operators",
    "semiring_op": "graphla.core.user_operators",
}
ALGORITHMS = tuple(name for name, module in _EXPORTS.items() if module.startswith(_ALGORITHMS))
"""Names of the algorithms, all of them functions of this module."""

# public module -> its dotted name
_MODULES = {
    name: f"graphla.{name}"
    for name in (
        *("algorithms", "cuda", "errors", "generate", "graph500", "interop", "io"),
        *("native", "plot", "ranks", "star", "transform", "verify"),
    )
}
_MODULES["datasets"] = "graphla.io.datasets"

__all__ = ["ALGORITHMS", "__version__", *_EXPORTS, *_MODULES]

configure_openmp()  # before anything imports graphblas


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        value = getattr(importlib.import_module(_EXPORTS[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(_MODULES[name])
    else:
        from graphla.suggestions import unknown_name

        raise unknown_name(__name__, name, __all__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
