"""Among equally short paths the backend returns NetworkX's, on which other algorithms depend."""

from __future__ import annotations

import random

import pytest

from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.installed import nx

NODES = {
    "numbers": list(range(12)),
    "texts": list("lkjihgfedcba"),
    "tuples": [(k // 3, str(k)) for k in range(12)],
    "mixed": [0, "a", (1, 2), frozenset([1]), 2.5, -7, "t", b"b", 3, (4,), 10, int],
}
WEIGHTS = {
    "small": [1, 2, 3],
    "zeros": [0, 1, 2],
    "floats": [0.1, 0.2, 0.3, 0.4],
    "equal": [1],
    "both": [1, 2.5, True],
    "large": [5, 7, 1000],
}


def draw(kind, nodes, weights, seed):
    """Return a graph with many equally short paths, shuffled edges, and missing weights."""
    rng = random.Random(seed)
    nodes = rng.sample(nodes, len(nodes))
    G = KINDS[kind]()
    G.add_nodes_from(nodes[: rng.choice([2, 12])])
    for _ in range(rng.choice([12, 20, 40])):
        weight = {} if rng.random() < 0.2 else {"weight": rng.choice(weights)}
        G.add_edge(rng.choice(nodes), rng.choice(nodes), **weight)
    return G


def ordered(x):
    """Return a result with its dictionaries as lists of their items."""
    if isinstance(x, dict):
        return [(k, ordered(v)) for k, v in x.items()]
    return list(map(ordered, x)) if isinstance(x, list | tuple) or hasattr(x, "__next__") else x


def answer(name, G, arguments, backend):
    try:
        return ordered(getattr(nx, name)(G, **arguments, backend=backend))
    except nx.NetworkXException as error:
        return type(error)


def calls(G, rng):
    s, t, *more = rng.sample(list(G), 4)
    by_weight, cutoff = {"weight": "weight"}, {"cutoff": rng.choice([0, 1, 3])}
    one, to, pair = {"source": s}, {"target": t}, {"source": s, "target": t}
    several = {"sources": [t, s, *more]}
    return [
        ("bidirectional_dijkstra", pair),
        ("bidirectional_shortest_path", pair),
        ("shortest_path", pair),
        ("shortest_path", pair | by_weight),
        ("shortest_path_length", pair),
        ("shortest_path_length", pair | by_weight),
        ("shortest_path", one),
        ("shortest_path", one | by_weight),
        ("shortest_path", to),
        ("shortest_path", to | by_weight),
        ("shortest_path", by_weight),
        ("dijkstra_path", pair),
        ("single_source_dijkstra", one | cutoff),
        ("multi_source_dijkstra", several),
        ("multi_source_dijkstra_path", several | cutoff),
        ("dijkstra_predecessor_and_distance", one),
        ("dijkstra_predecessor_and_distance", one | cutoff),
        ("all_shortest_paths", pair),
        ("all_shortest_paths", pair | by_weight),
        ("all_pairs_dijkstra", cutoff),
        ("all_pairs_dijkstra_path", {}),
        ("all_pairs_shortest_path", {}),
        ("single_source_shortest_path", one | cutoff),
        ("single_target_shortest_path", to | cutoff),
        ("predecessor", one),
        ("bfs_edges", one | {"reverse": True}),
        ("bfs_successors", one),
        ("minimum_spanning_edges", {}),
        ("maximum_spanning_edges", {"data": False}),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_paths_in_the_same_order(kind, weights):
    for seed, nodes in enumerate(NODES.values()):
        G = draw(kind, nodes, WEIGHTS[weights], seed)
        for name, arguments in calls(G, random.Random(seed)):
            theirs, ours = (answer(name, G, arguments, b) for b in ("networkx", "graphla"))
            assert ours == theirs, (seed, name, arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_bidirectional_search_of_a_grid_agrees(kind):
    G = KINDS[kind](nx.grid_2d_graph(7, 7))
    for u, v in [((0, 0), (6, 6)), ((3, 1), (3, 5)), ((6, 0), (0, 5)), ((2, 2), (2, 3))]:
        for weight in (None, "weight"):
            theirs, ours = (
                nx.shortest_path(G, u, v, weight, backend=b) for b in ("networkx", "graphla")
            )
            assert ours == theirs


def diamond():
    G = nx.cycle_graph([1, 2, 3, 4])
    nx.set_edge_attributes(G, 1, "weight")
    G.add_edge(2, 4, weight=5)
    return G


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize(
    "make", [diamond, nx.petersen_graph, lambda: nx.gnm_random_graph(10, 20, seed=3)]
)
def test_minimum_cycle_basis(make, weight, sent_here):
    with nx.config.backend_priority(algos=[]):
        theirs = nx.minimum_cycle_basis(make(), weight=weight)
        assert not sent_here
    assert nx.minimum_cycle_basis(make(), weight=weight) == theirs
    assert {"minimum_spanning_edges", "shortest_path", "shortest_path_length"} <= set(sent_here)


def test_steiner_tree(sent_here):
    G = nx.gnm_random_graph(14, 30, seed=2)
    for k, (u, v) in enumerate(G.edges):
        G[u][v]["weight"] = 1 + k % 3
    terminals = [0, 5, 9, 12]
    with nx.config.backend_priority(algos=[]):
        theirs = nx.approximation.steiner_tree(G, terminals, method="kou")
    ours = nx.approximation.steiner_tree(G, terminals, method="kou")
    assert nx.utils.graphs_equal(ours, theirs)
    assert sent_here
