"""Louvain's method (native): move vertices, merge communities, repeat; then move vertices again.

    gain(i, c) = 2 (w(i, c) - w(i, own) - r (k(i) h(c) + h(i) k(c) - k(i) h(own) - h(i) k(own)) / 2)

for a vertex i that joins community c: w(i, c) is the weight of W = (P + P') / 2 between both,
P = A / sum A, k and h are row and column sums of P, summed over the vertices of a community, all
without i itself; r is the resolution. Vertices of one colour, which are not adjacent, choose their
communities at once. Then they move one after the other, each if that is still a gain. So every move
raises the modularity, and the result does not depend on the number of threads.

Once no merge raises the modularity, the merges are undone one by one, and at each level the
vertices move again. At the first level they move until no vertex can gain.

Parallel split: threads take blocks of vertices, or of groups of vertices to merge, from an atomic
counter. Conflicts: the thread that ends the choices of a colour makes its moves; the others wait
for it. Several threads may activate one vertex: they write the same value.

Source: V. Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech.
(2008) P10008; by colours H. Lu, M. Halappanavar, A. Kalyanaraman, Parallel Computing 47 (2015);
moves after the merges R. Rotta, A. Noack, "Multilevel local search algorithms for modularity
clustering", ACM JEA 16 (2011); active vertices V. Traag, L. Waltman, N. van Eck, "From Louvain to
Leiden", Scientific Reports 9 (2019); directed N. Dugue, A. Perez, hal-01231784 (2015).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas import binary
from graphblas.dtypes import FP64
from numba import get_num_threads, njit, prange, set_num_threads

from graphla.core import validation
from graphla.core.properties import to_csr
from graphla.core.results import Communities
from graphla.native.cpu.communities.greedy_color import color_vertices
from graphla.native.cpu.communities.label_propagation import smallest_members
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fence, fetch_add, load
from graphla.numba_support.counting_sort import sort_by_value
from graphla.numba_support.waiting import give_way

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MIN_GAIN = 1e-13  # of half the modularity, for a vertex to move
MERGING_GAIN = 1e-3  # of modularity in a sweep before a merge, for another sweep to follow
MOVING_GAIN = 1e-4  # the same after the merges
LITTLE = 1 << 14  # entries that one thread reads faster than several threads start
BLOCK = 32  # vertices or groups that a thread takes at a time
GROUP = 1 << 16  # entries of vertices of one community that one thread merges
NEXT, CHOSEN, MOVED = range(3)  # counters of vertices in a sweep
NOT_SEEN = -1.0
NO_LIMIT = 1 << 62
MAX_INT32 = np.iinfo(np.int32).max


class Level(NamedTuple):
    """A symmetric graph: row v is indices[begin[v] : end[v]], with weights unless all are 1.

    `strength` has a row with the sums of the rows of A, and one of the columns if they differ.
    """

    begin: Any
    end: Any
    indices: Any
    weights: Any
    strength: Any


@njit(cache=True, nogil=True, inline="always")
def _expected(strength, volume, scale, v, c):
    """Return the weight to community c that is expected of vertex v."""
    if volume.shape[0] == 1:
        return scale * strength[0, v] * volume[0, c]
    return scale * 0.5 * (strength[0, v] * volume[1, c] + strength[1, v] * volume[0, c])


@njit(cache=True, nogil=True, inline="always")
def _choose(begin, end, indices, weights, strength, community, volume, scale, v, weight_to, seen):
    """Return the best community for v, and how much more weight v has to it than to its own.

    All elements of `weight_to` are NOT_SEEN, before and after the call.
    """
    num_seen = 0
    first, last = np.uint64(begin[v]), np.uint64(end[v])
    weighted = weights.size > 0
    for e in range(first, last):
        u = indices[e]
        if u != v:
            c = np.uint64(community[np.uint64(u)])
            w = weight_to[c]
            seen[num_seen] = c  # without a branch, which would often be mispredicted
            num_seen += w < 0
            weight_to[c] = (w if w > 0 else 0.0) + (weights[e] if weighted else 1.0)
    own = community[v]
    own_weight = max(weight_to[own], 0.0)
    best, best_weight = own, own_weight
    best_value = own_weight - _expected(strength, volume, scale, v, own)
    best_value += _expected(strength, strength, scale, v, v)
    for i in range(num_seen):
        c = seen[i]
        w = weight_to[c]
        weight_to[c] = NOT_SEEN
        if c != own:
            value = w - _expected(strength, volume, scale, v, c)
            if value > best_value or (value == best_value and best != own and c < best):
                best, best_value, best_weight = c, value, w
    return best, best_weight - own_weight


@njit(cache=True, nogil=True)
def _choose_several(
    begin, end, indices, weights, strength, community, volume, scale, vertices, choice, weight,
    first, last, weight_to, seen,
):  # fmt: skip
    """Let vertices[first:last] choose."""
    for i in range(first, last):
        choice[i], weight[i] = _choose(
            begin, end, indices, weights, strength, community, volume, scale, vertices[i],
            weight_to, seen,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _move(strength, community, volume, scale, min_gain, vertices, choice, weight, undecided, total):
    """Move vertices of one colour to their choices, one after the other, where that is a gain.

    `total` adds up gains and moves; choice[i] becomes -1 where vertex i stays. A vertex that would
    have moved before the others did is undecided: it chooses again in the next sweep.
    """
    moved_before = total[1]
    for i in range(vertices.size):
        v, c = vertices[i], choice[i]
        own = community[v]
        if c == own:
            choice[i] = -1
            continue
        gain = weight[i] - _expected(strength, volume, scale, v, c)
        gain += _expected(strength, volume, scale, v, own)
        gain -= _expected(strength, strength, scale, v, v)
        if gain > min_gain:
            community[v] = c
            for r in range(volume.shape[0]):
                volume[r, own] -= strength[r, v]
                volume[r, c] += strength[r, v]
            total[0] += gain
            total[1] += 1
        else:
            choice[i] = -1
            undecided[v] = total[1] > moved_before


@njit(parallel=True, cache=True, nogil=True)
def _sweep(
    begin, end, indices, weights, strength, community, volume, scale, min_gain, vertices, color,
    starts, choice, weight, undecided, total, weight_to, seen, counters,
):  # fmt: skip
    """Let the vertices choose and move, colour by colour."""
    counters[:] = 0
    for t in prange(weight_to.shape[0]):
        # Once a thread: a view counts a reference to its array, in a word that all threads share
        own_weight_to, own_seen = weight_to[t], seen[t]
        while True:
            first = fetch_add(counters, NEXT, BLOCK)
            if first >= vertices.size:
                break
            last = min(first + BLOCK, vertices.size)
            while first < last:
                c = color[vertices[first]]
                color_start, color_end = starts[c], starts[c + 1]
                stop = min(last, color_end)
                while load(counters, MOVED) < color_start:
                    give_way()
                fence()
                _choose_several(
                    begin, end, indices, weights, strength, community, volume, scale, vertices,
                    choice, weight, first, stop, own_weight_to, own_seen,
                )  # fmt: skip
                fence()
                if fetch_add(counters, CHOSEN, stop - first) + stop - first == color_end:
                    fence()
                    _move(
                        strength, community, volume, scale, min_gain,
                        vertices[color_start:color_end], choice[color_start:color_end],
                        weight[color_start:color_end], undecided, total,
                    )  # fmt: skip
                    fence()
                    fetch_add(counters, MOVED, color_end - color_start)
                first = stop


@njit(parallel=True, cache=True, nogil=True)
def _activate(
    begin, end, indices, community, color, active, vertices, choice, following, counters, threads
):
    """Set following[u] for the neighbours u of moved vertices that have not chosen since."""
    counters[NEXT] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(counters, NEXT, BLOCK)
            if first >= vertices.size:
                break
            for i in range(first, min(first + BLOCK, vertices.size)):
                if choice[i] < 0:
                    continue
                v = vertices[i]
                for e in range(np.uint64(begin[v]), np.uint64(end[v])):
                    u = np.uint64(indices[e])
                    if following[u] or community[u] == community[v]:
                        continue
                    if not (active[u] and color[u] > color[v]):
                        following[u] = True


@njit(cache=True, nogil=True)
def _collect(begin, end, order, color, active, vertices, starts):
    """Write the active vertices in their order; return their number and that of their entries."""
    count, work, c = 0, 0, 0
    for i in range(order.size):
        v = order[i]
        if active[v]:
            while c <= color[v]:
                starts[c] = count
                c += 1
            vertices[count] = v
            count += 1
            work += end[v] - begin[v]
    starts[c:] = count
    return count, work


@njit(cache=True, nogil=True)
def _number_communities(community):
    """Number the communities from 0 by their smallest vertices; return how many there are."""
    new, count = np.full(community.size, -1, community.dtype), 0
    for v in range(community.size):
        if new[community[v]] < 0:
            new[community[v]] = count
            count += 1
        community[v] = new[community[v]]
    return count


@njit(cache=True, nogil=True)
def _split_communities(begin, end, members, starts, size):
    """Split the members of each community into groups with about `size` entries.

    Return where each group starts, its community, and the sum of entries up to it.
    """
    bounds, owner = np.empty(members.size + 1, np.int64), np.empty(members.size, members.dtype)
    room = np.zeros(members.size + 1, np.int64)
    num_groups, total = 0, 0
    for c in range(starts.size - 1):
        work = size
        for i in range(starts[c], starts[c + 1]):
            if work >= size:
                bounds[num_groups], owner[num_groups], work = i, c, 0
                room[num_groups] = total
                num_groups += 1
            work += end[members[i]] - begin[members[i]]
            total += end[members[i]] - begin[members[i]]
    bounds[num_groups], room[num_groups] = members.size, total
    return bounds[: num_groups + 1], owner[:num_groups], room[: num_groups + 1]


@njit(parallel=True, cache=True, nogil=True)
def _merge(
    begin, end, indices, weights, community, members, bounds, owner, room, out_indices, out_weights,
    out_end, weight_to, counter,
):  # fmt: skip
    """Add up the rows of each group, by the community of the column and without its own."""
    counter[0] = 0
    for t in prange(weight_to.shape[0]):
        sums = weight_to[t]
        while True:
            first = fetch_add(counter, 0, BLOCK)
            if first >= owner.size:
                break
            for g in range(first, min(first + BLOCK, owner.size)):
                own, stop = owner[g], np.uint64(room[g])
                for i in range(bounds[g], bounds[g + 1]):
                    v = members[i]
                    for e in range(np.uint64(begin[v]), np.uint64(end[v])):
                        c = community[np.uint64(indices[e])]
                        if c != own:
                            w = sums[np.uint64(c)]
                            out_indices[stop] = c
                            stop += np.uint64(w < 0)
                            w = w if w > 0 else 0.0
                            sums[np.uint64(c)] = w + (weights[e] if weights.size else 1.0)
                for e in range(np.uint64(room[g]), stop):
                    c = np.uint64(out_indices[e])
                    out_weights[e] = sums[c]
                    sums[c] = NOT_SEEN
                out_end[g] = stop


@njit(cache=True, nogil=True)
def _sum_by_community(strength, community, count):
    """Return the sums of `strength` over the vertices of each community."""
    sums = np.zeros((strength.shape[0], count))
    for r in range(strength.shape[0]):
        for v in range(community.size):
            sums[r, community[v]] += strength[r, v]
    return sums


@njit(cache=True, nogil=True)
def _strengths(begin, end, indices, weights, doubled, symmetric):
    """Return the row and, unless symmetric, the column sums, and the sum of the diagonal.

    Self-loops count twice if `doubled`.
    """
    strength, diagonal = np.zeros((1 if symmetric else 2, begin.size)), 0.0
    for v in range(begin.size):
        for e in range(begin[v], end[v]):
            w = weights[e] if weights.size else 1.0
            if indices[e] == v:
                w *= 2.0 if doubled else 1.0
                diagonal += w
            strength[0, v] += w
            if not symmetric:
                strength[1, indices[e]] += w
    return strength, diagonal


@njit(cache=True, nogil=True)
def _sum(values):
    """Return the sum of a vector, infinity without a warning."""
    total = 0.0
    for x in values:
        total += x
    return total


@njit(cache=True, nogil=True)
def _sum_rows(begin, end, weights):
    """Return the sum of the weights of all rows."""
    total = 0.0
    for v in range(begin.size):
        for e in range(begin[v], end[v]):
            total += weights[e]
    return total


@njit(cache=True, nogil=True)
def _chance(strength, total):
    """Return the share of the weight that is expected inside the communities of a level."""
    share, last = 0.0, strength.shape[0] - 1
    for c in range(strength.shape[1]):
        share += (strength[0, c] / total) * (strength[last, c] / total)
    return share


@contextmanager
def _threads_for(work: int) -> Iterator[int]:
    """Use one thread inside the block if there is little work; yield the number of threads."""
    threads = get_num_threads()
    if threads == 1 or work >= LITTLE:
        yield threads
        return
    set_num_threads(1)
    try:
        yield 1
    finally:
        set_num_threads(threads)


class _Mover:
    """Moves the vertices of a level, before and after the merges."""

    def __init__(self, level: Level, resolution: float, total: float) -> None:
        self.level, self.scale, self.total = level, resolution / total, total
        with _threads_for(level.indices.size) as threads:
            color = color_vertices(level.begin, level.end, level.indices, threads)
        num_colors = int(color.max(initial=0)) + 1
        self.color = num_colors - 1 - color  # the hubs, which have the first colours, choose last
        self.order, self.starts = sort_by_value(self.color, num_colors)
        degree = level.end - level.begin
        self.longest = int(degree.max(initial=0))

    def move(self, community: Any, min_gain: float) -> float:
        """Change `community` in place; return how much the modularity rises.

        A sweep that gains at most `min_gain` is the last. If that is 0, the last sweep is one of
        all vertices, none of which moves.
        """
        n, threads = community.size, get_num_threads()
        begin, end, indices, weights, strength = self.level
        volume = _sum_by_community(strength, community, n)
        active, following = np.ones(n, bool), np.zeros(n, bool)
        vertices, choice, weight = np.empty_like(community), np.empty_like(community), np.empty(n)
        weight_to = np.full((threads, n), NOT_SEEN)
        seen = np.empty((threads, self.longest), community.dtype)
        counters, risen, all_active = np.zeros(3, np.int64), 0.0, True
        while True:
            count, work = _collect(
                begin, end, self.order, self.color, active, vertices, self.starts
            )
            result, chosen = np.zeros(2), vertices[:count]
            with _threads_for(work) as threads:
                _sweep(
                    begin, end, indices, weights, strength, community, volume, self.scale,
                    MIN_GAIN * self.total, chosen, self.color, self.starts, choice, weight,
                    following, result, weight_to[:threads], seen, counters,
                )  # fmt: skip
                _activate(
                    begin, end, indices, community, self.color, active, chosen, choice, following,
                    counters, threads,
                )  # fmt: skip
            gain = 2 * result[0] / self.total
            risen += gain
            if gain <= min_gain and (min_gain or all_active):
                return risen
            active, following = following, active
            following[:] = False
            all_active = not active.any()
            if all_active:
                active[:] = True


def _merge_communities(level: Level, community: Any, count: int) -> Level:
    """Return the graph of the communities, whose numbers are 0..count - 1, without self-loops."""
    strength = _sum_by_community(level.strength, community, count)
    members, starts = sort_by_value(community, count)
    groups = _split_communities(level.begin, level.end, members, starts, GROUP)
    merged, owner = _merge_groups(level, community, members, groups, strength)
    if owner.size > count:  # the groups of a community are the rows that are added up now
        members, starts = sort_by_value(owner, count)
        groups = _split_communities(merged.begin, merged.end, members, starts, NO_LIMIT)
        own = np.arange(count, dtype=community.dtype)
        merged, owner = _merge_groups(merged, own, members, groups, strength)
    return merged


def _merge_groups(
    level: Level, community: Any, members: Any, groups: Any, strength: Any
) -> tuple[Level, Any]:
    """Return the graph with the sum of each group's rows, and the communities of the groups."""
    bounds, owner, room = groups
    begin, end, indices, weights, _ = level
    out_indices, out_weights = np.empty(room[-1], indices.dtype), np.empty(room[-1])
    out_end = np.empty(owner.size, np.int64)
    with _threads_for(room[-1]) as threads:
        weight_to = np.full((threads, strength.shape[1]), NOT_SEEN)
        _merge(
            begin, end, indices, weights, community, members, bounds, owner, room, out_indices,
            out_weights, out_end, weight_to, np.zeros(1, np.int64),
        )  # fmt: skip
    return Level(room[:-1], out_end, out_indices, out_weights, strength), owner


def _first_level(G: Graph) -> tuple[Level, float, float]:
    """Return W, the sum of its entries, and that of its diagonal.

    Undirected self-loops are doubled. Weights are divided by their sum, which is 1 then.
    """
    indptr, indices = G.csr.indptr, G.csr.indices
    begin, end = indptr[:-1].astype(np.int64), indptr[1:].astype(np.int64)
    indices = indices.astype(np.int32 if G.n <= MAX_INT32 else np.int64, copy=False)
    weights: Any = np.empty(0) if G.csr.values is None else G.csr.values.astype(np.float64)
    doubled = G.kind == "undirected"
    strength, diagonal = _strengths(begin, end, indices, weights, doubled, G.is_symmetric)
    total = validation.check_finite_sum(_sum(strength[0]), G, "louvain")
    if not G.is_symmetric:
        W = G.A.dup(FP64)
        W << W.ewise_add(W.T, binary.plus[FP64]).new()
        indptr, columns, weights = to_csr(W)
        begin, end = indptr[:-1].astype(np.int64), indptr[1:].astype(np.int64)
        indices, weights = columns.astype(indices.dtype, copy=False), weights * 0.5
    if weights.size and total:
        weights, strength, diagonal = weights / total, strength / total, diagonal / total
        total = 1.0
    return Level(begin, end, indices, weights, strength), total, diagonal


def louvain(G: Graph, resolution: float, tol: float, max_levels: int | None) -> Communities:
    """Find communities of large modularity: the native kernel of :func:`graphla.louvain`."""
    validation.require_finite_nonnegative(G, "louvain")
    level, total, diagonal = _first_level(G)
    if not total:
        return Communities(full_vector(np.arange(G.n, dtype=G.index_dtype.np_type)), 0.0)
    previous, current = -np.inf, diagonal / total - resolution * _chance(level.strength, total)
    movers: list[_Mover] = []
    merges: list[Any] = []
    none_gains = False  # no merge of the last level raises the modularity
    while current - previous >= tol and len(merges) != max_levels:
        mover, community = _Mover(level, resolution, total), _own_community(level)
        previous, current = current, current + mover.move(community, MERGING_GAIN)
        count = _number_communities(community)
        if count == community.size and merges:
            none_gains = True
            break
        movers.append(mover)
        merges.append(community)
        level = _merge_communities(level, community, count)

    community = _own_community(level)
    for mover, merge in zip(reversed(movers), reversed(merges), strict=True):
        community = community[merge]
        mover.move(community, MOVING_GAIN)
    count = _number_communities(community)
    level = _merge_communities(movers[0].level, community, count)
    while none_gains:  # the last moves may have made other merges a gain
        merge = _own_community(level)
        if not _Mover(level, resolution, total).move(merge, 0.0):
            break
        count = _number_communities(merge)
        level, community = _merge_communities(level, merge, count), merge[community]
    smallest_members(community)
    between = _sum_rows(level.begin, level.end, level.weights) / total
    modularity = 1.0 - between - resolution * _chance(level.strength, total)
    label = community.astype(G.index_dtype.np_type, copy=False)
    return Communities(full_vector(label), float(modularity))


def _own_community(level: Level) -> Any:
    """Return a community of its own for each vertex."""
    return np.arange(level.begin.size, dtype=level.indices.dtype)
