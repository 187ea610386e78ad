"""Levels from every node, also beyond what a byte holds."""

from __future__ import annotations

import pytest

from tests.interop.networkx.installed import nx


@pytest.mark.parametrize("n", [1, 120, 300])
def test_batched_levels_beyond_a_byte(n):
    G = nx.path_graph(n)
    ours = dict(nx.all_pairs_shortest_path_length(G, backend="graphla"))
    assert ours == {u: {v: abs(u - v) for v in G} for u in G}
