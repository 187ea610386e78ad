"""The NetworkX backend: properties that NetworkX's own tests do not check."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx", "3.4")

from graphla.errors import ConvergenceFailure, InvalidValue, NegativeCycle, NegativeWeight  # noqa: E402
from graphla.interop.networkx import backend, info  # noqa: E402
from graphla.interop.networkx.convert import from_networkx, to_networkx  # noqa: E402
from graphla.interop.networkx.version import BEFORE_3_5  # noqa: E402

if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
nx.config.warnings_to_ignore.add("cache")
ROOT = Path(__file__).parents[2]
SEEN_HERE = {  # NetworkX tests these only as parts of others
    *("boruvka_mst_edges", "kruskal_mst_edges", "prim_mst_edges", "generic_bfs_edges"),
}
NOT_IN_3_4 = {"all_triangles", "number_of_selfloops"} if BEFORE_3_5 else set()


def weighted(kind=nx.Graph):
    G = kind(name="four")
    G.add_node("d", size=3)
    G.add_edge("b", "a", weight=2.5, colour="red")
    G.add_edge("a", "c")
    G.add_edge("c", "c", weight=4)
    if G.is_multigraph():
        G.add_edge("b", "a", key="second", weight=1)
    return G


KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip_keeps_all_attributes(kind):
    G = weighted(kind)
    H = to_networkx(from_networkx(G, nodes_too=True, edges_too=True))
    assert type(H) is kind
    assert nx.utils.graphs_equal(G, H)
    assert H.graph == G.graph


@pytest.mark.parametrize("kind", KINDS)
def test_attributes_are_copied(kind):
    G = weighted(kind)
    H = from_networkx(G, nodes_too=True, edges_too=True)
    G.nodes["d"]["size"] = 5
    for *_, data in G.edges(data=True):
        data.clear()
    H = to_networkx(H)
    assert H.nodes["d"] == {"size": 3}
    assert nx.utils.graphs_equal(H, weighted(kind))


def test_order_of_nodes_and_edges_is_kept():
    H = from_networkx(weighted(nx.DiGraph))
    assert H.nodes == ["d", "b", "a", "c"]
    assert list(zip(H.src.tolist(), H.dst.tolist(), strict=True)) == [(1, 2), (2, 3), (3, 3)]
    assert "b" in H
    assert "x" not in H
    assert [] not in H


def test_missing_weights_have_the_default():
    H = from_networkx(weighted(), edge_attrs={"weight": 7})
    assert to_networkx(H)["a"]["c"] == {"weight": 7}
    assert from_networkx(weighted(), edge_attrs={"none": 1}).graph("none").weighted is False


@pytest.mark.parametrize(("rule", "weight"), [("min", 1), ("sum", 3.5), ("max", 2.5)])
@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_parallel_edges(kind, rule, weight):
    H = from_networkx(weighted(kind), edge_attrs={"weight": 1})
    assert H.graph("weight", rule).A[1, 2].new().value == weight


def test_parallel_edges_without_weights_sum_to_their_number():
    G = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    H = from_networkx(G, edge_attrs={"weight": 1})
    assert H.graph("weight", "sum").A[0, 1].new().value == 2
    assert nx.pagerank(G, backend="graphla") == pytest.approx(nx.pagerank(G))


@pytest.mark.parametrize("bad", ["heavy", None, 1j, [1], 2**70])
def test_non_numeric_weights_are_refused(bad):
    G = nx.Graph()
    G.add_edge(0, 1, weight=bad)
    with pytest.raises(NotImplementedError):
        from_networkx(G, edge_attrs={"weight": 1})


@pytest.mark.parametrize("labels", [[False, True], [0.0, 1.0], [1, 0], ["0", "1"]])
def test_nodes_keep_their_type_and_order(labels):
    G = nx.path_graph(2)
    G = nx.relabel_nodes(G, dict(enumerate(labels)))
    found = nx.single_source_shortest_path_length(G, labels[0], backend="graphla")
    assert list(map(type, found)) == [type(labels[0])] * 2
    assert found == {labels[0]: 0, labels[1]: 1}


def test_views_are_converted():
    G = nx.MultiDiGraph([(0, 1), (1, 2), (2, 0)])
    V = nx.subgraph_view(G, filter_edge=lambda u, v, k: u != 2)
    assert from_networkx(V).number_of_edges() == 2
    assert from_networkx(G.reverse(copy=False)).dst.tolist() == [2, 0, 1]


def test_conversions_are_cached_until_the_graph_changes():
    G = nx.karate_club_graph()
    nx.pagerank(G, backend="graphla")
    (first,) = G.__networkx_cache__["backends"]["graphla"].values()
    nx.connected_components(G, backend="graphla")
    assert list(G.__networkx_cache__["backends"]["graphla"].values()) == [first]
    G.add_edge(0, 99)
    assert nx.number_connected_components(G, backend="graphla") == 1
    assert 99 in nx.pagerank(G, backend="graphla")


def test_weights_given_as_functions_are_refused():
    G = nx.path_graph(3)
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path(G, 0, 2, weight=lambda u, v, d: 1, backend="graphla")
    assert "function" in backend.can_run("dijkstra_path", (G, 0, 2), {"weight": len})
    assert backend.can_run("dijkstra_path", (G, 0, 2), {}) is True


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (NegativeCycle("c"), nx.NetworkXUnbounded),
        (NegativeWeight("w"), NotImplementedError),
        (
            ConvergenceFailure("i", iterations=3, residual=1.0, result=None),
            nx.PowerIterationFailedConvergence,
        ),
        (InvalidValue("v"), NotImplementedError),
    ],
)
def test_errors_are_those_of_networkx(ours, theirs):
    with pytest.raises(theirs), backend.networkx_errors():
        raise ours


def test_signatures_are_those_of_networkx():
    for name in info.FUNCTIONS:
        if name in NOT_IN_3_4:
            continue
        ours = inspect.signature(getattr(backend, name)).parameters
        function = nx.utils.backends._registered_algorithms[name]
        theirs = inspect.signature(function.orig_func).parameters
        assert list(ours) == list(theirs), name
        defaults = [
            (p.default, q.default) for p, q in zip(ours.values(), theirs.values(), strict=True)
        ]
        assert all(a == b for a, b in defaults), name


@pytest.mark.parametrize("least", [-1, 0, 1])
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_all_paths_are_shortest(kind, least):
    G = nx.gnm_random_graph(70, 150, seed=3, directed=True)
    for k, (u, v) in enumerate(G.edges):
        h = 37 * k % 11  # heights make cycles of weight >= 0 of weights below 0
        G[u][v]["weight"] = max(least, 0) + h % 4 + (u - v if least < 0 else 0)
    G = kind(G)
    lengths = dict(nx.all_pairs_bellman_ford_path_length(G))
    found = dict(nx.all_pairs_bellman_ford_path(G, backend="graphla"))
    assert found.keys() == lengths.keys()
    for u, paths in found.items():
        assert paths.keys() == lengths[u].keys()
        for v, path in paths.items():
            assert (path[0], path[-1]) == (u, v)
            assert nx.path_weight(G, path, "weight") == lengths[u][v]


@pytest.mark.parametrize("depth", [None, 0, 2])
def test_generic_search_without_a_function(depth):
    G = nx.gnm_random_graph(30, 60, seed=1)
    plain, ours = (
        list(nx.generic_bfs_edges(G, 3, depth_limit=depth, backend=b))
        for b in ("networkx", "graphla")
    )
    assert ours == plain


@pytest.mark.parametrize("name", ["boruvka_mst_edges", "kruskal_mst_edges", "prim_mst_edges"])
@pytest.mark.parametrize("minimum", [True, False])
def test_spanning_edges_that_networkx_tests_only_through_others(name, minimum):
    G = nx.gnm_random_graph(30, 80, seed=1)
    for k, (u, v) in enumerate(G.edges):
        G[u][v]["weight"] = 37 * k % 101
    function = getattr(nx.algorithms.tree.mst, name)
    plain, ours = (
        {frozenset(e[:2]) for e in function(G, minimum=minimum, backend=b)}
        for b in ("networkx", "graphla")
    )
    assert ours == plain


def test_networkx_own_tests(tmp_path):
    file = tmp_path / "counts.json"
    script = ROOT / "tests" / "interop" / "networkx_suite.py"
    command = [sys.executable, str(script), "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    counts = json.loads(file.read_text())
    assert done.returncode == 0, done.stdout
    assert counts["outcomes"]["passed"] >= (560 if BEFORE_3_5 else 620)
    unseen = {name for name, times in counts["calls"].items() if not times}
    assert unseen <= SEEN_HERE | NOT_IN_3_4


def test_hits_with_a_start():
    G = nx.karate_club_graph()
    start = {v: v - 9.0 for v in G}
    for theirs, ours in zip(
        nx.hits(G, nstart=start, backend="networkx"),
        nx.hits(G, nstart=start, backend="graphla"),
        strict=True,
    ):
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_katz_falls_back_to_numpy_if_the_series_diverges():
    with pytest.raises(NotImplementedError):
        nx.katz_centrality_numpy(nx.complete_graph(9), alpha=0.5, backend="graphla")


@pytest.mark.parametrize("n", [1, 120, 300])
def test_batched_levels_beyond_a_byte(n):
    G = nx.path_graph(n)
    ours = dict(nx.all_pairs_shortest_path_length(G, backend="graphla"))
    assert ours == {u: {v: abs(u - v) for v in G} for u in G}


def test_hits_falls_back_to_arpack_if_powers_do_not_converge():
    G = nx.path_graph(300)
    with pytest.raises(NotImplementedError):
        nx.hits(G, backend="graphla")
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.hits(G, max_iter=0, backend="graphla")
