"""Betweenness of nodes and edges, with NetworkX's samples, endpoints and scales."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.algorithms.centrality import betweenness_centrality as nodes
from graphla.algorithms.centrality import betweenness_centrality_weighted as weighted
from graphla.algorithms.centrality import edge_betweenness_centrality as edges
from graphla.algorithms.paths.all_pairs_shortest_paths import all_pairs_shortest_paths
from graphla.core.engines import on_host
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.results import to_array

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph

MANY = 64  # sources searched together, fewer where these and the vertices are more than
TOGETHER = 2**22


def _sources(G: LabelledGraph, k: int | None, seed: Any) -> list[int]:
    if k is None:
        return list(range(len(G)))
    return [G.index[v] for v in seed.sample(list(G), k)]


def _batch(G: LabelledGraph) -> int:
    return max(16, min(MANY, TOGETHER // max(len(G), 1)))


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
        score = score + _ends(G, sources)
    score = score * _scale(G, sources, k, normalized, endpoints)
    return dict(zip(G.nodes, score.tolist(), strict=True))


def _ends(G: LabelledGraph, sources: list[int]) -> Any:
    """Return how many paths from the sources begin or end at each vertex."""
    count = np.zeros(len(G))
    for low in range(0, len(sources), MANY):
        some = sources[low : low + MANY]
        s, t, _ = on_host(all_pairs_shortest_paths(G.graph(), some)).to_coo()
        away = np.asarray(some)[s] != t
        np.add.at(count, np.asarray(some)[s[away]], 1)
        np.add.at(count, t[away], 1)
    return count


def _scale(
    G: LabelledGraph, sources: list[int], k: int | None, normalized: bool, endpoints: bool
) -> Any:
    """Return what NetworkX multiplies the sums by: per vertex where sources are sampled."""
    n = len(G) if endpoints else len(G) - 1
    if n < 2:
        return 1
    drawn = n if k is None else k
    correction = 1 if G.directed else 2
    if k is None or endpoints:
        return 1 / (drawn * (n - 1)) if normalized else n / (drawn * correction)
    unit = 1 / (n - 1) if normalized else n / correction
    scale = np.full(len(G), unit / drawn)  # a source is no target of its own
    scale[sources] = unit / (drawn - 1) if drawn > 1 else nan
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
    score = _at(B, n, G.src[e], G.dst[e])
    if not G.directed:
        score = score + np.where(G.src[e] == G.dst[e], 0, _at(B, n, G.dst[e], G.src[e]))
    if n >= 2:
        drawn, correction = (n if k is None else k), (1 if G.directed else 2)
        score = score * (1 / (drawn * (n - 1)) if normalized else n / (drawn * correction))
    if G.is_multigraph():
        score = _shared(G, weight, score)
    return dict(zip(G.edges(e, data=False), score.tolist(), strict=True))


def _at(B: tuple[Any, Any, Any], n: int, i: Any, j: Any) -> Any:
    """Return the values of a sorted matrix at positions that all are there."""
    return B[2][np.searchsorted(B[0].astype(np.int64) * n + B[1].astype(np.int64), i * n + j)]


def _shared(G: LabelledGraph, weight: Any, score: Any) -> Any:
    """Divide a score among those of parallel edges that are shortest."""
    e, w = G.distinct_edges, G.edge_column(weight)
    w = np.ones(e.size) if w is None else w[e]
    _, pair = np.unique(G.src[e] * len(G) + G.dst[e], return_inverse=True)
    least = np.full(pair.max(initial=-1) + 1, np.inf)
    np.minimum.at(least, pair, w)
    shortest = w == least[pair]
    return np.where(shortest, score / np.bincount(pair, shortest)[pair], 0.0)
