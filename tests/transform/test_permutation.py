"""Results for a renumbered graph, brought back, equal the results for the graph."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import results
from graphla.errors import (
    InvalidIndex,
)
from tests import strategies
from tests.every_graph import on_edge_cases
from tests.transform.orders_and_forms import (
    ORDERS,
    equal_matrices,
    equal_vectors,
    host,
)


def check_results(G, name, source=0):
    """Results of algorithms, brought back, equal those for the graph."""
    H, permutation = ORDERS[name](G)
    if name == "by_degree" and host(permutation.place)[source] < 0:
        with pytest.raises(InvalidIndex, match="cut off"):
            permutation.vertex(source)
        return
    start = permutation.vertex(source)
    undone = permutation.undo(gl.bfs(H, start))
    assert "parent" not in vars(undone)
    equal_vectors(undone.level, gl.bfs(G, source).level)
    assert "parent" not in vars(undone)
    gl.verify.bfs(G.to("cpu"), source, undone.level, undone.parent)
    assert undone.parent is undone.parent
    assert isinstance(undone.new(), results.BFS)
    if not G.nedges or G.min_weight >= 0:
        distance, parent = permutation.undo(gl.sssp(H, start))
        equal_vectors(distance, gl.sssp(G, source).distance)
        gl.verify.sssp(G.to("cpu"), source, distance, parent)
    component = permutation.undo_components(gl.connected_components(H))
    equal_vectors(component, gl.connected_components(G))
    closure = permutation.undo(gl.transitive_closure(H))
    assert closure.shape == (G.n, G.n)
    equal_matrices(closure, gl.transitive_closure(G))
    if H.n == G.n:
        rank, iterations, residual = permutation.undo(gl.pagerank(H))
        want = gl.pagerank(G)
        assert iterations == want.iterations
        assert np.allclose(host(rank.to_dense()), host(want.rank.to_dense()), atol=1e-5)
        assert residual == pytest.approx(want.residual, abs=1e-5)
    if G.kind == "undirected":
        forest = permutation.undo(gl.minimum_spanning_forest(H)).new()
        gl.verify.minimum_spanning_forest(G.to("cpu"), forest)
        assert forest.weight == gl.minimum_spanning_forest(G).weight
        equal_vectors(forest.component, gl.minimum_spanning_forest(G).component)
        src, dst = (host(x.to_dense()) for x in forest.edges[:2])
        assert (src < dst).all()
        assert (np.diff(src * G.n + dst) > 0).all()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDERS)
@on_edge_cases(empty=False)
def test_results_of_edge_cases(name, G):
    check_results(G, name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDERS)
@given(G=strategies.graphs(weights=strategies.small_weights), data=st.data())
def test_results(name, G, data):
    check_results(G, name, data.draw(st.integers(0, G.n - 1)))
