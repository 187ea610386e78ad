"""NetworkX's backend interface: cached conversions, errors, signatures."""

from __future__ import annotations

import inspect
import warnings

import pytest

from graphla.errors import ConvergenceFailure, InvalidValue, NegativeCycle, NegativeWeight
from graphla.interop.networkx import backend, convert, info
from graphla.interop.networkx.version import BEFORE_3_5
from tests.interop.networkx.installed import nx

NOT_IN_3_4 = {"all_triangles", "number_of_selfloops"} if BEFORE_3_5 else set()


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


def test_the_warning_about_cached_conversions_is_shown_once(monkeypatch):
    monkeypatch.setattr(nx.config, "warnings_to_ignore", set())
    G = nx.karate_club_graph()
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        nx.number_connected_components(G, backend="graphla")
        assert not shown
        for name in ("transitivity", "core_number", "triangles", "number_connected_components"):
            getattr(nx, name)(G, backend="graphla")
        list(nx.connected_components(G, backend="graphla"))
        assert [warning.category for warning in shown] == [UserWarning]
        warnings.warn("another", UserWarning, stacklevel=1)
        assert len(shown) == 2


def test_functions_without_an_implementation_need_the_fallback_for_converted_graphs():
    H = convert.from_networkx(nx.path_graph(3))
    with pytest.raises(NotImplementedError):
        nx.average_neighbor_degree(H)
    with nx.config(fallback_to_nx=True):
        assert nx.average_neighbor_degree(H) == {0: 2.0, 1: 1.0, 2: 2.0}
