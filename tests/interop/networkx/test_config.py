"""The backend's settings: engine and kernels."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import graphla as gl
from graphla.errors import InvalidValue
from graphla.interop.networkx import info
from graphla.interop.networkx.config import (
    RATIOS,
    configured_engine,
    implementation,
)
from tests.interop.networkx.installed import nx

ROOT = Path(__file__).parents[3]
ROWS = ROOT / "benchmarks/results/networkx.jsonl"
ONLY_ON_CPU = [name for name, ratios in RATIOS.items() if "cuda" not in ratios]


def test_engine_is_configured(monkeypatch):
    assert configured_engine() == "cpu"
    with nx.config.backends.graphla(engine="cuda"):
        assert configured_engine() == "cuda"
    assert info.get_info()["default_config"] == {"engine": "cpu", "kernels": "auto"}
    monkeypatch.setenv("GRAPHLA_ENGINE", "cuda")
    monkeypatch.setenv("GRAPHLA_KERNELS", "native")
    assert info.get_info()["default_config"] == {"engine": "cuda", "kernels": "native"}


def test_kernels_are_configured(monkeypatch):
    G = gl.Graph.from_edges([0], [1])
    with nx.config.backends.graphla(kernels="algebra"):
        assert implementation(gl.betweenness_centrality, G) is gl.betweenness_centrality
    with nx.config.backends.graphla(kernels="native"):
        assert implementation(gl.pagerank, G) is gl.native.pagerank
        assert implementation(gl.core_number, G) is gl.native.core_number
        assert implementation(gl.louvain, G) is gl.louvain
    with (
        nx.config.backends.graphla(kernels="other"),
        pytest.raises(InvalidValue, match="kernels='other'"),
    ):
        implementation(gl.pagerank, G)


def test_auto_selects_the_kernels_that_are_much_faster():
    G = gl.Graph.from_edges([0], [1])
    assert implementation(gl.pagerank, G) is gl.pagerank
    assert implementation(gl.betweenness_centrality, G) is gl.native.betweenness_centrality
    assert implementation(gl.transitive_closure, G) is gl.transitive_closure
    assert implementation(gl.louvain, G) is gl.louvain
    assert implementation(gl.k_truss, G) is gl.k_truss
    for name in set(ONLY_ON_CPU) - {"k_truss"}:
        assert implementation(getattr(gl, name), G) is getattr(gl.native, name)


@pytest.mark.parametrize("kernels", ["auto", "native"])
def test_kernels_of_engine_cpu_alone_are_not_selected_on_cuda(kernels):
    H = SimpleNamespace(engine="cuda")
    with nx.config.backends.graphla(kernels=kernels):
        for name in ONLY_ON_CPU:
            assert implementation(getattr(gl, name), H) is getattr(gl, name)


def test_ratios_are_those_of_the_last_rows():
    rows = map(json.loads, ROWS.read_text().splitlines())
    large = {name: "kron10" if name == "transitive_closure" else "kron16" for name in RATIOS}
    last = {
        (row["algorithm"], row["engine"]): row["ratio"]
        for row in rows
        if row["kind"] == "kernels" and row["graph"] == large[row["algorithm"]]
    }
    table = {(name, engine): x for name, by in RATIOS.items() for engine, x in by.items()}
    assert table == last


def test_the_page_shows_the_last_rows_of_kernels_and_of_pairs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = import_module("networkx_backend")
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    page = (ROOT / "docs/networkx.md").read_text()
    for lines in (script.kernel_lines(rows), script.pair_lines(rows)):
        assert "\n".join(lines) in page


@pytest.mark.parametrize("name", RATIOS)
def test_native_selects_the_kernel_of_every_algorithm_that_has_one(name):
    G = gl.generate.les_miserables()
    algorithm = getattr(gl, name)
    with nx.config.backends.graphla(kernels="native"):
        chosen = implementation(algorithm, G)
    if name == "bfs_levels":  # the kernel returns parents, too
        assert chosen is not algorithm
        assert chosen(G, 3).isequal(algorithm(G, 3))
    else:
        assert chosen is getattr(gl.native, name)


def test_native_kernels_run_and_return_the_same_results(monkeypatch):
    G = nx.gnm_random_graph(60, 90, seed=1)
    calls = {  # function of NetworkX -> its arguments, and the native kernel that it calls
        "betweenness_centrality": ({}, "betweenness_centrality"),
        "connected_components": ({}, "connected_components"),
        "number_connected_components": ({}, "connected_components"),
        "minimum_spanning_tree": ({}, "minimum_spanning_forest"),
        "pagerank": ({"weight": None}, "pagerank"),
        "descendants": ({"source": 0}, "bfs"),
        "ancestors": ({"source": 0}, "bfs"),
        "single_source_shortest_path": ({"source": 0}, "bfs"),
        "multi_source_dijkstra_path_length": ({"sources": [0, 1]}, "sssp_distances"),
        "transitive_closure": ({}, "transitive_closure"),
        "core_number": ({}, "core_number"),
        "k_shell": ({}, "core_number"),
        "k_truss": ({"k": 3}, "k_truss"),
        "clustering": ({}, "clustering_coefficient"),
        "triangles": ({}, "triangles"),
    }
    ran = []

    def recorded(kernel, run):
        def call(*args, **kwargs):
            ran.append(kernel)
            return run(*args, **kwargs)

        return call

    for kernel in {kernel for _, kernel in calls.values()}:
        monkeypatch.setattr(gl.native, kernel, recorded(kernel, getattr(gl.native, kernel)))
    for name, (arguments, kernel) in calls.items():
        theirs = getattr(nx, name)(G, **arguments, backend="networkx")
        ran.clear()
        with nx.config.backends.graphla(kernels="native"):
            ours = getattr(nx, name)(G, **arguments, backend="graphla")
            ours = list(ours) if name == "connected_components" else ours
        assert set(ran) == {kernel}, name
        if name == "connected_components":
            assert ours == list(theirs)
        elif name in ("descendants", "ancestors", "single_source_shortest_path"):
            assert ours == theirs
        elif name in ("transitive_closure", "minimum_spanning_tree", "k_shell", "k_truss"):
            assert nx.utils.graphs_equal(ours, theirs)
        else:
            assert ours == pytest.approx(theirs, abs=1e-4)
