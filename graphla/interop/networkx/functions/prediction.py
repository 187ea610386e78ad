"""Link prediction: scores of pairs of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.links import community_link_prediction as by_community
from graphla.algorithms.links import link_prediction
from graphla.algorithms.paths.all_pairs_shortest_paths import all_pairs_shortest_paths
from graphla.interop.networkx.labelled_graph import MISSING, LabelledGraph, check_nodes
from graphla.interop.networkx.results import to_array

BATCH_ENTRIES = 2**20  # size of a block of rows of the adjacency matrix when all pairs are scored


def _score(
    G: LabelledGraph, ebunch: Any, score: Callable, *, allow_self_loops: bool = False
) -> Iterator[tuple]:
    """Yield (u, v, score) of the pairs in `ebunch`, by default of all pairs without an edge.

    ``score(H, u, v)`` returns the scores of two arrays of vertices.
    """
    if not allow_self_loops and (G.src == G.dst).any():
        raise NotImplementedError("self-loops: NetworkX's scores count them in degrees")
    H = G.graph()
    batches: Any
    if ebunch is None:
        batches = _pairs_without_edge(G)
    else:
        pairs = list(ebunch)
        check_nodes(G, *chain.from_iterable(pairs), message="Node {} not in G.")
        if not pairs:
            return iter(())
        batches = iter([np.array([[G.index[u], G.index[v]] for u, v in pairs]).reshape(-1, 2).T])
    return _tuples(G, ((u, v, score(H, u, v)) for u, v in batches))


def _tuples(G: LabelledGraph, batches: Iterator) -> Iterator[tuple]:
    for u, v, x in batches:
        if np.isinf(x).any():
            raise ZeroDivisionError("a common neighbour has degree 1")
        yield from zip(G.nodes_of(u), G.nodes_of(v), x.tolist(), strict=True)


def _pairs_without_edge(G: LabelledGraph) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs u < v without an edge, a block of rows u at a time."""
    n = len(G)
    rows = max(BATCH_ENTRIES // max(n, 1), 1)
    for low in range(0, n, rows):
        is_free = np.arange(n) > np.arange(low, min(low + rows, n))[:, None]
        in_block = (G.src >= low) & (G.src < low + rows)
        is_free[G.src[in_block] - low, G.dst[in_block]] = False
        u, v = np.nonzero(is_free)
        yield u + low, v


def _array_score(algorithm: Callable) -> Callable:
    """Wrap an algorithm that returns a Vector so that it returns an array."""
    return lambda H, u, v: to_array(algorithm(H, u, v), 0)


def jaccard_coefficient(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _array_score(link_prediction.jaccard_coefficient))


def adamic_adar_index(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _array_score(link_prediction.adamic_adar_index))


def resource_allocation_index(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _array_score(link_prediction.resource_allocation_index))


def preferential_attachment(G: LabelledGraph, ebunch: Any = None) -> Iterator[tuple]:
    return _score(G, ebunch, _array_score(link_prediction.preferential_attachment))


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
    return _score(G, ebunch, _community_score(G, community, algorithm), allow_self_loops=True)


def ra_index_soundarajan_hopcroft(
    G: LabelledGraph, ebunch: Any = None, community: str = "community"
) -> Iterator[tuple]:
    algorithm = by_community.resource_allocation_by_community
    return _score(G, ebunch, _community_score(G, community, algorithm))


def within_inter_cluster(
    G: LabelledGraph, ebunch: Any = None, delta: float = 0.001, community: str = "community"
) -> Iterator[tuple]:
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    algorithm = partial(by_community.within_inter_cluster, delta=delta)
    return _score(G, ebunch, _community_score(G, community, algorithm), allow_self_loops=True)


def _community_score(G: LabelledGraph, attribute: str, algorithm: Callable) -> Callable:
    """Bind an algorithm's communities to a node attribute, numbered in order of appearance."""
    values = G.node_column(attribute)
    missing = np.array([x is MISSING for x in values], bool)
    numbers: dict = {}
    try:
        label = np.array([numbers.setdefault(x, len(numbers)) for x in values], int)
    except TypeError as error:
        raise NotImplementedError(f"a value of {attribute} is not hashable") from error

    def score(H: Any, u: Any, v: Any) -> Any:
        same = label[u] == label[v]
        if (missing[u] | missing[v] | same & _neighbour_is_missing(H, u, v, missing)).any():
            raise nx.NetworkXAlgorithmError(f"a node has no {attribute} information")
        return to_array(algorithm(H, u, v, _full_vector(H, label)), 0)

    return score


def _neighbour_is_missing(H: Any, u: Any, v: Any, missing: Any) -> Any:
    """Return for each pair whether a common neighbour is in `missing`."""
    if not missing.any():
        return False
    weight = _full_vector(H, missing.astype(int))
    score = link_prediction.sum_over_common_neighbors(H, H.A, u.tolist(), v.tolist(), weight)
    return to_array(score, 0) > 0


def _full_vector(H: Any, values: Any) -> Any:
    v = H.vector("INT64")
    v.build(range(H.n), values)
    return v
