"""Edges on shortest paths, in a copy of the graph for each source."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.paths.tight_copies import find_tight_copies
from tests.graphs import to_networkx
from tests.strategies import FEW, graphs, small_weights


@FEW
@given(graphs(max_n=9, max_m=30, weights=small_weights), st.data())
def test_random_graphs(G, data):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), min_size=1, max_size=4))
    ((_, D),) = find_distances_in_batches(G, sources, 4, "test", False)
    starts, T = find_tight_copies(G, D, sources)
    assert starts.to_coo()[0].tolist() == [s * G.n + v for s, v in enumerate(sources)]
    assert T.shape == (len(sources) * G.n,) * 2
    H = to_networkx(G).to_directed()
    expected = set()
    for s, source in enumerate(sources):
        d = nx.single_source_bellman_ford_path_length(H, source)
        for u, v, w in H.edges(data="weight"):
            if u in d and d[u] + w == d[v]:
                expected.add((s * G.n + u, s * G.n + v))
    rows, columns, values = (x.tolist() for x in T.to_coo())
    assert set(zip(rows, columns, strict=True)) == expected
    assert all(values)
