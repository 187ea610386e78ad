"""The backend's metadata, which NetworkX reads when it is imported: it must load fast."""

from __future__ import annotations

import os
from typing import Any

# module below graphla.interop.networkx -> the NetworkX functions it implements
MODULES = {
    "reachability.traversal": (
        "generic_bfs_edges bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers "
        "descendants_at_distance descendants ancestors"
    ),
    "paths.unweighted": (
        "single_source_shortest_path_length single_target_shortest_path_length "
        "all_pairs_shortest_path_length bidirectional_shortest_path "
        "single_source_shortest_path single_target_shortest_path all_pairs_shortest_path "
        "predecessor has_path"
    ),
    "paths.dijkstra": (
        "dijkstra_path dijkstra_path_length single_source_dijkstra "
        "single_source_dijkstra_path single_source_dijkstra_path_length "
        "multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length "
        "dijkstra_predecessor_and_distance bidirectional_dijkstra"
    ),
    "paths.bellman_ford": (
        "bellman_ford_path bellman_ford_path_length single_source_bellman_ford "
        "single_source_bellman_ford_path single_source_bellman_ford_path_length "
        "bellman_ford_predecessor_and_distance goldberg_radzik negative_edge_cycle "
        "find_negative_cycle"
    ),
    "paths.all_pairs": (
        "all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length "
        "all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length johnson "
        "floyd_warshall floyd_warshall_numpy floyd_warshall_predecessor_and_distance"
    ),
    "paths.generic": (
        "shortest_path shortest_path_length average_shortest_path_length "
        "all_shortest_paths single_source_all_shortest_paths all_pairs_all_shortest_paths"
    ),
    "functions.trees": (
        "boruvka_mst_edges kruskal_mst_edges prim_mst_edges minimum_spanning_edges "
        "maximum_spanning_edges minimum_spanning_tree maximum_spanning_tree"
    ),
    "reachability.closure": (
        "transitive_closure transitive_closure_dag is_directed_acyclic_graph has_cycle "
        "topological_generations topological_sort"
    ),
    "reachability.components": (
        "connected_components number_connected_components is_connected "
        "node_connected_component weakly_connected_components "
        "number_weakly_connected_components is_weakly_connected "
        "strongly_connected_components kosaraju_strongly_connected_components "
        "number_strongly_connected_components is_strongly_connected condensation "
        "is_isolate isolates number_of_isolates"
    ),
    "reachability.recognition": (
        "is_forest is_tree is_branching is_arborescence number_of_selfloops"
    ),
    "functions.ranking": (
        "pagerank hits eigenvector_centrality eigenvector_centrality_numpy katz_centrality "
        "katz_centrality_numpy"
    ),
    "functions.betweenness": "betweenness_centrality edge_betweenness_centrality",
    "functions.centrality": (
        "closeness_centrality harmonic_centrality degree_centrality in_degree_centrality "
        "out_degree_centrality efficiency global_efficiency local_efficiency "
        "reciprocity overall_reciprocity"
    ),
    "functions.clustering": (
        "triangles all_triangles generalized_degree clustering average_clustering transitivity "
        "square_clustering"
    ),
    "functions.cores": "core_number k_core k_shell k_crust k_corona k_truss",
    "functions.prediction": (
        "jaccard_coefficient adamic_adar_index resource_allocation_index preferential_attachment "
        "common_neighbor_centrality cn_soundarajan_hopcroft ra_index_soundarajan_hopcroft "
        "within_inter_cluster"
    ),
    "functions.communities": (
        "louvain_communities louvain_partitions label_propagation_communities modularity"
    ),
}
FUNCTIONS = {name: module for module, names in MODULES.items() for name in names.split()}

# notes that NetworkX's documentation shows for these functions
NOTES = {
    "bfs_edges bfs_tree bfs_predecessors bfs_successors": "`sort_neighbors` is not supported.",
    "generic_bfs_edges": "`neighbors` is not supported.",
    "kruskal_mst_edges": "`partition` is not supported.",
    "hits": "`normalized` must be True, and weights must not be negative.",
    "eigenvector_centrality_numpy": "Weights must not be negative.",
    "square_clustering": "Directed graphs are not supported.",
    "louvain_communities louvain_partitions": (
        "`threshold` must be positive and weights not negative; the result does not depend on "
        "`seed`."
    ),
}


def get_info() -> dict[str, Any]:
    """Return the backend's description in the form that NetworkX's entry point expects."""
    notes = {name: note for names, note in NOTES.items() for name in names.split()}
    return {
        "backend_name": "graphla",
        "project": "graphla",
        "package": "graphla",
        "short_summary": "Graph analytics as linear algebra, over SuiteSparse:GraphBLAS.",
        "default_config": {
            "engine": os.environ.get("GRAPHLA_ENGINE", "cpu"),
            "kernels": os.environ.get("GRAPHLA_KERNELS", "auto"),
        },
        "functions": {name: {"additional_docs": notes.get(name, "")} for name in FUNCTIONS},
    }
