"""Variants of native CUDA kernels: refused without a device or by an unknown name."""

from __future__ import annotations

import pytest

from graphla.comparison import implementations, variants
from graphla.comparison.algorithms import ALGORITHMS
from graphla.core import engines
from graphla.errors import EngineUnavailable, InvalidValue


def test_unknown_variants():
    with pytest.raises(InvalidValue, match="variants='sorting'"):
        variants.register_variants("sorting")


def test_without_a_device(monkeypatch):
    monkeypatch.setattr(engines, "available", lambda engine: engine == "cpu")
    before = implementations.all_implementations()
    with pytest.raises(EngineUnavailable, match="variants of bfs need engine 'cuda'"):
        variants.register_variants("bfs")
    assert implementations.all_implementations() == before


@pytest.mark.parametrize("name", variants.VARIANTS)
def test_all_are_registered_where_there_is_a_device(name, monkeypatch):
    from graphla.native import cuda

    monkeypatch.setattr(engines, "available", lambda engine: True)
    monkeypatch.setattr(implementations, "_registered", {})
    algorithm, names = variants.register_variants(name)
    assert algorithm in ALGORITHMS
    assert names == [*(f"cuda {k}" for k in getattr(cuda, f"{name}_variants")), "graphla-cuda"]
    added = [i for i in implementations.all_implementations() if i.name in names[:-1]]
    assert {(i.algorithm, i.family, i.engine) for i in added} == {(algorithm, "native", "cuda")}
    assert len(added) == len(names) - 1
