"""Spanning trees and their edges."""

from __future__ import annotations

import pytest

from tests.interop.networkx.agreement import agreement
from tests.interop.networkx.installed import nx

CALLS = {
    "minimum_spanning_edges": [{}],
    "minimum_spanning_tree": [{}],
    "maximum_spanning_tree": [{}],
}

test_same_as_networkx = agreement(CALLS)


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


def test_what_has_no_spanning_tree_or_no_such_algorithm():
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.minimum_spanning_tree(nx.DiGraph([(0, 1)]), backend="graphla")
    with pytest.raises(ValueError, match="not a valid choice"):
        nx.minimum_spanning_tree(nx.path_graph(3), algorithm="sorting", backend="graphla")
    multigraph = nx.MultiGraph([(0, 1)])
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.minimum_spanning_tree(multigraph, algorithm="boruvka", backend="graphla")
