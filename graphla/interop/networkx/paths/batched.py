"""Shortest paths from every node, computed for batches of sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla.algorithms._shared.bit_words import WORD_BITS
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.paths.shortest_path_trees import shortest_path_trees
from graphla.algorithms.traversal.bit_parallel_bfs import make_edge_words, search_by_level
from graphla.core.engines import on_host
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.paths.dijkstra_order import relaxed_edges, replay_search
from graphla.interop.networkx.paths.single_source import within_cutoff
from graphla.interop.networkx.results import matrix_rows
from graphla.interop.networkx.traversal_order import (
    build_paths,
    first_occurrences,
    queue_order,
    tree_order,
)

BATCH_ENTRIES = 2**20  # limit on sources x vertices of one batch of weighted distances


def all_lengths(G: LabelledGraph, weight: Any, cutoff: Any = None) -> Iterator:
    """Yield each node and its distances to the others, in ascending order of distance."""
    for node, (v, d) in zip(G.nodes, lengths_from_all(G, weight, cutoff), strict=True):
        order = np.argsort(d, kind="stable")
        yield node, dict(zip(G.nodes_of(v[order]), d[order].tolist(), strict=True))


def all_trees(
    G: LabelledGraph, weight: Any, cutoff: Any = None, *, negative: bool = False
) -> Iterator:
    """Yield each node, the distances from it, and the paths from it, both as dictionaries.

    Negative weights raise NotImplementedError unless `negative`.
    """
    if G.edge_column(weight) is None:
        searches = _breadth_first_searches(G, cutoff)
    elif (G.graph(weight).min_weight or 0) >= 0:
        searches = _dijkstra_searches(G, weight, cutoff)
    elif negative:
        searches = _trees_with_negative_weights(G, weight)
    else:
        raise NotImplementedError("a weight is negative")
    for node, (v, d, parent, order) in zip(G.nodes, searches, strict=True):
        length = dict(zip(G.nodes_of(v), d.tolist(), strict=True))
        yield node, length, build_paths(G.nodes, parent, order)


def levels_from_all(G: LabelledGraph) -> Iterator[Any]:
    """Yield an array of levels for each source vertex, -1 for vertices that it does not reach.

    A batch has 64 searches, one per bit of a word. Levels are stored bit-sliced: ``digits[k, v]``
    holds binary digit k of 1 + level of v, one bit per search.
    """
    H, n = G.graph(), len(G)
    A = make_edge_words(H)
    for low in range(0, n, WORD_BITS):
        sources = list(range(low, min(low + WORD_BITS, n)))
        digits = np.zeros((1, n), np.uint64)
        digits[0, sources] = np.uint64(1) << np.arange(len(sources), dtype=np.uint64)
        for level_plus_1, words in enumerate(search_by_level(H, A, sources), start=2):
            v, word = on_host(words).to_coo()
            if level_plus_1 >> len(digits):
                digits = np.append(digits, np.zeros((1, n), np.uint64), 0)
            for digit in range(len(digits)):
                if level_plus_1 >> digit & 1:
                    digits[digit, v] |= word
        yield from _decode_levels(digits, len(sources))


def _decode_levels(digits: Any, count: int) -> Any:
    """Return the levels of `count` searches, one row each, from their binary digits."""
    dtype: Any = np.int8 if len(digits) < 8 else np.int32
    level = np.full((digits.shape[1], WORD_BITS), -1, dtype)
    for digit, words in enumerate(digits):
        bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        level += bits.astype(dtype) * dtype(1 << digit)
    return np.ascontiguousarray(level[:, :count].T)


def lengths_from_all(
    G: LabelledGraph, weight: Any, cutoff: Any = None
) -> Iterator[tuple[Any, Any]]:
    """Yield, for each source vertex, the vertices reached within the cutoff and their distances."""
    if G.edge_column(weight) is None:
        for level in levels_from_all(G):
            v = np.flatnonzero(level >= 0 if cutoff is None else (level >= 0) & (level <= cutoff))
            yield v, level[v]
        return
    H, n = G.graph(weight), len(G)
    batch = max(WORD_BITS, BATCH_ENTRIES // max(n, 1))
    for _, D in find_distances_in_batches(H, range(n), batch, "all_pairs_shortest_paths", False):
        for v, d in matrix_rows(D):
            yield within_cutoff(v, d, cutoff)


# Each of the following yields one tuple per source: reached vertices and their distances, both in
# ascending order of distance; the parent of every vertex; the vertices with parents first.


def _breadth_first_searches(G: LabelledGraph, cutoff: Any) -> Iterator[tuple]:
    """Search an unweighted graph; order and parents are those of NetworkX's queue."""
    for level in levels_from_all(G):
        if cutoff is not None:
            level[level > cutoff] = -1
        order, s, t = queue_order(*G.outgoing, level)
        tree, parent = first_occurrences(t), np.arange(len(G))
        parent[t[tree]] = s[tree]
        yield order, level[order], parent, order


def _dijkstra_searches(G: LabelledGraph, weight: Any, cutoff: Any) -> Iterator[tuple]:
    """Search with non-negative weights; order and parents are those of NetworkX's heap."""
    edges = relaxed_edges(G, weight)
    for s, (v, d) in enumerate(lengths_from_all(G, weight, cutoff)):
        search = replay_search(edges, v, d, [s], cutoff)
        yield search.order, search.distance[search.order], search.parent, search.order


def _trees_with_negative_weights(G: LabelledGraph, weight: Any) -> Iterator[tuple]:
    """Search with weights of any sign; parents are any on a shortest path."""
    H, n = G.graph(weight), len(G)
    for low in range(0, n, WORD_BITS):
        trees = shortest_path_trees(H, range(low, min(low + WORD_BITS, n)))
        for (v, d), (_, p) in zip(
            matrix_rows(trees.distance), matrix_rows(trees.parent), strict=True
        ):
            parent = np.arange(n)
            parent[v] = p
            nearest = np.argsort(d, kind="stable")
            yield v[nearest], d[nearest], parent, tree_order(parent, v)
