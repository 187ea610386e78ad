"""Subclasses are converted if they read graphs as NetworkX does, otherwise refused."""

from __future__ import annotations

import copy
import functools
import inspect

import pytest

from graphla.interop.networkx import backend
from graphla.interop.networkx.convert import from_networkx
from graphla.interop.networkx.graph_classes import METHODS, PROPERTIES
from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.differences import differences, draw
from tests.interop.networkx.installed import nx


def edges(G, many=True):
    found = list(G.edges(keys=True) if G.is_multigraph() else G.edges)
    return found[:10] if many else found[:3]


def overridden(base, name):
    """Return a subclass that overrides one method or property."""
    theirs = inspect.getattr_static(base, name)
    if name in METHODS:
        ours = functools.wraps(theirs)(lambda self, *args: getattr(base, name)(self, *args))
    else:
        ours = copy.copy(theirs)
    return type("Own", (base,), {name: ours})


@pytest.mark.parametrize("base", KINDS.values())
def test_classes_that_override_how_a_graph_is_read(base):
    names = {name for name in METHODS | PROPERTIES if hasattr(base, name)}
    assert {"adj", "_adj", "neighbors", "__getitem__", "edges", "degree"} <= names
    for name in names:
        G = overridden(base, name)([(0, 1), (1, 2)])
        assert name in backend.can_run("pagerank", (G,), {})
        with pytest.raises(NotImplementedError, match=name):
            from_networkx(G)


def test_instances_that_override_a_method_are_refused():
    G = nx.path_graph(4)
    G.neighbors = lambda n: iter([])
    assert "neighbors" in backend.can_run("core_number", (G,), {})
    with pytest.raises(NotImplementedError, match="neighbors"):
        from_networkx(G)


def test_objects_that_are_not_networkx_graphs_are_refused():
    with pytest.raises(NotImplementedError, match="list"):
        from_networkx([])


class Complement(nx.Graph):
    """A graph whose adjacency shows the edges of the complement."""

    def __getitem__(self, n):
        return {v: {} for v in self._adj if v != n and v not in self._adj[n]}

    def neighbors(self, n):
        return iter(self[n])

    @functools.cached_property
    def adj(self):
        return {n: self[n] for n in self._adj}

    @property
    def degree(self):
        return nx.complement(nx.Graph(self._adj)).degree


def test_overridden_adjacency_stays_with_networkx(sent_here):
    G = nx.gnm_random_graph(12, 20, seed=1)
    assert nx.core_number(Complement(G)) == nx.core_number(nx.complement(G), backend="networkx")
    assert not sent_here["core_number"]
    assert nx.core_number(G) == nx.core_number(G, backend="networkx")
    assert sent_here["core_number"] == 1


def test_components_of_a_complement_graph_stay_with_networkx(sent_here):
    G = nx.karate_club_graph()
    with nx.config.backend_priority(algos=[]):
        theirs = nx.approximation.k_components(G)
    assert nx.approximation.k_components(G) == theirs
    assert sent_here["core_number"]


class Roads(nx.Graph):
    """A subclass that overrides no reading method."""

    edge_attr_dict_factory = type("Road", (dict,), {})

    def __init__(self, data=None, country="here", **attr):
        super().__init__(data, **attr)
        self.country = country

    def longest(self):
        return max(self.edges(data="weight", default=0), key=lambda e: e[2])

    def add_edge(self, u, v, **attr):
        super().add_edge(u, v, **attr)


def test_subclasses_with_inherited_adjacency_are_converted():
    G = Roads(draw("graph", [1, 2, 3]))
    answered, wrong = differences(G)
    assert not wrong
    assert len(answered) > 20
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    for result in (
        nx.k_core(G, 2, backend="graphla"),
        nx.minimum_spanning_tree(G, backend="graphla"),
        nx.transitive_closure(G, backend="graphla"),
    ):
        assert type(result) is Roads
        assert result.longest()
