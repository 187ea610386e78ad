"""Vertices, levels and labels in results have the index dtype of the graph, on engine "cuda"."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest

import graphla as gl
from graphla.algorithms.components import connected_components as components
from graphla.native.cuda import bfs_variants, forest_variants, sssp_variants
from graphla.native.cuda.papers.beyond_memory import bfs_beyond_memory
from graphla.native.cuda.papers.forest_with_cpu import minimum_spanning_forest_with_cpu
from tests.index_dtypes import (
    ALGEBRAIC,
    COMPONENTS,
    FOREST,
    NATIVE,
    NATIVE_ON_CPU_ONLY,
    TREE,
    UNWEIGHTED,
    Graphs,
    check,
    graphs,
)

SMALL = partial(graphs, "cuda", n=60)
ON_CUDA = sorted(set(NATIVE) - NATIVE_ON_CPU_ONLY)


def has(function, name):
    """Return what has a function under a public name."""
    return SimpleNamespace(**{name: function})


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALGEBRAIC)
def test_algebraic(name, monkeypatch):
    check(gl, name, ALGEBRAIC[name], SMALL, monkeypatch)


@pytest.mark.thorough
@pytest.mark.parametrize("constants", COMPONENTS)
def test_components_by_each_step(constants, monkeypatch):
    for name, value in constants.items():
        monkeypatch.setattr(components, name, value)
    check(gl, "connected_components", "index", SMALL, monkeypatch)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ON_CUDA)
def test_native(name, monkeypatch):
    check(gl.native, name, NATIVE[name], SMALL, monkeypatch)


@pytest.mark.thorough
@pytest.mark.parametrize("name", UNWEIGHTED)
def test_distances_without_weights_are_counts(name, monkeypatch):
    make = partial(SMALL, weighted=False)
    check(gl, name, UNWEIGHTED[name], make, monkeypatch)
    if name in NATIVE:
        check(gl.native, name, UNWEIGHTED[name], make, monkeypatch)


def by_degree(weighted=True):
    """Return graphs whose vertices stand by degree already, which native searches copy from."""
    G = gl.transform.by_degree(SMALL(weighted=weighted).undirected).graph
    return Graphs(gl.Graph(G.A), G)


@pytest.mark.parametrize("name", ["bfs", "sssp", "connected_components"])
@pytest.mark.parametrize("weighted", [True, False])
def test_native_of_a_graph_by_degree(name, weighted, monkeypatch):
    def make():
        found = by_degree(weighted)
        gl.native.bfs(found.directed, 0)  # it numbers the vertices, which components then use
        return found

    expected = NATIVE[name] if weighted or name not in UNWEIGHTED else UNWEIGHTED[name]
    check(gl.native, name, expected, make, monkeypatch)


@pytest.mark.parametrize("form", bfs_variants)
def test_variants_of_bfs(form, monkeypatch):
    check(has(bfs_variants[form], "bfs_levels"), "bfs_levels", "index", SMALL, monkeypatch)


@pytest.mark.parametrize("form", sssp_variants)
def test_variants_of_sssp(form, monkeypatch):
    where = has(sssp_variants[form], "sssp_distances")
    check(where, "sssp_distances", "INT16", SMALL, monkeypatch)


@pytest.mark.thorough
@pytest.mark.parametrize("form", forest_variants)
def test_variants_of_the_forest(form, monkeypatch):
    where = has(forest_variants[form], "minimum_spanning_forest")
    check(where, "minimum_spanning_forest", FOREST, SMALL, monkeypatch)


def test_a_forest_with_the_cpu(monkeypatch):
    where = has(minimum_spanning_forest_with_cpu, "minimum_spanning_forest")
    check(where, "minimum_spanning_forest", FOREST, SMALL, monkeypatch)


def test_a_search_beyond_memory(monkeypatch):
    where = has(partial(bfs_beyond_memory, max_bytes=64), "bfs")
    check(where, "bfs", TREE, SMALL, monkeypatch)
