"""PageRank, hubs and authorities, eigenvector and Katz centrality."""

from __future__ import annotations

import pytest

from tests.interop.networkx.agreement import COUNT, agreement
from tests.interop.networkx.installed import nx

CALLS = {
    "pagerank": [
        {}, {"weight": None}, {"personalization": {"p": 1, "c": 2}}, {"dangling": {"p": 1}},
    ],
    "eigenvector_centrality": [{"max_iter": 1000}, {"max_iter": 1000, "nstart": COUNT}],
    "eigenvector_centrality_numpy": [{}, {"weight": "weight"}],
    "katz_centrality": [
        {"alpha": 0.02}, {"alpha": 0.01, "normalized": False, "weight": "weight"},
        {"alpha": 0.02, "beta": COUNT}, {"alpha": 0.02, "nstart": COUNT},
    ],
    "katz_centrality_numpy": [{"alpha": 0.02}, {"alpha": 0.02, "beta": COUNT}, {"alpha": 0.9}],
    "hits": [{"normalized": False}, {"max_iter": 1}],
}  # fmt: skip

test_same_as_networkx = agreement(CALLS)


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


def test_hits_falls_back_to_arpack_if_powers_do_not_converge():
    G = nx.path_graph(300)
    with pytest.raises(NotImplementedError):
        nx.hits(G, backend="graphla")
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.hits(G, max_iter=0, backend="graphla")


def both(name, G, *args, **arguments):
    return [getattr(nx, name)(G, *args, **arguments, backend=b) for b in ("networkx", "graphla")]


@pytest.mark.parametrize("beta", [-1.0, 1e-20, 0, {0: -1, 1: 3, 2: 1e-3, 3: -9, 4: 0}])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.filterwarnings("ignore:invalid value")  # of NetworkX, which divides by 0
def test_betas_of_any_sign_and_size(beta, normalized):
    G = nx.path_graph(5)
    theirs, ours = both("katz_centrality_numpy", G, beta=beta, normalized=normalized)
    assert ours == pytest.approx(theirs, nan_ok=True, rel=1e-9, abs=0)


@pytest.mark.parametrize("scale", [1e-20, 1e-15, 1e15])
def test_eigenvectors_of_weights_of_any_size(scale):
    G = nx.path_graph(4)
    for u, v in G.edges:
        G[u][v]["weight"] = scale * (1 + u)
    theirs, ours = both("eigenvector_centrality_numpy", G, weight="weight")
    assert ours == pytest.approx(theirs)


@pytest.mark.thorough
def test_eigenvector_that_the_power_method_misses_is_refused():
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 1), (1, 2, 1e-30), (2, 0, 1e-30)])
    with pytest.raises(NotImplementedError):
        nx.eigenvector_centrality_numpy(G, weight="weight", backend="graphla")


def test_arguments_of_arpack():
    G = nx.karate_club_graph()
    theirs = nx.eigenvector_centrality_numpy(G, backend="networkx")
    found = nx.eigenvector_centrality_numpy(G, tol=0.1, backend="graphla")
    assert found == pytest.approx(theirs, rel=1e-9)
    with pytest.raises(ValueError, match="maxiter must be positive"):
        nx.eigenvector_centrality_numpy(G, max_iter=0, backend="graphla")


def test_hits_does_not_depend_on_nstart():
    G = nx.disjoint_union(nx.complete_graph(6), nx.path_graph(4))
    theirs, ours = both("hits", G, nstart={v: float(v > 5) for v in G})
    assert ours[0] == pytest.approx(theirs[0], abs=1e-6)
    for start in ({0: 1.0}, dict.fromkeys(G, 0.0)):
        with pytest.raises(NotImplementedError):
            nx.hits(G, nstart=start, backend="graphla")


def test_hits_with_few_iterations_or_negative_weights_falls_back():
    G = nx.path_graph(300)
    with pytest.raises(NotImplementedError):
        nx.hits(G, max_iter=50, backend="graphla")
    G = nx.Graph([(0, 1, {"weight": -1}), (1, 2)])
    with pytest.raises(NotImplementedError):
        nx.hits(G, backend="graphla")
