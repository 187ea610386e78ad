"""What transforms refuse, and their text."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla import transform
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
)


def refusals(G):
    """Yield (error, text of its message, failing call) for a graph of 4 vertices."""
    H, permutation = transform.by_degree(G)
    r = gl.bfs(H, 0)
    undone = permutation.undo(r)
    codes = transform.weights_to_codes(G)
    yield DomainMismatch, "dtype float64", lambda: transform.renumber(G, [0.5, 1.0])
    yield DimensionMismatch, "shape", lambda: transform.renumber(G, [[0, 1], [2, 3]])
    yield InvalidIndex, "n=4", lambda: transform.renumber(G, [0, 1, 4])
    yield InvalidIndex, "n=4", lambda: transform.renumber(G, [-1, 1, 2])
    yield InvalidGraph, "twice", lambda: transform.renumber(G, [0, 1, 1, 2])
    yield InvalidGraph, "leaves out", lambda: transform.renumber(G, [0, 1])
    yield InvalidIndex, "4 is not a vertex", lambda: permutation.vertex(4)
    yield InvalidIndex, "cut off", lambda: permutation.vertex(3)
    yield DomainMismatch, "float", lambda: permutation.vertex(1.5)
    yield DomainMismatch, "not list", lambda: permutation.undo([1, 2, 3])
    yield DimensionMismatch, "shape", lambda: permutation.undo(gl.bfs(G, 0).level)
    yield DimensionMismatch, "shape", lambda: permutation.undo_vertices(gl.bfs(G, 0).level)
    yield DomainMismatch, "not", lambda: permutation.undo_components(H.A)
    yield DimensionMismatch, "n=4", lambda: permutation.restore(G)
    yield InvalidValue, "share", lambda: transform.interleave(G, 1.5)
    yield InvalidValue, "size", lambda: transform.block_edges(G, 0)
    yield DomainMismatch, "size", lambda: transform.block_edges(G, 1.5)
    yield DomainMismatch, "not codes", lambda: transform.codes_to_weights(G, "INT64")
    yield DomainMismatch, "not codes", lambda: transform.codes_to_weights(codes, "FP32")
    yield DomainMismatch, "not ranks", lambda: transform.ranks_to_weights(G, [1.0])
    yield InvalidIndex, "of 1 weights", lambda: transform.ranks_to_weights(codes, np.ones(1))
    yield DimensionMismatch, "shape", lambda: transform.ranks_to_weights(codes, np.ones((9, 1)))
    with pytest.raises(AttributeError):
        undone.nothing


def check_refusals(engine):
    G = gl.Graph.from_edges([0, 1], [1, 2], [3, 4], n=4).to(engine)
    for error, text, function in refusals(G):
        with pytest.raises(error, match=text):
            function()
    nan = gl.Graph.from_edges([0, 1], [1, 2], [np.nan, 1.0]).to(engine)
    for function in (
        transform.weights_to_codes,
        transform.weights_to_ranks,
        transform.rows_by_weight,
    ):
        with pytest.raises(InvalidValue, match="NaN"):
            function(nan)


def test_refused():
    check_refusals("cpu")


@pytest.mark.parametrize(
    "function",
    [
        *(transform.by_degree, transform.breadth_first, transform.reverse_cuthill_mckee),
        *(transform.rows_by_degree, transform.rows_by_weight, transform.compress),
        *(transform.interleave, transform.block_edges, transform.byte_ids),
        *(transform.weights_to_codes, transform.weights_to_ranks),
    ],
)
def test_what_is_no_graph_is_refused(function):
    with pytest.raises(DomainMismatch, match="expected"):
        function(np.eye(3))


def test_too_many_blocks():
    with pytest.raises(InvalidValue, match="segments"):
        transform.block_edges(gl.generate.path(50000), 1)


def test_text():
    _, permutation = transform.by_degree(gl.generate.path(3))
    assert repr(permutation) == "<Permutation: 3 of 3 vertices, cpu>"
    assert "level=" in repr(permutation.undo(gl.bfs(gl.generate.path(3), 0)))
