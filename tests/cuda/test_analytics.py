"""Analytics on engine "cuda" against engine "cpu", on a few graphs each."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla import cuda
from graphla.cuda import to_graphblas
from tests.graphs import random_graph

LINKS = (
    "common_neighbors",
    "jaccard_coefficient",
    "adamic_adar_index",
    "resource_allocation_index",
    "preferential_attachment",
)
PAIRS = {"src": [0, 5, 2, 5, 1], "dst": [1, 4, 3, 4, 2]}
CASES = {  # name -> (whether the graph has to be symmetric, arguments)
    "triangles": (True, {}),
    "clustering_coefficient": (False, {}),
    "clustering_coefficient_weighted": (False, {}),
    "transitivity": (False, {}),
    "square_clustering": (True, {"batch": 20}),
    "core_number": (False, {}),
    "k_core": (False, {"k": 3}),
    "k_truss": (True, {"k": 3}),
    "closeness_centrality": (False, {}),
    "closeness_centrality_weighted": (False, {"batch": 20}),
    "harmonic_centrality": (False, {"sources": [3, 1]}),
    "harmonic_centrality_weighted": (False, {"batch": 20}),
    "degree_centrality": (False, {}),
    "eigenvector_centrality": (False, {"tol": 1e-2}),
    "katz_centrality": (False, {"alpha": 1e-4}),
    "hits": (False, {"max_iter": 500}),
    "shortest_path_trees": (False, {"batch": 9}),
    "pagerank_weighted": (False, {}),
    "louvain": (False, {}),
    "triangle_list": (True, {}),
    "all_pairs_shortest_paths": (False, {"batch": 30}),
    "johnson": (False, {"batch": 30}),
    "floyd_warshall": (False, {}),
    "edge_betweenness_centrality": (False, {"sources": [3, 1, 5]}),
    "betweenness_centrality_weighted": (False, {"sources": [3, 1, 5]}),
    "edge_betweenness_centrality_weighted": (False, {"sources": [3, 1, 5]}),
    "greedy_color": (True, {}),
    "label_propagation": (True, {}),
    "reciprocity": (False, {}),
    "vertex_reciprocity": (False, {}),
    "global_efficiency": (False, {}),
    "local_efficiency": (True, {"batch": 70}),
    **dict.fromkeys(LINKS, (True, PAIRS)),
}


def fetched(x):
    """Copy a result to the host; what is neither a number nor on the device is an error."""
    if isinstance(x, tuple):
        return tuple(map(fetched, x))
    if isinstance(x, (int, float)):
        return [x]
    assert isinstance(x, (cuda.Vector, cuda.Matrix)), f"{type(x)} is not on the device"
    return to_graphblas(x).to_coo()


def compare(x, y):
    if isinstance(x, tuple):
        for a, b in zip(x, y, strict=True):
            compare(a, b)
    else:
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-9)


def on_host(x):
    if isinstance(x, tuple):
        return tuple(map(on_host, x))
    return [x] if isinstance(x, (int, float)) else x.to_coo()


@pytest.mark.parametrize("name", CASES)
def test_the_engines_agree(name):
    symmetric, options = CASES[name]
    kinds = ("undirected",) if symmetric else ("directed", "undirected")
    for kind in kinds:
        for G in (
            random_graph(40, 150, kind=kind, dtype="int32", seed=1),
            random_graph(6, 9, kind=kind, seed=2),
        ):
            function = getattr(gl, name)
            compare(fetched(function(G.to("cuda"), **options)), on_host(function(G, **options)))
