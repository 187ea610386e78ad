"""The backend's settings: engine and kernels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphla.errors import InvalidValue
from graphla.interop.networkx import info
from graphla.interop.networkx.config import RATIOS, configured_engine, implementation
from tests.interop.networkx.installed import nx

ROOT = Path(__file__).parents[3]


def test_engine_is_configured(monkeypatch):
    assert configured_engine() == "cpu"
    with nx.config.backends.graphla(engine="cuda"):
        assert configured_engine() == "cuda"
    assert info.get_info()["default_config"] == {"engine": "cpu", "kernels": "auto"}
    monkeypatch.setenv("GRAPHLA_ENGINE", "cuda")
    monkeypatch.setenv("GRAPHLA_KERNELS", "native")
    assert info.get_info()["default_config"] == {"engine": "cuda", "kernels": "native"}


def test_kernels_are_configured(monkeypatch):
    import graphla as gl

    G = gl.Graph.from_edges([0], [1])
    with nx.config.backends.graphla(kernels="algebra"):
        assert implementation(gl.betweenness_centrality, G) is gl.betweenness_centrality
    with nx.config.backends.graphla(kernels="native"):
        assert implementation(gl.pagerank, G) is gl.native.pagerank
        assert implementation(gl.core_number, G) is gl.core_number
    with (
        nx.config.backends.graphla(kernels="other"),
        pytest.raises(InvalidValue, match="kernels='other'"),
    ):
        implementation(gl.pagerank, G)


def test_auto_selects_the_kernels_that_are_much_faster():
    import graphla as gl

    G = gl.Graph.from_edges([0], [1])
    assert implementation(gl.pagerank, G) is gl.pagerank
    assert implementation(gl.betweenness_centrality, G) is gl.native.betweenness_centrality
    assert implementation(gl.transitive_closure, G) is gl.transitive_closure
    assert implementation(gl.core_number, G) is gl.core_number


def test_ratios_are_those_of_the_last_rows():
    rows = map(json.loads, (ROOT / "benchmarks/results/networkx.jsonl").read_text().splitlines())
    large = {name: "kron10" if name == "transitive_closure" else "kron16" for name in RATIOS}
    last = {
        (row["algorithm"], row["engine"]): row["ratio"]
        for row in rows
        if row["kind"] == "kernels" and row["graph"] == large[row["algorithm"]]
    }
    table = {(name, engine): x for name, by in RATIOS.items() for engine, x in by.items()}
    assert table == last


def test_native_kernels_return_the_same_results():
    G = nx.gnm_random_graph(60, 90, seed=1)
    calls = {
        "betweenness_centrality": {},
        "connected_components": {},
        "number_connected_components": {},
        "pagerank": {"weight": None},
        "descendants": {"source": 0},
        "ancestors": {"source": 0},
        "single_source_shortest_path": {"source": 0},
        "multi_source_dijkstra_path_length": {"sources": [0, 1]},
        "transitive_closure": {},
    }
    for name, arguments in calls.items():
        theirs = getattr(nx, name)(G, **arguments, backend="networkx")
        with nx.config.backends.graphla(kernels="native"):
            ours = getattr(nx, name)(G, **arguments, backend="graphla")
        if name == "connected_components":
            assert list(ours) == list(theirs)
        elif name in ("descendants", "ancestors", "single_source_shortest_path"):
            assert ours == theirs
        elif name == "transitive_closure":
            assert nx.utils.graphs_equal(ours, theirs)
        else:
            assert ours == pytest.approx(theirs, abs=1e-4)
