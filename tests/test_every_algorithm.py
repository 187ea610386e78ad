"""Every algorithm on one tiny graph, on every engine, by algebra and by hand: in seconds."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.core.engines import available, on_host
from graphla.errors import EngineMismatch, GraphlaError
from tests.algorithm_calls import algorithms, prepared, tiny
from tests.cuda.simulator import simulate_device
from tests.index_dtypes import NATIVE_ON_CPU_ONLY

TREES = {"parent"}  # each engine returns one of several right trees


@pytest.fixture
def cuda(monkeypatch):
    """Put the simulator in the place of a device that is not there."""
    if not available("cuda"):
        simulate_device(monkeypatch)


def outcome(function, G, number=list):
    """Return the result in host memory as lists and numbers, or the type of the error."""
    try:
        return plain(prepared(function, G)(), number)
    except GraphlaError as error:
        return type(error)


def near(values):
    return pytest.approx(list(values), rel=1e-4, abs=1e-6)


def plain(x, number, name=""):
    if hasattr(x, "_fields"):
        return {field: plain(getattr(x, field), number, field) for field in x._fields}
    if isinstance(x, (list, tuple)):
        return [plain(y, number) for y in x]
    if not hasattr(x, "to_coo"):
        return number([x])
    *places, values = on_host(x).to_coo()
    if name in TREES:
        return [x.dtype.name, x.shape, *(place.tolist() for place in places)]
    return [x.dtype.name, x.shape, *(place.tolist() for place in places), number(values.tolist())]


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms())
def test_engines_agree(cuda, name, kind):
    function, G = algorithms()[name], tiny(kind)
    assert outcome(function, G.to("cuda")) == outcome(function, G, near)


@pytest.mark.parametrize("engine", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", algorithms(gl.native))
def test_native_kernels_agree(cuda, name, kind, engine):
    function, G = algorithms(gl.native)[name], tiny(kind)
    expected = outcome(algorithms()[name], G, near)
    if engine == "cuda" and name in NATIVE_ON_CPU_ONLY and not isinstance(expected, type):
        expected = EngineMismatch
    assert outcome(function, G.to(engine)) == expected
