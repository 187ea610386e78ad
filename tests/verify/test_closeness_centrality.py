"""Closeness: any wrong score is found if all vertices are searched, and scores above 1 always."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edge_cases, edges, random_graph
from tests.oracles import assert_rejected, corrupted, digraph, vector
from tests.strategies import graphs


def scores(G, wf_improved=True):
    found = nx.closeness_centrality(digraph(G), wf_improved=wf_improved)
    return {v: float(x) for v, x in found.items()}


@given(st.data(), graphs(max_n=9, max_m=30), st.booleans())
def test_any_wrong_score_is_found(data, G, wf_improved):
    right = scores(G, wf_improved)
    verify.closeness_centrality(G, vector(right, G.n, float), wf_improved=wf_improved)
    values = st.sampled_from([0.0, 1e-6, 0.5, 1.0, 2.0, np.nan, *right.values()])
    wrong = vector(data.draw(corrupted(right, G.n, values)), G.n, float)
    assert_rejected(
        verify.closeness_centrality, G, wrong, wf_improved=wf_improved, match=r"score\["
    )


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(kind):
    for G in edge_cases(kind).values():
        verify.closeness_centrality(G, vector(scores(G), G.n, float))
    none = edges([], [], n=0)
    verify.closeness_centrality(none, vector({}, 0, float))


def test_samples():
    G = random_graph(100, 300)
    right = scores(G)
    wrong = {v: x * 0.99 for v, x in right.items()}
    verify.closeness_centrality(G, vector(wrong, 100, float), samples=0)
    assert_rejected(verify.closeness_centrality, G, vector(wrong, 100, float), match="reach it")
    above = {**right, 7: 1.5}
    assert_rejected(verify.closeness_centrality, G, vector(above, 100, float), samples=0)
