"""Vertices, levels and labels in results have the index dtype of the graph, on engine "cpu"."""

from __future__ import annotations

import inspect
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.components import connected_components as components
from graphla.core.validation import index_dtype
from tests.index_dtypes import ALGEBRAIC, COMPONENTS, NATIVE, UNWEIGHTED, check, graphs

pytestmark = pytest.mark.thorough


@pytest.fixture(params=["INT32", "INT64"])
def index(request, monkeypatch):
    """Make either dtype the index dtype of all graphs."""
    most = 1 << 31 if request.param == "INT32" else -1
    monkeypatch.setattr("graphla.core.validation.MAX_INT32_VERTICES", most)
    return request.param


def test_no_public_function_is_left_out():
    names = {n for n, module in gl._EXPORTS.items() if module.startswith("graphla.algorithms")}
    assert set(ALGEBRAIC) == names
    members = inspect.getmembers(gl.native, inspect.isfunction)
    assert set(NATIVE) == {
        n for n, f in members if f.__module__ == "graphla.native" and n[0] != "_"
    }


@pytest.mark.parametrize(("n", "dtype"), [(0, "INT32"), (2**31, "INT32"), (2**31 + 1, "INT64")])
def test_the_boundary(n, dtype):
    assert index_dtype(n) == dtype
    assert gl.Graph.index_dtype.fget(SimpleNamespace(n=n)) == dtype


@pytest.mark.parametrize("name", ALGEBRAIC)
def test_algebraic(name, monkeypatch):
    check(gl, name, ALGEBRAIC[name], partial(graphs, "cpu"), monkeypatch)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NATIVE)
def test_native(name, monkeypatch):
    check(gl.native, name, NATIVE[name], partial(graphs, "cpu"), monkeypatch)


@pytest.mark.parametrize("name", UNWEIGHTED)
def test_distances_without_weights_are_counts(name, monkeypatch):
    make = partial(graphs, "cpu", weighted=False)
    check(gl, name, UNWEIGHTED[name], make, monkeypatch)
    if name in NATIVE:
        check(gl.native, name, UNWEIGHTED[name], make, monkeypatch)


@pytest.mark.parametrize("constants", COMPONENTS)
def test_components_by_each_step(constants, monkeypatch):
    for name, value in constants.items():
        monkeypatch.setattr(components, name, value)
    check(gl, "connected_components", "index", partial(graphs, "cpu"), monkeypatch)


def test_numbers_of_a_renumbered_graph(index):
    G = graphs("cpu").undirected
    H, permutation = gl.transform.by_degree(G)
    assert permutation.order.dtype == permutation.place.dtype == np.dtype(index.lower())
    tree, forest = permutation.undo(gl.bfs(H, 0)), permutation.undo(gl.minimum_spanning_forest(H))
    gl.verify.bfs(G, int(permutation.order[0]), tree.level, tree.parent)
    gl.verify.minimum_spanning_forest(G, forest)
    found = [tree.level, tree.parent, forest.component, forest.edges.src, forest.edges.dst]
    assert {x.dtype.name for x in found} == {index}


def test_old_numbers_have_the_dtype_of_the_old_graph(monkeypatch):
    G = gl.Graph.from_edges([3, 5], [5, 7], n=9, kind="undirected")
    monkeypatch.setattr("graphla.core.validation.MAX_INT32_VERTICES", 8)  # G exceeds it
    H, permutation = gl.transform.by_degree(G)
    result, forest = gl.bfs(H, 0), gl.minimum_spanning_forest(H)
    assert (G.index_dtype, H.index_dtype, result.parent.dtype) == ("INT64", "INT32", "INT32")
    assert permutation.undo(result).parent.dtype == "INT64"
    undone = permutation.undo(forest)
    assert undone.component.dtype == undone.edges.src.dtype == undone.edges.dst.dtype == "INT64"


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64"])
def test_communities_of_any_integer_dtype_are_taken(dtype):
    G = graphs("cpu").undirected
    label = gl.label_propagation(G)
    other = label.dup(dtype)
    assert gl.modularity(G, other) == gl.modularity(G, label)
    pairs = [0, 1, 2], [3, 4, 50]
    found = (gl.common_neighbors_by_community(G, *pairs, x) for x in (other, label))
    assert next(found).isequal(next(found))


def test_star_machine_paths(index):
    from graphla.comparison.peers.star_machine import as_paths
    from graphla.star import Weights
    from graphla.star.algorithms import dijkstra

    G = graphs("cpu").directed
    paths = dijkstra(Weights.from_graph(G), 1)
    assert paths.to_numpy()[1].dtype == np.dtype(index.lower())
    result = as_paths(G, paths)
    assert result.parent.dtype == index
    gl.verify.sssp(G, 0, *result)
