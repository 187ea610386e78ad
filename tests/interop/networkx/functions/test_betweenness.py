"""Betweenness of nodes and edges, with sampling and endpoints, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "betweenness_centrality": [
        {}, {"normalized": False}, {"endpoints": True}, {"k": 5, "seed": 2}, {"weight": "weight"},
        {"k": 5, "seed": 2, "endpoints": True, "normalized": False},
    ],
    "edge_betweenness_centrality": [
        {}, {"k": 4, "seed": 1}, {"normalized": False}, {"weight": "weight"},
    ],
}  # fmt: skip

test_same_as_networkx = agreement(CALLS)
