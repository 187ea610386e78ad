"""PyTorch Geometric's arrays on a device: built and handed over there."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, InvalidGraph
from tests.graphs import random_graph


class OnDevice:
    """An array of the device, of which only DLPack knows."""

    def __init__(self, array):
        self.array = device.xp.asarray(np.asarray(array))

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return 2, 0  # the simulator's arrays are on the host


@pytest.fixture(autouse=True)
def reads_the_host(monkeypatch):
    """Let the simulator take an array of the host for one of the device."""
    if device.xp.ndarray is np.ndarray:
        monkeypatch.setattr(np, "from_dlpack", lambda x: getattr(x, "array", x))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("dup", ["min", "max", "sum"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_graph_is_that_of_the_host(kind, dup, weighted):
    rng = np.random.default_rng(1)
    ends, weight = rng.integers(0, 9, (2, 40)), rng.integers(1, 50, 40)
    expected = gl.Graph.from_edges(*ends, weight if weighted else None, kind=kind, dup=dup)
    given = OnDevice(weight) if weighted else None
    G = gl.interop.torch.from_edge_index(OnDevice(ends), given, kind=kind, dup=dup)
    assert (G.engine, G.kind) == ("cuda", kind)
    assert to_graphblas(G.A).isequal(expected.A, check_dtype=True)


def test_handed_over_without_leaving_the_device(monkeypatch):
    torch = ModuleType("torch")
    torch.from_dlpack = lambda x: x
    monkeypatch.setitem(sys.modules, "torch", torch)
    G = random_graph(12, 30, dtype="float32")
    edge_index, weight = gl.interop.torch.to_edge_index(G.to("cuda"))
    assert device.is_array(edge_index)
    assert device.is_array(weight)
    rows, cols, values = G.A.to_coo()
    assert device.to_host(edge_index).tolist() == [rows.tolist(), cols.tolist()]
    assert device.to_host(weight).tolist() == values.tolist()


def test_refusals():
    ends = OnDevice([[0, 1], [1, 0]])
    make = gl.interop.torch.from_edge_index
    with pytest.raises(InvalidGraph, match="'first'"):
        make(ends, dup="first")
    with pytest.raises(InvalidGraph, match="'tree'"):
        make(ends, kind="tree")
    for weight in (None, OnDevice([1.0, 2.0])):
        with pytest.raises(InvalidGraph, match="twice"):
            make(OnDevice([[0, 0], [1, 1]]), weight, dup=None)
    with pytest.raises(DimensionMismatch, match="2 x m"):
        make(OnDevice([1, 2]))
