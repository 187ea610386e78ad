"""The order in which NetworkX's Dijkstra visits vertices, and its choice among shortest paths.

Among equally short paths NetworkX returns the one that its heap determines. The heap orders entries
by (distance, time of the push), and relaxing an edge pushes its head if it lowers the head's
tentative distance. Given the final distances, one pass over the edges replays this without a
heap: vertices of equal distance are visited in the order of their last pushes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from graphla.interop.networkx.labelled_graph import LabelledGraph, row_offsets


class RelaxedEdges(NamedTuple):
    """Edges in CSR form, in the order in which NetworkX relaxes them.

    Of parallel edges only the smallest weight is kept.
    """

    starts: Any
    dst: Any
    weight: Any

    @property
    def src(self) -> Any:
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))


class DijkstraSearch(NamedTuple):
    """The replay of a Dijkstra search. Pushes are numbered from 0.

    Attributes
    ----------
    distance : ndarray
        Distances; undefined for vertices that are not reached.
    order : ndarray of int64
        Reached vertices in the order in which they leave the heap.
    rank : ndarray of int64
        Position of each vertex in `order`, -1 if it is not reached.
    parent : ndarray of int64
        Parents; a source or an unreached vertex is its own parent.
    pushed, first : ndarray of int64
        Number of the last and of the first push of a vertex, -1 if it is not reached.
    outdated : tuple of ndarray
        Distances and push numbers of heap entries that a later push of their vertex replaced.
    """

    distance: Any
    order: Any
    rank: Any
    parent: Any
    pushed: Any
    first: Any
    outdated: tuple[Any, Any]

    def pop_positions(self) -> Any:
        """Return how many entries, outdated ones included, leave the heap before each vertex."""
        outdated_count = self.outdated[0].size
        distance = np.append(self.outdated[0], self.distance[self.order])
        push = np.append(self.outdated[1], self.pushed[self.order])
        position = np.empty(push.size, np.int64)
        position[np.lexsort((push, distance))] = np.arange(push.size)
        pops = np.full(self.rank.size, -1)
        pops[self.order] = position[outdated_count:]
        return pops


def relaxed_edges(G: LabelledGraph, weight: Any, *, reverse: bool = False) -> RelaxedEdges:
    """Return each vertex's outgoing edges, or incoming if `reverse`, in NetworkX's order."""
    reverse = reverse and G.directed
    return G.cached(("relaxed_edges", weight, reverse), lambda: _relaxed_edges(G, weight, reverse))


def _relaxed_edges(G: LabelledGraph, weight: Any, reverse: bool) -> RelaxedEdges:
    n, src, dst, w = len(G), G.src, G.dst, G.edge_column(weight)
    w = np.ones(src.size, np.int64) if w is None else w
    if reverse:
        order = G.edges_by_target
        src, dst, w = dst[order], src[order], w[order]
    if G.is_multigraph() and src.size:  # parallel edges are adjacent
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
    """Replay a Dijkstra search from its final distances.

    Parameters
    ----------
    edges : RelaxedEdges
        Edges with non-negative weights.
    vertices, distance : ndarray
        Reached vertices, including the sources, and their distances.
    sources : list of int
        Sources in the order in which they are pushed.
    limit : number, optional
        Longer distances are not pushed.
    all_entries : bool
        Also record outdated entries.

    Raises
    ------
    NotImplementedError
        A distance does not equal the floating-point sum of the weights along a path.
    """
    n = edges.starts.size - 1
    vertices = np.asarray(vertices, np.int64)
    dtype: Any = np.int64 if distance.dtype.kind in "iu" else distance.dtype
    d = np.zeros(n, dtype)
    d[vertices] = distance
    infinity = np.iinfo(dtype).max if dtype is np.int64 else np.inf
    limit = infinity if limit is None else max(limit, -1)
    limit = math.floor(min(limit, infinity)) if dtype is np.int64 else float(limit)
    tentative = np.full(n, -1, dtype)  # -1: an unreached vertex is never pushed
    tentative[vertices] = infinity
    tentative[sources] = d[sources]
    pushed = np.full(n, -1)
    pushed[sources] = np.arange(len(sources))
    first, parent = pushed.copy(), np.arange(n)
    by_distance = vertices[np.argsort(d[vertices], kind="stable")]
    order = np.empty_like(by_distance)
    capacity = edges.dst.size if all_entries else 0
    outdated = np.empty(capacity, dtype), np.empty(capacity, np.int64)
    count = _replay(
        edges.starts, edges.dst, edges.weight.astype(dtype, copy=False), d, by_distance, limit,
        tentative, pushed, first, parent, order, *outdated,
    )  # fmt: skip
    if count < 0:
        raise NotImplementedError("a distance is not the sum of the weights along a path")
    rank = np.full(n, -1)
    rank[order] = np.arange(order.size)
    entries = outdated[0][:count], outdated[1][:count]
    return DijkstraSearch(d, order, rank, parent, pushed, first, entries)


@njit(cache=True, nogil=True)
def _replay(
    starts: Any, dst: Any, weight: Any, d: Any, by_distance: Any, limit: Any, tentative: Any,
    pushed: Any, first: Any, parent: Any, order: Any, outdated: Any, outdated_push: Any,
) -> int:  # fmt: skip
    """Fill `tentative`, `pushed`, `first`, `parent`, `order` and the outdated entries.

    Vertices of equal distance are handled as one group ``by_distance[low:high]``. Those already
    pushed with that distance enter `order` sorted by push; relaxing an edge of weight 0 appends
    further ones. Returns the number of outdated entries, or -1 if a vertex of the group is never
    pushed with its distance.
    """
    count, clock, low = 0, by_distance.size, 0
    while low < by_distance.size:
        group_distance = d[by_distance[low]]
        high = tail = low
        while high < by_distance.size and d[by_distance[high]] == group_distance:
            v = by_distance[high]
            if tentative[v] == group_distance:
                order[tail] = v
                tail += 1
            high += 1
        if tail - low > 1:
            order[low:tail] = order[low:tail][np.argsort(pushed[order[low:tail]])]
        k = low
        while k < tail:
            u = order[k]
            k += 1
            for e in range(starts[u], starts[u + 1]):
                v, length = dst[e], group_distance + weight[e]
                if length >= tentative[v] or length > limit:
                    continue
                if pushed[v] < 0:
                    first[v] = clock
                elif outdated.size:
                    outdated[count], outdated_push[count] = tentative[v], pushed[v]
                    count += 1
                tentative[v], pushed[v], parent[v] = length, clock, u
                clock += 1
                if length == group_distance:  # an edge of weight 0
                    order[tail] = v
                    tail += 1
        if tail < high:
            return -1
        low = high
    return count


def meeting_vertex(forward: DijkstraSearch, backward: DijkstraSearch) -> tuple[Any, int]:
    """Return the length of the path that bidirectional Dijkstra finds, and a vertex on it.

    The two searches pop alternately, the forward one first: its pops are steps 0, 2, 4, ..., the
    other's 1, 3, 5, .... The search ends at the first step that pops a vertex which the other
    search has popped. A path through v is known at the step at which the second of both searches
    pushes v. NetworkX keeps the first of the shortest paths known before the end.
    """
    v = np.flatnonzero((forward.rank >= 0) & (backward.rank >= 0))
    pop_step = 2 * forward.pop_positions(), 2 * backward.pop_positions() + 1
    push_step = (
        _last_push_step(forward, pop_step[0], v),
        _last_push_step(backward, pop_step[1], v),
    )
    last_step = np.maximum(pop_step[0][v], pop_step[1][v]).min()
    known_step = np.maximum(*push_step)
    length = forward.distance[v] + backward.distance[v]
    push = np.where(push_step[0] > push_step[1], forward.pushed[v], backward.pushed[v])
    best = np.lexsort((push, known_step, length, known_step >= last_step))[0]
    return length[best].item(), int(v[best])


def _last_push_step(search: DijkstraSearch, pop_step: Any, vertices: Any) -> Any:
    """Return the step that pushes each vertex for the last time: its parent's pop; source: -1."""
    parent = search.parent[vertices]
    return np.where(parent == vertices, -1, pop_step[parent])
