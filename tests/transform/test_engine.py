"""The interface of engines: both have all operations; too large graphs are refused."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue
from graphla.transform import cpu, cuda, engine
from tests.graphs import edges


def defined(module):
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_both_engines_have_all_operations_with_the_same_parameters():
    wanted = [
        name
        for name, f in vars(engine.EngineOperations).items()
        if inspect.isfunction(f) and not name.startswith("_")
    ]
    assert len(wanted) >= 9
    for name in wanted:
        parameters = [[a.arg for a in defined(module)[name].args.args] for module in (cpu, cuda)]
        assert parameters[0] == parameters[1], name
        assert (
            parameters[0]
            == list(inspect.signature(getattr(engine.EngineOperations, name)).parameters)[1:]
        ), name


def test_operations_by_name():
    assert engine.operations("cpu") is engine.operations_for(gl.generate.path(3)) is cpu
    assert engine.operations("cuda") is cuda
    with pytest.raises(DomainMismatch):
        engine.operations_for(np.eye(2))


def test_a_graph_with_too_many_vertices(monkeypatch):
    monkeypatch.setattr(engine, "MAX_VERTICES", 2)
    with pytest.raises(InvalidValue, match="this has n=3"):
        engine.operations_for(gl.generate.path(3))


def test_orders_and_their_inverses():
    G = edges([2, 2, 0], [0, 1, 1], n=4)
    assert engine.out_degrees(G).tolist() == [1, 0, 2, 0]
    order = engine.descending_degree_order(G)
    assert order.tolist() == [2, 0, 1, 3]
    assert engine.inverse_permutation(order[:3], 4, np).tolist() == [1, 2, 0, -1]


def test_graphs_of_rows():
    G = edges([0, 1], [1, 0], [5, 5], n=3, kind="undirected")
    H = engine.graph_from_rows(G.csr, G)
    assert (H.kind, H.dtype) == (G.kind, G.dtype)
    assert H.A.isequal(G.A, check_dtype=True)


def test_errors_of_host_objects_are_not_translated():
    @engine.translate_out_of_memory
    def fails(x, text):
        raise MemoryError(text)

    with pytest.raises(MemoryError, match="here"):
        fails(gl.generate.path(3), text="here")
