"""NetworkX's Bellman-Ford functions: weights of any sign, compared with NetworkX."""

from __future__ import annotations

import pytest

from tests.interop.networkx.agreement import S, T, agreement, weighted
from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.installed import nx

CALLS = {
    "bellman_ford_path_length": [S | T],
    "single_source_bellman_ford_path_length": [S],
    "negative_edge_cycle": [{}],
    "bellman_ford_predecessor_and_distance": [S, S | T],
    "find_negative_cycle": [S],
}

test_same_as_networkx = agreement(CALLS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_paths_are_shortest(kind, seed):
    """Among paths of one length NetworkX may choose another in a multigraph."""
    G = weighted(kind, seed)
    lengths = nx.single_source_bellman_ford_path_length(G, "p", backend="networkx")
    distance, paths = nx.single_source_bellman_ford(G, "p", backend="graphla")
    assert distance == lengths
    assert nx.single_source_bellman_ford_path(G, "p", backend="graphla").keys() == paths.keys()
    for v, path in paths.items():
        assert (path[0], path[-1]) == ("p", v)
        assert nx.path_weight(G, path, "weight") == lengths[v]
        assert nx.bellman_ford_path(G, "p", v, backend="graphla")[-1] == v
    assert nx.single_source_bellman_ford(G, "p", max(paths), backend="graphla") == (
        lengths[max(paths)],
        paths[max(paths)],
    )
    predecessor, distance = nx.goldberg_radzik(G, "p", backend="graphla")
    assert distance == lengths
    assert predecessor.keys() == paths.keys()
    for v, before in predecessor.items():
        assert (
            v == "p"
            if before is None
            else (lengths[before] + nx.path_weight(G, [before, v], "weight") == lengths[v])
        )
    with pytest.raises(nx.NodeNotFound):
        nx.bellman_ford_path(G, "nowhere", "p", backend="graphla")
