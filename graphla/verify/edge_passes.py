"""Passes over a whole graph, a block of edges at a time, for :mod:`graphla.verify`.

They run on the engine of the graph, in arrays of NumPy or CuPy (`xp`), but those of SciPy's
matrices on the CPU. Nothing here calls an algorithm of graphla. Beside the graph's
compressed rows a pass needs a few arrays of length n and a block of ``max(n, BLOCK)`` edges.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.engines import array_module, host_array
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from graphla.core.graph import Graph

BLOCK = {"cpu": 1 << 20, "cuda": 1 << 25}  # edges: where launches cost little beside them
COUNTS = np.longdouble  # numbers of paths: on most machines they may reach 2^16384


def csr_arrays(G: Graph) -> tuple[Any, Any, Any]:
    """Return `Graph.csr` in arrays of the graph's engine."""
    if G.engine == "cpu":
        return G.csr
    A = G.A._csr()
    every = array_module(G.engine).broadcast_to  # of iso values, one is stored
    return A.indptr, A.indices, every(A.values, A.indices.shape) if G.weighted else None


def edge_blocks(G: Graph) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the stored edges in order as arrays (src, dst, weight); weight 1 where unweighted."""
    xp, (indptr, indices, values) = array_module(G.engine), csr_arrays(G)
    size, one = max(BLOCK[G.engine], G.n), xp.ones(1, np.int64)
    for low in range(0, indices.size, size):
        high = min(low + size, indices.size)
        first = int(xp.searchsorted(indptr, low, "right")) - 1
        last = int(xp.searchsorted(indptr, high))
        src = _repeated(G.engine, first, indptr[first : last + 1].clip(low, high) - low, indices)
        weight = xp.broadcast_to(one, src.shape) if values is None else values[low:high]
        yield src, indices[low:high], weight


def _repeated(engine: str, first: int, indptr: Any, like: Any) -> Any:
    """Return the row of each entry of compressed rows that begin with number `first`."""
    if engine == "cpu":
        return np.repeat(
            np.arange(first, first + indptr.size - 1, dtype=like.dtype), np.diff(indptr)
        )
    from graphla.cuda.storage.csr import CSR

    size = int(indptr[-1])
    return CSR(indptr, like[:size], None, 0).rows().astype(like.dtype, copy=False) + first


def scipy_pattern(G: Graph) -> Any:
    """Return a graph on engine "cpu" as a SciPy matrix of ones."""
    G.cache("csr")
    return scipy_pattern_of_blocks(G.n, edge_blocks(G))


def scipy_pattern_of_blocks(n: int, edges: Iterable[tuple[Any, ...]]) -> Any:
    """Return blocks (src, dst, ...), src ascending, as a SciPy matrix of ones: 12 bytes an edge."""
    from scipy.sparse import csr_array

    degree, columns = np.zeros(n, np.int64), [np.empty(0, np.int32)]
    for src, dst, *_ in edges:
        degree += np.bincount(src, minlength=n)
        columns.append(dst)
    indices = np.concatenate(columns)
    indptr = np.append(0, degree.cumsum())  # SciPy takes the narrowest type that holds both
    return csr_array((np.ones(indices.size), indices, indptr), shape=(n, n))


def bfs_order_and_depths(S: Any, source: int) -> tuple[Any, Any]:
    """Return SciPy's breadth-first order of what `source` reaches, and each vertex's depth."""
    from scipy.sparse.csgraph import breadth_first_order

    order, parent = breadth_first_order(S, source)
    return order, chain_ends_and_depths(np, np.where(parent < 0, np.arange(parent.size), parent))[1]


def reachable(xp: Any, source: int, wanted: Any, edges: list[tuple[Any, Any]]) -> Any:
    """Return which vertices `source` reaches along blocks of edges (src, dst).

    Any edge into each vertex makes trees, if there is no cycle. Where the tree of the source
    has not all the `wanted` vertices, SciPy searches along all edges.
    """
    parent = xp.arange(wanted.size)
    for src, dst in edges:
        parent[dst] = src
    parent[source] = source
    found = chain_ends_and_depths(xp, parent)[0] == source
    if bool((wanted & ~found).any()):
        S = scipy_pattern_of_blocks(wanted.size, (tuple(map(host_array, edge)) for edge in edges))
        found[xp.asarray(bfs_order_and_depths(S, source)[0])] = True
    return found


def strong_components(S: Any) -> tuple[Any, Any]:
    """Return for each vertex the smallest one, and the size, of its strong component by SciPy."""
    from scipy.sparse.csgraph import connected_components

    k, part = connected_components(S, connection="strong")
    smallest = np.full(k, part.size)
    np.minimum.at(smallest, part, np.arange(part.size))
    return smallest[part], np.bincount(part)[part]


def chain_ends_and_depths(xp: Any, parent: Any) -> tuple[Any, Any]:
    """Return where each vertex's chain of parents ends, and its length, by pointer doubling.

    A vertex that is its own parent ends a chain. A chain that leads into a longer
    cycle "ends" somewhere on it.
    """
    end = parent
    depth = (end != xp.arange(end.size)).astype(np.int64)
    for _ in range(end.size.bit_length()):
        further = end[end]
        if not bool((further != end).any()):
            break
        depth += depth[end]
        end = further
    return end, depth


def smallest_in_component(xp: Any, n: int, edges: Iterable[tuple[Any, ...]]) -> Any:
    """Return for each vertex the smallest one of its weak component, from blocks (src, dst, ...).

    Each round hooks every root that has a smaller neighbour onto its smallest, then
    flattens the trees. Two rounds at least halve the roots that can still be joined.
    """
    root = xp.arange(n)
    for src, dst, *_ in edges:
        a, b = root[src], root[dst]
        while bool((apart := a != b).any()):
            a, b = a[apart], b[apart]
            _lower(xp, root, xp.maximum(a, b), xp.minimum(a, b))
            root, _ = chain_ends_and_depths(xp, root)
            a, b = root[a], root[b]
    return root


def _lower(xp: Any, x: Any, at: Any, values: Any) -> None:
    """Lower x[at] to values, none of them negative: CuPy takes a minimum of unsigned ones only."""
    xp.minimum.at(x.view(np.uint64), at, values.view(np.uint64))


def boruvka_rounds(xp: Any, n: int, src: Any, dst: Any, weight: Any) -> list[tuple[Any, Any]]:
    """Return Boruvka's rounds on a forest: by which weight each part left, and into which part.

    The parts of round 0 are the vertices. From two vertices up to the round in which
    they meet, the largest of the weights is that of the heaviest edge on the path
    between them (V. King, "A simpler minimum spanning tree verification algorithm",
    Algorithmica 18, 1997); there are at most log2(n) rounds.
    """
    order = xp.argsort(weight, kind="stable")
    src, dst, weight = src[order], dst[order], weight[order]
    rounds = []
    while src.size:
        lightest = xp.full(n, src.size, np.int64)
        for end in (src, dst):
            _lower(xp, lightest, end, xp.arange(src.size))
        chosen = lightest[lightest < src.size]
        root = smallest_in_component(xp, n, [(src[chosen], dst[chosen])])
        into = (xp.cumsum(root == xp.arange(n), dtype=np.int64) - 1)[root]
        rounds.append((weight[xp.minimum(lightest, src.size - 1)], into))
        src, dst, n = into[src], into[dst], int(into.max()) + 1
        left = src != dst
        src, dst, weight = src[left], dst[left], weight[left]
    return rounds


def pagerank_step(G: Graph, rank: Any, damping: float, dangling: bool) -> Any:
    """Return what one iteration makes of ranks; `dangling`: no out-edges means an edge to all."""
    xp = array_module(G.engine)
    degree = xp.diff(csr_arrays(G)[0])
    share, arrived = rank / xp.maximum(degree, 1), xp.zeros(G.n)
    for src, dst, _ in edge_blocks(G):
        arrived += xp.bincount(dst, share[src], minlength=G.n)
    shared = rank[degree == 0].sum() if dangling else 0
    return (1 - damping + damping * shared) / max(G.n, 1) + damping * arrived


def oriented_rows(G: Graph) -> tuple[Any, Any]:
    """Return each edge once, to the end of higher degree, in compressed rows (indptr, indices)."""
    xp = array_module(G.engine)
    rank, ahead = xp.empty(G.n, np.int64), xp.zeros(G.n, np.int64)
    rank[xp.argsort(xp.diff(csr_arrays(G)[0]), kind="stable")] = xp.arange(G.n)
    columns = [csr_arrays(G)[1][:0]]
    for src, dst, _ in edge_blocks(G):
        on = rank[src] < rank[dst]
        ahead += xp.bincount(src[on], minlength=G.n)
        columns.append(dst[on])
    return xp.concatenate((xp.zeros(1, np.int64), ahead.cumsum())), xp.concatenate(columns)


def count_triangles(U: tuple[Any, Any]) -> int:
    """Return the sum of (U U) * U by SciPy."""
    from scipy.sparse import csr_array

    indptr, indices = map(host_array, U)
    n = indptr.size - 1
    M = csr_array((np.ones(indices.size), indices, indptr), shape=(n, n))
    return int((M @ M).multiply(M).sum())


def sample_closed_pairs(xp: Any, U: tuple[Any, Any], samples: int, seed: int) -> tuple[int, int]:
    """Draw pairs of successors of a vertex; return how many are adjacent, of how many pairs."""
    indptr, indices = U
    degree = xp.diff(indptr)
    rng, pairs = np.random.default_rng(seed), (degree * (degree - 1) // 2).cumsum()
    drawn = rng.integers(0, int(pairs[-1]), samples)
    v = xp.searchsorted(pairs, xp.asarray(drawn), "right")
    first, step = (_below(xp, m, rng) for m in (degree[v], degree[v] - 1))
    second = (first + 1 + step) % degree[v]
    a, b = (indices[indptr[v] + k] for k in (first, second))
    closed = _adjacent(xp, U, a, b) | _adjacent(xp, U, b, a)
    return int(closed.sum()), int(pairs[-1])


def _below(xp: Any, m: Any, rng: np.random.Generator) -> Any:
    """Draw a number from 0..m[k]-1 for each k, the same on either engine."""
    return xp.minimum((xp.asarray(rng.random(m.size)) * m).astype(np.int64), m - 1)


def _adjacent(xp: Any, U: tuple[Any, Any], src: Any, dst: Any) -> Any:
    """Return whether dst[k] is in row src[k], whose columns ascend: bisection of all at once."""
    indptr, indices = U
    low, end = indptr[src], indptr[src + 1]
    high = end
    for _ in range(int((end - low).max()).bit_length()):
        middle = (low + high) // 2
        behind = (low < high) & (indices[xp.minimum(middle, indices.size - 1)] < dst)
        low, high = xp.where(behind, middle + 1, low), xp.where(behind, high, middle)
    return (low < end) & (indices[xp.minimum(low, indices.size - 1)] == dst)


def brandes_dependencies(G: Graph, sources: list[int]) -> tuple[Any, int]:
    """Return the sum over the sources of Brandes's dependencies, and what all of them sum to.

    With sigma the number of shortest paths from the source, over the edges v -> w
    that lead one level on: delta(v) = sum_w sigma(v) / sigma(w) (1 + delta(w)). They
    sum to the inner vertices of one shortest path to each vertex.
    """
    S = scipy_pattern(G)
    total, inner = np.zeros(G.n), 0
    for source in sources:
        order, depth = bfs_order_and_depths(S, source)
        inner += int((depth[order[1:]] - 1).sum())
        rows = S[order]
        src, dst = np.repeat(order, np.diff(rows.indptr)), rows.indices
        on = depth[dst] == depth[src] + 1
        src, dst = src[on], dst[on]
        starts = np.searchsorted(depth[src], np.arange(depth.max() + 2))
        levels = [(src[low:high], dst[low:high]) for low, high in pairwise(starts)]
        sigma, delta = np.zeros(G.n, COUNTS), np.zeros(G.n)
        sigma[source] = 1
        with np.errstate(over="ignore"):
            for v, w in levels:
                np.add.at(sigma, w, sigma[v])
        if np.isinf(sigma).any():
            raise InvalidValue(f"too many shortest paths from {source} to count")
        for v, w in reversed(levels):
            np.add.at(delta, v, (sigma[v] / sigma[w]).astype(float) * (1 + delta[w]))
        delta[source] = 0
        total += delta
    return total, inner
