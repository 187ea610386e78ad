"""Edge indices of PyTorch Geometric, with PyTorch or a substitute."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    MissingPackage,
)
from tests.graphs import random_graph

KINDS = ["directed", "undirected"]


class Tensor:
    """An array that only DLPack can read."""

    def __init__(self, array):
        self._array = np.asarray(array)

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


@pytest.fixture
def torch(monkeypatch):
    """PyTorch, or a substitute with the required functions if it is not installed."""
    try:
        import torch
    except ImportError:
        torch = ModuleType("torch")
        torch.from_dlpack = Tensor
        monkeypatch.setitem(sys.modules, "torch", torch)
    return torch


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [None, "int64", "float32"])
def test_edge_index_round_trip(torch, kind, dtype):
    G = random_graph(20, 60, kind=kind, dtype=dtype)
    edge_index, weight = gl.interop.torch.to_edge_index(G)
    assert (weight is None) == (dtype is None)
    assert np.from_dlpack(edge_index).shape == (2, G.A.nvals)
    assert np.from_dlpack(edge_index).dtype == np.int64
    H = gl.interop.torch.from_edge_index(edge_index, weight, n=20, kind=kind)
    assert H.A.isequal(G.A, check_dtype=True)


def test_edge_index_with_pytorch():
    torch = pytest.importorskip("torch")
    G = gl.interop.torch.from_edge_index(torch.tensor([[0, 1], [1, 2]]), torch.tensor([0.5, 2.0]))
    assert (G.dtype, G.nedges) == ("FP32", 2)
    edge_index, _ = gl.interop.torch.to_edge_index(G)
    assert isinstance(edge_index, torch.Tensor)


def test_edge_index_rules_and_refusals():
    make = gl.interop.torch.from_edge_index
    ends = Tensor([[0, 1, 0], [1, 0, 1]])
    assert make(ends, Tensor([3, 4, 5]), dup="max").A[0, 1].new() == 5
    assert make(ends, Tensor([3, 4, 5]), kind="undirected", dup="sum").A[0, 1].new() == 12
    assert make(ends, n=9).n == 9
    for call, error, match in [
        (lambda: make([[0], [1]]), DomainMismatch, "list has no __dlpack__"),
        (lambda: make(Tensor([0, 1])), DimensionMismatch, r"2 x m .* got \[\(2,\)\]"),
        (lambda: make(Tensor([[0, 1]])), DimensionMismatch, r"\(1, 2\)"),
        (lambda: make(ends, Tensor([1, 2])), DimensionMismatch, r"\(2,\)"),
        (lambda: make(ends, n=1), InvalidIndex, "n=1"),
        (lambda: make(Tensor([[0.5], [1.0]])), DomainMismatch, "float64"),
        (lambda: make(ends, dup=None), InvalidGraph, "twice"),
    ]:
        with pytest.raises(error, match=match):
            call()


def test_edge_index_without_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match="needs torch: pip install torch"):
        gl.interop.torch.to_edge_index(gl.Graph([[1]]))
