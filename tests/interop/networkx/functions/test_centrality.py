"""Closeness, harmonic and degree centrality, efficiency, reciprocity, compared with NetworkX."""

from __future__ import annotations

from tests.interop.networkx.agreement import agreement

CALLS = {
    "closeness_centrality": [{}, {"wf_improved": False}, {"u": "p"}, {"distance": "weight"}],
    "harmonic_centrality": [{}, {"sources": ["p", "c"]}, {"nbunch": ["k"]}, {"distance": "weight"}],
    "degree_centrality": [{}],
    "in_degree_centrality": [{}],
    "out_degree_centrality": [{}],
    "efficiency": [{"u": "p", "v": "k"}],
    "global_efficiency": [{}],
    "local_efficiency": [{}],
    "reciprocity": [{}, {"nodes": ["p", "a"]}, {"nodes": "p"}],
    "overall_reciprocity": [{}],
}

test_same_as_networkx = agreement(CALLS)
