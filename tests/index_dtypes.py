"""The dtypes of all public results in one table, and helpers for its tests on both engines.

"index" means ``G.index_dtype``, the dtype of vertices, levels and labels. Counts and distances
have other dtypes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import graphla as gl
from graphla.core.engines import on_host

TREE = "index index"
FOREST = "index index INT16 int index"
PATHS = "INT16 index"  # distances have the dtype of the weights, here INT16

ALGEBRAIC = {
    "all_pairs_shortest_paths": "INT16",
    "bellman_ford": PATHS,
    "bellman_ford_distances": "INT16",
    "betweenness_centrality": "FP64",
    "betweenness_centrality_weighted": "FP64",
    "bfs": TREE,
    "bfs_levels": "index",
    "closeness_centrality": "FP64",
    "closeness_centrality_weighted": "FP64",
    "clustering_coefficient": "FP64",
    "clustering_coefficient_weighted": "FP64",
    "common_neighbors": "INT64",
    "common_neighbors_by_community": "INT64",
    "connected_components": "index",
    "core_number": "INT64",
    "adamic_adar_index": "FP64",
    "degree_centrality": "FP64",
    "edge_betweenness_centrality": "FP64",
    "edge_betweenness_centrality_weighted": "FP64",
    "eigenvector_centrality": "FP64 int float",
    "floyd_warshall": "INT16",
    "global_efficiency": "float",
    "greedy_color": "index",
    "harmonic_centrality": "FP64",
    "harmonic_centrality_weighted": "FP64",
    "hits": "FP64 FP64 int float",
    "in_degree_centrality": "FP64",
    "is_arborescence": "bool",
    "is_branching": "bool",
    "is_forest": "bool",
    "is_tree": "bool",
    "jaccard_coefficient": "FP64",
    "johnson": "INT64",
    "k_core": "BOOL",
    "k_truss": "INT64",
    "katz_centrality": "FP64 int float",
    "label_propagation": "index",
    "local_efficiency": "float",
    "louvain": "index float",
    "louvain_levels": "index float",
    "minimum_spanning_forest": FOREST,
    "modularity": "float",
    "negative_cycle": "list",
    "out_degree_centrality": "FP64",
    "pagerank": "FP64 int float",
    "pagerank_gap": "FP32 int float",
    "pagerank_weighted": "FP64 int float",
    "preferential_attachment": "INT64",
    "reciprocity": "float",
    "resource_allocation_by_community": "FP64",
    "resource_allocation_index": "FP64",
    "shortest_path_trees": PATHS,
    "square_clustering": "FP64",
    "sssp": PATHS,
    "sssp_distances": "INT16",
    "strongly_connected_components": "index",
    "transitive_closure": "BOOL",
    "transitive_closure_condensed": "BOOL",
    "transitive_closure_doubling": "BOOL",
    "transitive_closure_linear": "BOOL",
    "transitive_closure_squaring": "BOOL",
    "transitive_closure_warshall": "BOOL",
    "transitivity": "float",
    "triangle_count": "int",
    "triangle_list": "index index index",
    "triangles": "INT64",
    "vertex_reciprocity": "FP64",
    "within_inter_cluster": "FP64",
}

NATIVE = {
    "all_pairs_shortest_paths": "INT16",
    "betweenness_centrality": "FP64",
    "bfs": TREE,
    "bfs_compressed": TREE,
    "closeness_centrality": "FP64",
    "clustering_coefficient": "FP64",
    "connected_components": "index",
    "core_number": "INT64",
    "greedy_color": "index",
    "k_truss": "INT64",
    "label_propagation": "index",
    "louvain": "index float",
    "minimum_spanning_forest": FOREST,
    "pagerank": "FP64 int float",
    "pagerank_gap": "FP32 int float",
    "sssp": PATHS,
    "sssp_distances": "INT16",
    "transitive_closure": "BOOL",
    "transitive_closure_warshall": "BOOL",
    "triangle_count": "int",
    "triangles": "INT64",
}
NATIVE_ON_CPU_ONLY = {
    *("bfs_compressed", "clustering_coefficient", "core_number", "k_truss", "triangles"),
    *("closeness_centrality", "greedy_color", "label_propagation", "louvain"),
}

UNWEIGHTED = {
    "all_pairs_shortest_paths": "INT64",
    "bellman_ford": "INT64 index",
    "bellman_ford_distances": "INT64",
    "minimum_spanning_forest": "index index BOOL int index",
    "shortest_path_trees": "INT64 index",
    "sssp": "INT64 index",
    "sssp_distances": "INT64",
}

DIRECTED = {
    *("bellman_ford", "bellman_ford_distances", "bfs", "bfs_levels", "connected_components"),
    *("strongly_connected_components", "sssp", "sssp_distances", "transitive_closure"),
    *("negative_cycle", "shortest_path_trees", "all_pairs_shortest_paths", "johnson"),
    *("is_arborescence", "is_branching", "transitive_closure_condensed"),
    *("transitive_closure_warshall", "bfs_compressed", "core_number", "louvain"),
}  # all other functions are called with an undirected graph
SOURCE = {
    *("bellman_ford", "bellman_ford_distances", "bfs", "bfs_levels", "negative_cycle", "sssp"),
    "sssp_distances",
}
PAIRS = {
    *("adamic_adar_index", "common_neighbors", "jaccard_coefficient", "preferential_attachment"),
    "resource_allocation_index",
}
BY_COMMUNITY = {
    *("common_neighbors_by_community", "resource_allocation_by_community", "within_inter_cluster")
}
SOURCES = {
    *("all_pairs_shortest_paths", "betweenness_centrality", "betweenness_centrality_weighted"),
    *("edge_betweenness_centrality", "edge_betweenness_centrality_weighted"),
    "shortest_path_trees",
}


COMPONENTS = (  # constants that select propagation of labels only, or hooking of trees only
    {"MAX_LOWERED": 99, "MAX_EDGES_READ": 99},
    {"MAX_LEVELS": 0},
)


class Graphs(NamedTuple):
    """A graph in both kinds, on one engine."""

    directed: Any
    undirected: Any


def graphs(engine: str, *, weighted: bool = True, n: int = 120) -> Graphs:
    """Return a graph of a dense part, two long paths, directed cycles and isolated vertices."""
    rng = np.random.default_rng(7)
    long = np.arange(n // 4, n - 4)
    src = np.concatenate([rng.integers(0, n // 4, 3 * n // 4), long[:-1]])
    dst = np.concatenate([rng.integers(0, n // 4, 3 * n // 4), long[1:]])
    cut = (src == n // 2) | (dst == n // 2)
    src, dst = src[~cut], dst[~cut]
    weight = rng.integers(1, 9, src.size).astype(np.int16) if weighted else None
    kinds: Any = ("directed", "undirected")
    on_cpu = (gl.Graph.from_edges(src, dst, weight, n=n, kind=kind) for kind in kinds)
    return Graphs(*(G.to(engine) for G in on_cpu))


def call(module: Any, name: str, pair: Graphs) -> Any:
    """Call a public function of `gl` or `gl.native` by its name."""
    function = getattr(module, name)
    G = pair.directed if name in DIRECTED else pair.undirected
    if name == "negative_cycle":
        negative = gl.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [4, 1, 1, -3], n=9)
        return function(negative.to(G.engine), 0)
    if name in SOURCE:
        return function(G, 0)
    if name in SOURCES:
        return function(G, [0, 3, 40])
    if name in PAIRS:
        return function(G, [0, 1, 2], [3, 4, 50])
    if name in BY_COMMUNITY:
        return function(G, [0, 1, 2], [3, 4, 50], gl.label_propagation(G))
    if name == "modularity":
        return function(G, gl.label_propagation(G))
    if name in ("k_core", "k_truss"):
        return function(G, 3)
    if name == "bfs_compressed":
        return function(gl.transform.compress(G), 0)
    if name == "louvain_levels":
        return list(function(G))[-1]
    if name == "katz_centrality":
        return function(G, alpha=0.01)
    if name == "eigenvector_centrality":
        return function(gl.generate.complete(9).to(G.engine))
    return function(G)


def parts(result: Any) -> list[tuple[str, Any]]:
    """Return the fields of a result with their names, nested fields flattened."""
    if not hasattr(result, "_fields"):
        return [("", result)]
    fields = zip(result._fields, result, strict=True)
    return [(name + inner, x) for name, value in fields for inner, x in parts(value)]


def dtypes(result: Any) -> str:
    """Return the dtypes of a result in the format of the tables."""
    return " ".join(
        x.dtype.name if hasattr(x, "nvals") else type(x).__name__ for _, x in parts(result)
    )


def values(result: Any) -> list[Any]:
    """Return the values that all correct results share: no parents, floats rounded."""
    return [_plain(x) for name, x in parts(result) if name != "parent"]


def _plain(x: Any) -> Any:
    if not hasattr(x, "nvals"):
        return round(x, 9) if isinstance(x, float) else x
    *indices, entries = on_host(x).to_coo()
    entries = entries.round(9) if entries.dtype.kind == "f" else entries
    return [column.tolist() for column in (*indices, entries)]


def verify_parents(name: str, result: Any, pair: Graphs) -> None:
    """Verify the parents of a result, if it has any."""
    G = pair.directed
    if name == "bfs" or name == "bfs_compressed":
        gl.verify.bfs(G, 0, *result)
    elif name in ("sssp", "bellman_ford"):
        gl.verify.sssp(G, 0, *result)
    elif name == "shortest_path_trees":
        for row, source in enumerate((0, 3, 40)):
            gl.verify.sssp(G, source, *(M[row, :].new() for M in result))


def check(module: Any, name: str, expected: str, make: Any, monkeypatch: Any) -> None:
    """Check the dtypes with both index dtypes, and that the values are the same."""
    before = None
    for index, limit in (("INT32", 1 << 31), ("INT64", -1)):
        monkeypatch.setattr("graphla.core.validation.MAX_INT32_VERTICES", limit)
        pair = make()
        result = call(module, name, pair)
        assert dtypes(result) == expected.replace("index", index)
        verify_parents(name, result, pair)
        assert before is None or values(result) == before
        before = values(result)
