"""Dispatch decisions of the NetworkX backend: size, configuration, refusals."""

from __future__ import annotations

import pytest

nx = pytest.importorskip("networkx", "3.4")

from graphla.errors import InvalidValue  # noqa: E402
from graphla.interop.networkx import backend, dispatch, info  # noqa: E402

if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
nx.config.warnings_to_ignore.add("cache")


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


def test_small_graphs_stay_with_networkx():
    G, big = nx.path_graph(5), nx.gnm_random_graph(3000, 40000, seed=1)
    assert "small" in dispatch.should_run("pagerank", (G,), {})
    assert dispatch.should_run("pagerank", (big,), {}) is True
    assert "converted" in dispatch.should_run("bfs_edges", (big, 0), {})
    nx.number_connected_components(big, backend="graphla")
    assert dispatch.should_run("bfs_edges", (big, 0), {}) is True


@pytest.fixture
def chosen():
    """Let NetworkX choose graphla by itself."""
    before = nx.config.backend_priority.algos
    nx.config.backend_priority.algos = ["graphla"]
    backend.calls.clear()
    yield backend.calls
    nx.config.backend_priority.algos = before


def test_networkx_chooses_by_size(chosen):
    small, big = nx.path_graph(5), nx.gnm_random_graph(3000, 40000, seed=1)
    assert nx.transitivity(small) == 0
    assert not chosen
    assert nx.transitivity(big) == pytest.approx(nx.transitivity(big, backend="networkx"))
    assert chosen == {"transitivity": 1}


def test_refused_calls_run_in_networkx(chosen):
    G = nx.gnm_random_graph(3000, 40000, seed=1)
    nx.pagerank(G)
    G.add_edge(0, 1, weight=-1)
    found = nx.hits(G)
    assert chosen == {"pagerank": 1, "hits": 1}
    theirs = nx.hits(G, backend="networkx")
    assert found[0] == pytest.approx(theirs[0], rel=1e-9)
