"""The table of algorithms: calls, refusals, views, summaries, and checks that find errors."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.errors import VerificationError
from tests.graphs import edges, random_graph

G = random_graph(40, 200, kind="undirected", dtype="int32")  # with a truss
STARTS = {None: None, "vertex": 3, "vertices": [3, 5]}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_result_is_verified_and_that_of_another_graph_is_not(name):
    a = ALGORITHMS[name]
    start = STARTS[a.start]
    result = a(a.view(G), start)
    a.verify(a.view(G), start, result)
    assert any(c.isdigit() for c in a.summarize(result))
    other = a(a.view(random_graph(40, 60, kind="undirected", dtype="int32", seed=7)), start)
    with pytest.raises(VerificationError):
        a.verify(a.view(G), start, other)


def test_undirected_algorithms_refuse_directed_graphs():
    directed, symmetric = edges([0], [1], n=2), edges([0, 1], [1, 0], n=2)
    count = ALGORITHMS["triangle_count"]
    assert count.refuses(directed) == "defined on undirected graphs only"
    assert (count.fits(directed), count.fits(symmetric)) == (False, True)
    assert ALGORITHMS["bfs"].fits(directed)


def test_views_drop_weights_and_directions_that_are_ignored():
    H = edges([0, 1], [1, 0], [5, 5], n=2)
    bfs, sssp, forest, count = (
        ALGORITHMS[name].view(H)
        for name in ("bfs", "sssp", "minimum_spanning_forest", "triangle_count")
    )
    assert [(x.kind, x.weighted) for x in (bfs, sssp, forest, count)] == [
        ("directed", False), ("directed", True), ("undirected", True), ("undirected", False),
    ]  # fmt: skip


def test_summaries():
    path = edges([0, 1], [1, 2], [2, 3], n=4, kind="undirected")
    said = {
        name: ALGORITHMS[name].summarize(ALGORITHMS[name](path, STARTS[a.start] and 0))
        for name, a in ALGORITHMS.items()
        if a.start != "vertices"
    }
    assert said["bfs"] == said["bfs_levels"] == "3 reached, depth 2"
    assert said["sssp"] == said["sssp_distances"] == said["bellman_ford"] == "3 reached, farthest 5"
    assert said["minimum_spanning_forest"] == "2 edges, weight 5"
    assert said["transitive_closure"] == "9 pairs"
    assert said["connected_components"] == "2 components"
    assert said["triangle_count"] == "0 triangles"
    assert said["triangles"] == "4 vertices, largest count 0"
    assert said["clustering_coefficient"] == "4 vertices, largest coefficient 0"
    assert said["closeness_centrality"] == "4 vertices, largest score 0.666667"
    assert said["core_number"] == "4 vertices, largest core 1"
    assert said["k_truss"] == "0 edges"
    assert said["greedy_color"] == "2 colours"
    assert said["label_propagation"] == "2 communities"
    assert said["louvain"] == "2 communities, modularity 0.0000"
    assert ALGORITHMS["connected_components"].summarize(gl.Graph([[1]]).vector(int)) == (
        "0 components"
    )


def test_a_comparison_passes_the_arguments_of_an_algorithm():
    truss = ALGORITHMS["k_truss"]
    assert truss(G).isequal(gl.k_truss(G, 4))
    truss.verify(G, None, gl.k_truss(G, 3), k=3)
    with pytest.raises(VerificationError):
        truss.verify(G, None, gl.k_truss(G, 3))


def test_communities_of_other_libraries_have_no_modularity():
    louvain = ALGORITHMS["louvain"]
    result = louvain(G)._replace(modularity=None)
    assert louvain.summarize(result).endswith("communities")
    louvain.verify(G, None, result)


def test_a_check_gets_the_arguments_of_the_call():
    ranks, communities = ALGORITHMS["pagerank"], ALGORITHMS["louvain"]
    for a, result, given in (
        (ranks, gl.pagerank(G, damping=0.5), {"damping": 0.5}),
        (communities, gl.louvain(G, resolution=2.0), {"resolution": 2.0}),
    ):
        a.verify(G, None, result, **given)
        with pytest.raises(VerificationError):
            a.verify(G, None, result)


def test_closeness_of_either_scale():
    H, a = random_graph(40, 20, kind="undirected"), ALGORITHMS["closeness_centrality"]
    result = gl.closeness_centrality(H, wf_improved=False)
    a.verify(H, None, result, wf_improved=False)
    with pytest.raises(VerificationError):
        a.verify(H, None, result)
