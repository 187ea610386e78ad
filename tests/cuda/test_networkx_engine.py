"""The NetworkX backend on engine "cuda"."""

from __future__ import annotations

import pytest

nx = pytest.importorskip("networkx", "3.4")
if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)


def test_results_and_engine_of_the_conversion():
    G = nx.karate_club_graph()
    weights = {0: 1, 5: 2}
    with nx.config.backends.graphla(engine="cuda"):
        rank = nx.pagerank(G, personalization=weights, backend="graphla")
        components = list(nx.connected_components(G, backend="graphla"))
    assert rank == pytest.approx(nx.pagerank(G, personalization=weights), abs=1e-5)
    assert components == [set(G)]
    (converted,) = G.__networkx_cache__["backends"]["graphla"].values()
    assert converted.graph("weight").engine == "cpu"
    with nx.config.backends.graphla(engine="cuda"):
        assert converted.graph("weight").engine == "cuda"
