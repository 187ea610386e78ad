"""Vertices, levels and labels in results have the index dtype of the graph, on engine "cuda"."""

from __future__ import annotations

from functools import partial

import pytest

import graphla as gl
from graphla.comparison.implementations import variants
from tests.index_dtypes import ALGEBRAIC, NATIVE, UNWEIGHTED, check, graphs

SMALL = partial(graphs, "cuda", n=60)


@pytest.mark.parametrize("name", ALGEBRAIC)
def test_algebraic(name, monkeypatch):
    check(gl, name, ALGEBRAIC[name], SMALL, monkeypatch)


@pytest.mark.parametrize("name", set(NATIVE) - {"bfs_compressed"})
def test_native(name, monkeypatch):
    check(gl.native, name, NATIVE[name], SMALL, monkeypatch)
