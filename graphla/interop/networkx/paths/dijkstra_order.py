"""The order in which NetworkX's Dijkstra takes vertices, and its choice among equal paths.

Of several shortest paths NetworkX returns the one that its heap determines. The heap orders its
entries by distance, then by when they were pushed, and an edge pushes its head when it makes the
head's tentative distance less. Given the final distances, one pass over the edges replays this
without a heap: vertices of one distance are taken in the order of their last pushes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from graphla.interop.networkx.labelled_graph import row_offsets

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph


class RelaxedEdges(NamedTuple):
    """Edges as NetworkX relaxes them: of parallel ones the least weight only."""

    starts: Any
    dst: Any
    weight: Any

    @property
    def src(self) -> Any:
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))


class DijkstraSearch(NamedTuple):
    """A search from some vertices.

    Attributes
    ----------
    distance : ndarray
        Distances; those of vertices that are not reached mean nothing.
    order : ndarray of int64
        The reached vertices as the heap gives them.
    rank : ndarray of int64
        The position of each vertex in `order`, -1 where it is not reached.
    parent : ndarray of int64
        Parents, the vertex itself for a source and where it is not reached.
    pushed, first : ndarray of int64
        The number of the last and of the first push of a vertex, -1 where it is not reached.
    outdated : tuple of ndarray
        Distances and pushes of the entries that a later push of their vertex replaced.
    """

    distance: Any
    order: Any
    rank: Any
    parent: Any
    pushed: Any
    first: Any
    outdated: tuple[Any, Any]

    def pop_positions(self) -> Any:
        """Return how many entries the heap gives before that of each vertex in `order`."""
        old = self.outdated[0].size
        distance = np.append(self.outdated[0], self.distance[self.order])
        push = np.append(self.outdated[1], self.pushed[self.order])
        position = np.empty(push.size, np.int64)
        position[np.lexsort((push, distance))] = np.arange(push.size)
        turn = np.full(self.rank.size, -1)
        turn[self.order] = position[old:]
        return turn


def relaxed_edges(G: LabelledGraph, weight: Any, *, reverse: bool = False) -> RelaxedEdges:
    """Return the edges out of each vertex, or into it, in NetworkX's order."""
    reverse = reverse and G.directed
    return G.cached(("relaxed_edges", weight, reverse), lambda: _relaxed_edges(G, weight, reverse))


def _relaxed_edges(G: LabelledGraph, weight: Any, reverse: bool) -> RelaxedEdges:
    n, src, dst, w = len(G), G.src, G.dst, G.edge_column(weight)
    w = np.ones(src.size, np.int64) if w is None else w
    if reverse:
        order = G.edges_by_target
        src, dst, w = dst[order], src[order], w[order]
    if G.is_multigraph() and src.size:  # parallel edges stand together
        first = np.flatnonzero(np.diff(src * n + dst, prepend=-1))
        src, dst, w = src[first], dst[first], np.minimum.reduceat(w, first)
    return RelaxedEdges(row_offsets(src, n), dst, w)


def replay_search(
    edges: RelaxedEdges,
    vertices: Any,
    distance: Any,
    sources: Any,
    limit: Any = None,
    *,
    all_entries: bool = False,
) -> DijkstraSearch:
    """Replay a search from its distances.

    Parameters
    ----------
    edges : RelaxedEdges
        Weights that are not negative.
    vertices, distance : ndarray
        The vertices that are reached, the sources among them, and how far they are.
    sources : list of int
        Where the search starts, in the order in which they are pushed.
    limit : number, optional
        The largest distance that is pushed.
    all_entries : bool
        Return the outdated entries.

    Raises
    ------
    NotImplementedError
        A distance is not the sum of weights along a path, as floating-point numbers.
    """
    n = edges.starts.size - 1
    vertices = np.asarray(vertices, np.int64)
    T: Any = np.int64 if distance.dtype.kind in "iu" else distance.dtype
    d = np.zeros(n, T)
    d[vertices] = distance
    infinity = np.iinfo(T).max if T is np.int64 else np.inf
    limit = infinity if limit is None else max(limit, -1)
    limit = math.floor(min(limit, infinity)) if T is np.int64 else float(limit)
    seen = np.full(n, -1, T)  # so that what is not reached is not pushed
    seen[vertices] = infinity
    seen[sources] = d[sources]
    pushed = np.full(n, -1)
    pushed[sources] = np.arange(len(sources))
    first, parent = pushed.copy(), np.arange(n)
    by_distance = vertices[np.argsort(d[vertices], kind="stable")]
    order = np.empty_like(by_distance)
    room = edges.dst.size if all_entries else 0
    outdated = np.empty(room, T), np.empty(room, np.int64)
    number = _replay(
        edges.starts,
        edges.dst,
        edges.weight.astype(T, copy=False),
        d,
        by_distance,
        limit,
        seen,
        pushed,
        first,
        parent,
        order,
        *outdated,
    )
    if number < 0:
        raise NotImplementedError("a distance is not the sum of weights along a path")
    rank = np.full(n, -1)
    rank[order] = np.arange(order.size)
    entries = outdated[0][:number], outdated[1][:number]
    return DijkstraSearch(d, order, rank, parent, pushed, first, entries)


@njit(cache=True, nogil=True)
def _replay(
    starts: Any,
    dst: Any,
    weight: Any,
    d: Any,
    by_distance: Any,
    limit: Any,
    seen: Any,
    pushed: Any,
    first: Any,
    parent: Any,
    order: Any,
    outdated: Any,
    outdated_push: Any,
) -> int:
    """Fill `order` and what belongs to a search; return how many entries become outdated.

    It returns -1 where a vertex is not pushed with its distance.
    """
    number, clock, low = 0, by_distance.size, 0
    while low < by_distance.size:
        here = d[by_distance[low]]
        high = tail = low
        while high < by_distance.size and d[by_distance[high]] == here:
            v = by_distance[high]
            if seen[v] == here:
                order[tail] = v
                tail += 1
            high += 1
        if tail - low > 1:
            order[low:tail] = order[low:tail][np.argsort(pushed[order[low:tail]])]
        at = low
        while at < tail:
            u = order[at]
            at += 1
            for e in range(starts[u], starts[u + 1]):
                v, length = dst[e], here + weight[e]
                if length >= seen[v] or length > limit:
                    continue
                if pushed[v] < 0:
                    first[v] = clock
                elif outdated.size:
                    outdated[number], outdated_push[number] = seen[v], pushed[v]
                    number += 1
                seen[v], pushed[v], parent[v] = length, clock, u
                clock += 1
                if length == here:  # by an edge of weight 0
                    order[tail] = v
                    tail += 1
        if tail < high:
            return -1
        low = high
    return number


def meeting_vertex(forth: DijkstraSearch, back: DijkstraSearch) -> tuple[Any, int]:
    """Return the length of the path that a search from both ends finds, and a vertex of it.

    The two searches take turns, that from the source first, until one takes a vertex that
    the other has taken. A path is found when a vertex is pushed that both have seen then; of the
    shortest ones the first is kept.
    """
    v = np.flatnonzero((forth.rank >= 0) & (back.rank >= 0))
    turns = 2 * forth.pop_positions(), 2 * back.pop_positions() + 1
    pushes = _push_turn(forth, turns[0], v), _push_turn(back, turns[1], v)
    end = np.maximum(turns[0][v], turns[1][v]).min()
    found = np.maximum(*pushes)
    length = forth.distance[v] + back.distance[v]
    place = np.where(pushes[0] > pushes[1], forth.pushed[v], back.pushed[v])
    first = np.lexsort((place, found, length, found >= end))[0]
    return length[first].item(), int(v[first])


def _push_turn(search: DijkstraSearch, turn: Any, vertices: Any) -> Any:
    """Return in which turn vertices are pushed for the last time; a source is before all."""
    parent = search.parent[vertices]
    return np.where(parent == vertices, -1, turn[parent])
