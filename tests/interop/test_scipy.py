"""Conversion from and to SciPy, igraph and PyTorch tensors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
    MissingPackage,
)
from tests.graphs import DTYPES, edge_cases, random_graph

ROOT = Path(__file__).parents[2]
KINDS = ["directed", "undirected"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_scipy_round_trip(dtype, kind):
    G = random_graph(30, 90, dtype=None if dtype == "bool" else dtype, kind=kind)
    S = gl.interop.scipy.to_sparse(G)
    assert (S.dtype, S.indices.dtype) == (dtype, np.int32)
    assert gl.Graph(S, kind=kind).A.isequal(G.A, check_dtype=True)
    S.data[:] = 0
    assert G.A.reduce_scalar("max").new().value != 0


def test_scipy_of_a_matrix():
    closure = gl.transitive_closure(gl.generate.cycle(4))
    assert gl.interop.scipy.to_sparse(closure).toarray().all()


# ---- igraph


@pytest.mark.parametrize("kind", KINDS)
def test_igraph_round_trip(kind):
    pytest.importorskip("igraph")
    for name, G in edge_cases(kind).items():
        labels = [f"v{k}" for k in range(G.n)]
        H = gl.interop.igraph.to_igraph(G, labels)
        assert (H.vcount(), H.ecount(), H.is_directed()) == (G.n, G.nedges, kind == "directed")
        back, names = gl.interop.igraph.from_igraph(H)
        assert names == labels or G.n == 0, name
        assert back.A.isequal(G.A), name


def test_igraph_parallel_edges_and_attributes():
    igraph = pytest.importorskip("igraph")
    H = igraph.Graph(3, [(0, 1), (1, 0), (1, 2)], edge_attrs={"weight": [3, 4, 5], "km": [1, 2, 9]})
    make = gl.interop.igraph.from_igraph
    assert make(H, dup="sum").graph.A[1, 0].new() == 7
    assert make(H, weight="km").graph.A[0, 1].new() == 1
    assert not make(H, weight="miles").graph.weighted
    assert make(H).labels is None
    both = gl.interop.igraph.to_igraph(make(H).graph, directed=True)
    assert (both.is_directed(), both.ecount()) == (True, 4)
    H.es["weight"] = [3, None, 5]
    for call, error, match in [
        (lambda: make(H, weight="km", dup=None), InvalidGraph, "twice"),
        (lambda: make(H), InvalidValue, "'weight'"),
        (lambda: make(3), DomainMismatch, "int is not an igraph.Graph"),
        (
            lambda: gl.interop.igraph.to_igraph(gl.Graph([[1]]), "ab"),
            DimensionMismatch, "2 labels for 1",
        ),
    ]:  # fmt: skip
        with pytest.raises(error, match=match):
            call()


def test_igraph_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingPackage, match="needs igraph: pip install igraph"):
        gl.interop.igraph.to_igraph(gl.Graph([[1]]))


# ---- PyTorch Geometric


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


def test_libraries_are_loaded_on_first_use():
    code = (
        "import sys, graphla as gl; gl.plot; [getattr(gl.interop, m) for m in gl.interop.MODULES]; "
        "names = ('pandas', 'polars', 'pyarrow', 'igraph', 'torch', 'cupy', 'matplotlib'); "
        "print([m for m in names if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no_such"):
        gl.interop.no_such
