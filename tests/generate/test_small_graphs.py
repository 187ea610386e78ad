"""Named graphs equal those of NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest

from tests.generate.generators import generate, same
from tests.graphs import from_networkx, to_networkx


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_shapes_equal_those_of_networkx(n, kind):
    empty = nx.DiGraph if kind == "directed" else nx.Graph
    shapes = {
        "path": nx.path_graph(n, create_using=empty),
        "complete": nx.complete_graph(n, create_using=empty),
        "star": empty([(0, v) for v in range(1, n)]),
    }
    shapes["star"].add_nodes_from(range(n))
    if n > 2:
        shapes["cycle"] = nx.cycle_graph(n, create_using=empty)
    for name, H in shapes.items():
        assert same(getattr(generate, name)(n, kind=kind), from_networkx(H)), name


@pytest.mark.parametrize(
    ("G", "H"),
    [
        (generate.karate, nx.karate_club_graph),
        (generate.les_miserables, nx.les_miserables_graph),
    ],
)
def test_data_sets_equal_those_of_networkx(G, H):
    G, H = G(), nx.convert_node_labels_to_integers(H())
    assert (G.kind, G.dtype.name) == ("undirected", "INT32")
    assert nx.utils.graphs_equal(
        to_networkx(G),
        nx.Graph([(u, v, {"weight": d["weight"]}) for u, v, d in H.edges(data=True)]),
    )
