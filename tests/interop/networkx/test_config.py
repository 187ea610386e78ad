"""The backend's settings: engine and kernels."""

from __future__ import annotations

import pytest

from graphla.errors import InvalidValue
from graphla.interop.networkx import info
from tests.interop.networkx.installed import nx


def test_engine_is_configured(monkeypatch):
    from graphla.interop.networkx.config import configured_engine

    assert configured_engine() == "cpu"
    with nx.config.backends.graphla(engine="cuda"):
        assert configured_engine() == "cuda"
    monkeypatch.setenv("GRAPHLA_ENGINE", "cuda")
    monkeypatch.setenv("GRAPHLA_KERNELS", "native")
    assert info.get_info()["default_config"] == {"engine": "cuda", "kernels": "native"}


def test_kernels_are_configured(monkeypatch):
    import graphla as gl
    from graphla.interop.networkx.config import implementation

    G = gl.Graph.from_edges([0], [1])
    assert implementation(gl.pagerank, G) is gl.pagerank
    with nx.config.backends.graphla(kernels="native"):
        assert implementation(gl.pagerank, G) is gl.native.pagerank
        assert implementation(gl.core_number, G) is gl.core_number
    with (
        nx.config.backends.graphla(kernels="other"),
        pytest.raises(InvalidValue, match="kernels='other'"),
    ):
        implementation(gl.pagerank, G)


def test_native_kernels_return_the_same_results():
    G = nx.gnm_random_graph(60, 90, seed=1)
    calls = {
        "betweenness_centrality": {},
        "connected_components": {},
        "number_connected_components": {},
        "pagerank": {"weight": None},
    }
    for name, arguments in calls.items():
        theirs = getattr(nx, name)(G, **arguments, backend="networkx")
        with nx.config.backends.graphla(kernels="native"):
            ours = getattr(nx, name)(G, **arguments, backend="graphla")
        if name == "connected_components":
            assert list(ours) == list(theirs)
        else:
            assert ours == pytest.approx(theirs, abs=1e-4)
