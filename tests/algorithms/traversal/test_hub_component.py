"""The component of a hub against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given

from graphla.algorithms.traversal.hub_component import hub_component
from tests.every_graph import on_edge_cases
from tests.graphs import edges, random_graph, to_networkx
from tests.strategies import graphs


def check(G):
    found = set(hub_component(G, G.n + 1).to_coo()[0].tolist())
    H = to_networkx(G).to_directed()
    traffic = {v: H.in_degree(v) * H.out_degree(v) for v in H}
    most = max(traffic.values(), default=0)
    hubs = [v for v in H if traffic[v] == most > 0]
    assert bool(found) == bool(hubs)
    if hubs:
        assert found == next(c for c in nx.strongly_connected_components(H) if hubs[0] in c)
    return found


test_edge_cases = on_edge_cases(check, kind="directed")


@given(graphs())
def test_random_graphs(G):
    check(G)


def test_the_giant_component():
    assert len(check(random_graph(3000, 12_000))) > 2500


def test_a_search_that_is_too_deep_finds_nothing():
    v = np.arange(20)
    cycle = edges(v, np.roll(v, -1), n=20)
    assert hub_component(cycle, 19).nvals == 0
    assert hub_component(cycle, 20).nvals == 20
