"""Breadth-first traversal."""

from __future__ import annotations

import pytest

from tests.interop.networkx.agreement import S, agreement
from tests.interop.networkx.installed import nx

CALLS = {
    "generic_bfs_edges": [S, S | {"depth_limit": 2}],
    "bfs_edges": [S, S | {"depth_limit": 1}],
    "bfs_predecessors": [S],
    "bfs_successors": [S],
    "bfs_layers": [{"sources": "p"}],
    "bfs_tree": [S],
    "descendants_at_distance": [S | {"distance": 2}],
    "descendants": [S],
    "ancestors": [S],
}

test_same_as_networkx = agreement(CALLS)


@pytest.mark.parametrize("depth", [None, 0, 2])
def test_generic_search_without_a_function(depth):
    G = nx.gnm_random_graph(30, 60, seed=1)
    plain, ours = (
        list(nx.generic_bfs_edges(G, 3, depth_limit=depth, backend=b))
        for b in ("networkx", "graphla")
    )
    assert ours == plain
