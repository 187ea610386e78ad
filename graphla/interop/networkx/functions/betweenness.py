"""Betweenness centrality of nodes and edges, with NetworkX's sampling, endpoints and scaling."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from graphla.algorithms.centrality import betweenness_centrality as nodes
from graphla.algorithms.centrality import betweenness_centrality_weighted as weighted
from graphla.algorithms.centrality import edge_betweenness_centrality as edges
from graphla.algorithms.paths.all_pairs_shortest_paths import all_pairs_shortest_paths
from graphla.core.engines import on_host
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.results import to_array

MAX_BATCH = 64  # sources searched together
BATCH_ENTRIES = 2**22  # limit on sources x vertices of a batch


def _sources(G: LabelledGraph, k: int | None, seed: Any) -> list[int]:
    if k is None:
        return list(range(len(G)))
    return [G.index[v] for v in seed.sample(list(G), k)]


def _batch(G: LabelledGraph) -> int:
    return max(16, min(MAX_BATCH, BATCH_ENTRIES // max(len(G), 1)))


def betweenness_centrality(
    G: LabelledGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict:
    k = None if k == len(G) else k
    sources = _sources(G, k, seed)
    algorithm = (
        nodes.betweenness_centrality if weight is None else weighted.betweenness_centrality_weighted
    )
    H = G.graph(weight)
    score = to_array(implementation(algorithm, H)(H, sources, batch=_batch(G)), 0.0)
    if endpoints:
        score = score + _endpoint_counts(G, sources)
    score = score * _scale(G, sources, k, normalized, endpoints)
    return dict(zip(G.nodes, score.tolist(), strict=True))


def _endpoint_counts(G: LabelledGraph, sources: list[int]) -> Any:
    """Return the number of (source, reached vertex) pairs that each vertex is an end of."""
    count = np.zeros(len(G))
    for low in range(0, len(sources), MAX_BATCH):
        batch = sources[low : low + MAX_BATCH]
        s, t, _ = on_host(all_pairs_shortest_paths(G.graph(), batch)).to_coo()
        s = np.asarray(batch)[s]
        is_pair = s != t
        np.add.at(count, s[is_pair], 1)
        np.add.at(count, t[is_pair], 1)
    return count


def _scale(
    G: LabelledGraph, sources: list[int], k: int | None, normalized: bool, endpoints: bool
) -> Any:
    """Return the factor by which NetworkX scales the sums of pair dependencies.

    n is the number of possible sources of paths through a vertex. All n sources:
    1 / (n (n - 1)) if normalized, else 1, halved for undirected graphs. With k sampled sources the
    sums are extrapolated by n / k. Without endpoints, a sampled source is not a source of paths
    through itself, so only k - 1 samples count for it: one factor per vertex. Edges scale as with
    endpoints.
    """
    n = len(G) if endpoints else len(G) - 1
    if n < 2:
        return 1
    samples = n if k is None else k
    correction = 1 if G.directed else 2
    if k is None or endpoints:
        return 1 / (samples * (n - 1)) if normalized else n / (samples * correction)
    unit = 1 / (n - 1) if normalized else n / correction
    scale = np.full(len(G), unit / samples)
    scale[sources] = unit / (samples - 1) if samples > 1 else nan
    return scale


def edge_betweenness_centrality(
    G: LabelledGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    seed: Any = None,
) -> dict:
    sources = _sources(G, k, seed)
    algorithm = (
        edges.edge_betweenness_centrality
        if weight is None
        else weighted.edge_betweenness_centrality_weighted
    )
    n, e = len(G), G.distinct_edges
    B = on_host(algorithm(G.graph(weight), sources, batch=_batch(G))).to_coo()
    score = _values_at(B, n, G.src[e], G.dst[e])
    if not G.directed:
        score = score + np.where(G.src[e] == G.dst[e], 0, _values_at(B, n, G.dst[e], G.src[e]))
    score = score * _scale(G, sources, k, normalized, endpoints=True)
    if G.is_multigraph():
        score = _divide_among_parallel(G, weight, score)
    return dict(zip(G.edges(e, data=False), score.tolist(), strict=True))


def _values_at(B: tuple[Any, Any, Any], n: int, i: Any, j: Any) -> Any:
    """Return the values of a matrix in sorted COO form at positions (i, j), which must exist."""
    return B[2][np.searchsorted(B[0].astype(np.int64) * n + B[1].astype(np.int64), i * n + j)]


def _divide_among_parallel(G: LabelledGraph, weight: Any, score: Any) -> Any:
    """Divide each pair's score equally among its lightest parallel edges; others score 0."""
    e, w = G.distinct_edges, G.edge_column(weight)
    w = np.ones(e.size) if w is None else w[e]
    _, pair = np.unique(G.src[e] * len(G) + G.dst[e], return_inverse=True)
    least = np.full(pair.max(initial=-1) + 1, np.inf)
    np.minimum.at(least, pair, w)
    shortest = w == least[pair]
    return np.where(shortest, score / np.bincount(pair, shortest)[pair], 0.0)
