"""Scores of pairs of nodes that an edge may join."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphla.algorithms.links import community_link_prediction as by_community
from graphla.algorithms.links import link_prediction
from graphla.algorithms.paths.all_pairs_shortest_paths import all_pairs_shortest_paths
from graphla.interop.networkx.labelled_graph import MISSING
from graphla.interop.networkx.results import to_array

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph

TOGETHER = 2**20  # pairs that are not given are scored in lots of about so many


def _score(
    G: LabelledGraph, ebunch: Any, score: Callable, *, loops: bool = False
) -> Iterator[tuple]:
    """Score the given pairs, or all that no edge joins; `loops` says that they do not matter."""
    if not loops and (G.src == G.dst).any():
        raise NotImplementedError("self-loops count in the degrees of NetworkX's scores")
    H = G.graph()
    lots: Any
    if ebunch is None:
        lots = _not_joined(G)
    else:
        pairs = list(ebunch)
        for node in (node for pair in pairs for node in pair):
            if node not in G:
                raise nx.NodeNotFound(f"Node {node} not in G.")
        if not pairs:
            return iter(())
        lots = iter([np.array([[G.index[u], G.index[v]] for u, v in pairs]).reshape(-1, 2).T])
    return _tuples(G, ((u, v, score(H, u, v)) for u, v in lots))


def _tuples(G: LabelledGraph, lots: Iterator) -> Iterator[tuple]:
    for u, v, x in lots:
        if np.isinf(x).any():
            raise ZeroDivisionError("a common neighbour has no other neighbour")
        yield from zip(G.nodes_of(u), G.nodes_of(v), x.tolist(), strict=True)


def _not_joined(G: LabelledGraph) -> Iterator[tuple[Any, Any]]:
    n = len(G)
    rows = max(TOGETHER // max(n, 1), 1)
    for low in range(0, n, rows):
        free = np.arange(n) > np.arange(low, min(low + rows, n))[:, None]
        here = (G.src >= low) & (G.src < low + rows)
        free[G.src[here] - low, G.dst[here]] = False
        u, v = np.nonzero(free)
        yield u + low, v


def _values(algorithm: Callable) -> Callable:
    """Return an algorithm that gives an array."""
    return lambda H, u, v: to_array(algorithm(H, u, v), 0)


def jaccard_coefficient(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _values(link_prediction.jaccard_coefficient))


def adamic_adar_index(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _values(link_prediction.adamic_adar_index))


def resource_allocation_index(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _values(link_prediction.resource_allocation_index))


def preferential_attachment(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _values(link_prediction.preferential_attachment))


def common_neighbor_centrality(
    G: LabelledGraph, ebunch: Any = None, alpha: float = 0.8
) -> Iterator[tuple]:
    def score(H: Any, u: Any, v: Any) -> Any:
        if (u == v).any():
            raise nx.NetworkXAlgorithmError("Self loops are not supported")
        common = to_array(link_prediction.common_neighbors(H, u, v), 0)
        if alpha == 1:
            return common
        sources, row = np.unique(u, return_inverse=True)
        D = to_array(all_pairs_shortest_paths(H, sources).dup("FP64"), np.inf)
        return alpha * common + (1 - alpha) * H.n / D[row, v]

    return _score(G, ebunch, score)


def cn_soundarajan_hopcroft(
    G: LabelledGraph, ebunch: Any = None, community: str = "community"
) -> Iterator[tuple]:
    algorithm = by_community.common_neighbors_by_community
    return _score(G, ebunch, _within(G, community, algorithm), loops=True)


def ra_index_soundarajan_hopcroft(
    G: LabelledGraph, ebunch: Any = None, community: str = "community"
) -> Iterator[tuple]:
    return _score(G, ebunch, _within(G, community, by_community.resource_allocation_by_community))


def within_inter_cluster(
    G: LabelledGraph, ebunch: Any = None, delta: float = 0.001, community: str = "community"
) -> Iterator[tuple]:
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    algorithm = partial(by_community.within_inter_cluster, delta=delta)
    return _score(G, ebunch, _within(G, community, algorithm), loops=True)


def _within(G: LabelledGraph, attribute: str, algorithm: Callable) -> Callable:
    """Return an algorithm that takes communities, given them."""
    values = G.node_column(attribute)
    missing = np.array([x is MISSING for x in values], bool)
    numbers: dict = {}
    try:
        label = np.array([numbers.setdefault(x, len(numbers)) for x in values], int)
    except TypeError as error:
        raise NotImplementedError(f"{attribute} is not hashable") from error

    def score(H: Any, u: Any, v: Any) -> Any:
        within = label[u] == label[v]
        if (missing[u] | missing[v] | within & _have_missing(H, u, v, missing)).any():
            raise nx.NetworkXAlgorithmError(f"a node has no {attribute} information")
        return to_array(algorithm(H, u, v, _filled(H, label)), 0)

    return score


def _have_missing(H: Any, u: Any, v: Any, missing: Any) -> Any:
    """Return whether pairs have a common neighbour without a community."""
    if not missing.any():
        return False
    return (
        to_array(
            link_prediction.scores(H, H.A, u.tolist(), v.tolist(), _filled(H, missing.astype(int))),
            0,
        )
        > 0
    )


def _filled(H: Any, values: Any) -> Any:
    v = H.vector("INT64")
    v.build(range(H.n), values)
    return v
