"""Engines by name: modules, availability, and what runs without a device."""

from __future__ import annotations

import graphblas
import numpy as np
import pytest

import graphla as gl
from graphla.core import engines
from graphla.errors import EngineUnavailable, NotSupported


def test_objects_of_an_engine():
    assert engines.objects("cpu") is graphblas
    assert engines.objects("cuda") is gl.cuda
    with pytest.raises(EngineUnavailable, match=r"'tpu' is not one of: cpu, cuda$"):
        engines.objects("tpu")


def test_how_a_graph_is_distributed_is_said():
    with pytest.raises(NotSupported, match=r"ranks\.distribute\(G\).*devices=2.*client="):
        gl.generate.path(3).to("ranks")


def test_availability(monkeypatch):
    assert engines.available("cpu")
    assert not engines.available("tpu")
    monkeypatch.setattr(gl.cuda, "require", lambda: None)
    assert engines.available("cuda")

    def without():
        raise EngineUnavailable("no device")

    monkeypatch.setattr(gl.cuda, "require", without)
    assert not engines.available("cuda")


def test_without_a_driver_cupy_is_not_imported(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(engines.ctypes, "CDLL", missing)
    monkeypatch.delitem(engines.sys.modules, "graphla.cuda", raising=False)
    monkeypatch.setattr(engines, "objects", None)  # a call would raise TypeError
    assert not engines.available("cuda")
    assert engines.engine_of(object()) == "cpu"


def test_engines_of_objects():
    A = gl.generate.path(3).A
    assert [engines.engine_of(x) for x in (A, A.T, A[0, :].new(), 3)] == ["cpu"] * 4
    assert engines.on_host(A) is A


def test_arrays():
    x = np.arange(3)
    assert engines.array_module("cpu") is np
    assert engines.host_array(x) is x

    class OnDevice:
        def get(self):
            return x

    assert engines.host_array(OnDevice()) is x
