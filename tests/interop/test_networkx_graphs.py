"""Views, subclasses and weight types: the backend agrees with NetworkX or refuses."""

from __future__ import annotations

import copy
import functools
import inspect
import math
import random
from decimal import Decimal
from fractions import Fraction

import pytest

nx = pytest.importorskip("networkx", "3.4")

from graphla.interop.networkx import backend  # noqa: E402
from graphla.interop.networkx.convert import from_networkx  # noqa: E402
from graphla.interop.networkx.graph_classes import METHODS, PROPERTIES  # noqa: E402
from graphla.interop.networkx.version import BEFORE_3_5  # noqa: E402
from tests.interop.networkx_answers import KINDS, REFUSED, answer, same  # noqa: E402

if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
nx.config.warnings_to_ignore.add("cache")

S, BOTH, W = {"source": "a"}, {"source": "a", "target": "f"}, {"weight": "weight"}
CALLS = [
    ("descendants_at_distance", S | {"distance": 2}),
    ("bfs_layers", {"sources": "a"}),
    ("single_source_shortest_path_length", S),
    ("shortest_path_length", BOTH),
    ("shortest_path_length", BOTH | W),
    ("single_source_dijkstra_path_length", S),
    ("dijkstra_predecessor_and_distance", S),
    ("single_source_bellman_ford_path_length", S),
    ("all_pairs_dijkstra_path_length", {}),
    ("floyd_warshall", {}),
    ("all_shortest_paths", BOTH | W),
    ("minimum_spanning_tree", {}),
    ("minimum_spanning_edges", {"ignore_nan": True, "data": False}),
    ("transitive_closure", {}),
    ("topological_sort", {}),
    ("connected_components", {}),
    ("number_strongly_connected_components", {}),
    ("isolates", {}),
    ("number_of_selfloops", {}),
    ("is_forest", {}),
    ("pagerank", {}),
    ("katz_centrality", {"alpha": 0.02, "weight": "weight"}),
    ("betweenness_centrality", W),
    ("closeness_centrality", {"distance": "weight"}),
    ("harmonic_centrality", {"nbunch": ["nowhere"]}),
    ("degree_centrality", {}),
    ("reciprocity", {}),
    ("triangles", {}),
    ("clustering", W),
    ("generalized_degree", {}),
    ("core_number", {}),
    ("k_core", {"k": 2}),
    ("jaccard_coefficient", {}),
]


def draw(kind, weights, seed=0):
    rng = random.Random(seed)
    G = KINDS[kind](name="drawn")
    G.add_nodes_from("lkjihgfedcba", colour=1)
    for _ in range(30):
        u, v = rng.choice("abcdefghijk"), rng.choice("abcdefghijk")
        if u != v or rng.random() < 0.3:
            G.add_edge(u, v, **({"weight": rng.choice(weights)} if rng.random() < 0.8 else {}))
    return G


def differences(G, calls=CALLS):
    """Return the calls that the backend computes, and those with another result than NetworkX."""
    answered, wrong = set(), []
    for name, arguments in calls:
        if BEFORE_3_5 and name in ("number_of_selfloops", "k_core"):
            continue
        theirs, ours = (answer(name, G, arguments, b) for b in ("networkx", "graphla"))
        if ours != REFUSED and not same(theirs, ours):
            wrong.append((name, arguments, theirs, ours))
        if ours != REFUSED and not isinstance(ours, type):
            answered.add(name)
    return answered, wrong


def edges(G, many=True):
    found = list(G.edges(keys=True) if G.is_multigraph() else G.edges)
    return found[:10] if many else found[:3]


VIEWS = {
    "subgraph": lambda G: G.subgraph("abcdefghmn"),
    "restricted": lambda G: nx.restricted_view(G, ["b"], edges(G, many=False)),
    "edges": lambda G: nx.edge_subgraph(G, [*edges(G), *edges(nx.subgraph(G, "afg"))]),
    "filtered": lambda G: nx.subgraph_view(G, filter_edge=lambda *e: {*e[:2]} != {"a", "c"}),
    "reversed": lambda G: G.reverse(copy=False) if G.is_directed() else G.copy(as_view=True),
    "undirected": lambda G: G.to_undirected(as_view=True),
    "directed": lambda G: G.to_directed(as_view=True),
    "view of a view": lambda G: nx.restricted_view(G, ["k"], []).subgraph("abcdefghijk"),
    "frozen": lambda G: nx.freeze(G.copy()),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", KINDS)
def test_views(kind, view):
    answered, wrong = differences(VIEWS[view](draw(kind, [1, 2, 3])))
    assert not wrong
    refused = view == "undirected" and KINDS[kind]().is_directed()  # weights differ by direction
    assert len(answered) > 12 or refused


@pytest.mark.parametrize("kind", ["graph", "multi"])
def test_asymmetric_undirected_views_are_refused(kind):
    G = draw(kind, [1, 2])
    view = nx.subgraph_view(G, filter_edge=lambda *e: e[0] <= e[1])
    assert differences(view) == (set(), [])
    with pytest.raises(NotImplementedError, match="two ends"):
        from_networkx(view)


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_undirected_views_with_asymmetric_weights(kind):
    D = kind([("a", "b", {"weight": 1}), ("b", "a", {"weight": 5}), ("b", "f", {"weight": 2})])
    view = D.to_undirected(as_view=True)
    calls = [(name, x) for name, x in CALLS if "weight" in x.values() or "dijkstra" in name]
    assert differences(view, calls)[1] == []
    assert from_networkx(D.to_undirected()).number_of_edges() == 2


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


@pytest.fixture
def sent_here(monkeypatch):
    monkeypatch.setattr(backend, "should_run", lambda name, args, kwargs: True)
    backend.calls.clear()
    with nx.config.backend_priority(algos=["graphla"]):
        yield backend.calls


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


WEIGHTS = {
    "text": ["1", "2"],
    "none": [1, None],
    "fraction": [Fraction(1, 3), Fraction(2, 3)],
    "decimal": [Decimal(1), Decimal("2.5")],
    "complex": [1, 1j],
    "nan": [1.0, math.nan],
    "infinite": [1.0, math.inf],
    "negative": [-1, 2, 3],
    "zero": [0, 1],
    "bool": [True, False],
    "mixed": [1, 2.5, True],
    "large": [2**62, 2**62 + 1],
    "unsigned": [1, 2**63 + 1],
    "huge": [1, 2**70],
    "inexact": [0.5, 2**53 + 1],
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
def test_weights(kind, weights):
    answered, wrong = differences(draw(kind, WEIGHTS[weights]))
    assert not wrong
    assert {"connected_components", "descendants_at_distance"} & answered


@pytest.mark.parametrize("weights", ["unsigned", "inexact", "huge"])
def test_integers_without_an_exact_dtype_are_refused(weights):
    G = draw("graph", WEIGHTS[weights])
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(G, "a", backend="graphla")
