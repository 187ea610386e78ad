"""All native functions have the signatures of their algebraic twins."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DomainMismatch, EngineMismatch
from graphla.native import dispatch
from tests.index_dtypes import NATIVE_ON_CPU_ONLY

NAMES = [
    name
    for name, f in inspect.getmembers(gl.native, inspect.isfunction)
    if f.__module__ == "graphla.native"
    and name[0] != "_"
    and name != "bfs_compressed"  # takes another form of a graph, and so has no twin
]


def test_there_is_a_twin_of_each():
    assert set(NAMES) >= {
        *("bfs", "sssp", "minimum_spanning_forest", "transitive_closure", "connected_components"),
        *("pagerank", "triangle_count", "betweenness_centrality", "all_pairs_shortest_paths"),
        *("core_number", "k_truss", "triangles", "clustering_coefficient"),
        *("greedy_color", "label_propagation", "louvain", "closeness_centrality"),
    }


@pytest.mark.parametrize("name", NAMES)
def test_signature_is_that_of_the_twin(name):
    parameters = inspect.signature(getattr(gl, name)).parameters
    assert list(inspect.signature(getattr(gl.native, name)).parameters) == list(parameters)
    for own in inspect.signature(getattr(gl.native, name)).parameters.values():
        assert (own.default, own.kind) == (parameters[own.name].default, parameters[own.name].kind)


@pytest.mark.parametrize("name", sorted(NATIVE_ON_CPU_ONLY & set(NAMES)))
def test_a_kernel_of_the_cpu_alone_refuses_other_engines(name):
    G = SimpleNamespace(engine="cuda")
    with pytest.raises(EngineMismatch, match=f"native.{name} runs on engine 'cpu' only"):
        dispatch.run(name, G)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_graph_is_refused(name):
    function = getattr(gl.native, name)
    needs = len(
        [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    )
    with pytest.raises(DomainMismatch):
        function(*[np.eye(2), 0, 0][:needs])
