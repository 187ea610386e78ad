"""Independent computations over a whole graph, block of edges by block, for :mod:`graphla.verify`.

They call no algorithm of graphla. They run on the graph's engine, in NumPy or CuPy arrays (`xp`);
functions on SciPy matrices run on the CPU. Beside the graph's CSR arrays a pass needs a few
arrays of length n and one block of ``max(rows, BLOCK)`` edges. On a distributed graph a rank passes
over the edges that enter its own vertices (:class:`Share`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.engines import array_module, host_array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from graphla.core.graph import Graph

BLOCK = {"cpu": 1 << 20, "cuda": 1 << 25}  # edges in a block: large enough to hide launches


def csr_arrays(G: Graph) -> tuple[Any, Any, Any]:
    """Return (indptr, indices, values) of the graph, on its engine; values None if unweighted."""
    if G.engine == "cpu":
        return G.csr
    from graphla.cuda.device_arrays import csr_of

    A = csr_of(G.A)
    if not G.weighted:
        return A.indptr, A.indices, None
    values = array_module(G.engine).broadcast_to(A.values, A.indices.shape)  # iso: one is stored
    return A.indptr, A.indices, values


def edge_blocks(G: Graph) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the stored edges in row order as arrays (src, dst, weight); weight 1 if unweighted."""
    return _blocks_of_rows(G.engine, *csr_arrays(G))


def _blocks_of_rows(
    engine: str, indptr: Any, indices: Any, values: Any
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the entries of rows as arrays (row, column, value); value 1 if there are none."""
    xp = array_module(engine)
    size, unit_weight = max(BLOCK[engine], indptr.size - 1), xp.ones(1, np.int64)
    for low in range(0, indices.size, size):
        high = min(low + size, indices.size)
        first = int(xp.searchsorted(indptr, low, "right")) - 1
        last = int(xp.searchsorted(indptr, high))
        row = _row_numbers(engine, first, indptr[first : last + 1].clip(low, high) - low, indices)
        weight = xp.broadcast_to(unit_weight, row.shape) if values is None else values[low:high]
        yield row, indices[low:high], weight


class Share(NamedTuple):
    """The part of a graph that this process checks: all of it, or the vertices of a rank.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    first, last : int
        The first vertex of the part, and the one behind the last.
    edges : function
        Yields blocks (src, dst) of all edges that enter vertices of the part.
    communicator : Communicator or None
        Of the ranks, if the graph is distributed.
    """

    xp: Any
    first: int
    last: int
    edges: Callable[[], Iterator[tuple[Any, Any]]]
    communicator: Any = None

    def agreed(self, name: str, check: Callable[[], None]) -> None:
        """Run a check; what it raises on one rank is raised on all."""
        if self.communicator is None:
            return check()
        self.communicator.guarded(name, check)
        self.communicator.all(name, True)
        return None

    def leave_to_others(self, checked: Any) -> None:
        """Set a mask to True outside of the part, where other ranks check."""
        checked[: self.first] = checked[self.last :] = True

    def total(self, name: str, value: float) -> float:
        """Return the sum of a number of each rank, the same on all."""
        if self.communicator is None:
            return value
        return float(sum(self.communicator.gather_values(name, np.float64(value))))


def share_of(G: Graph) -> Share:
    """Return what this process checks of a graph."""
    if G.engine != "ranks":
        return Share(array_module(G.engine), 0, G.n, partial(_all_edges, G))
    layout = G.A.layout
    first, last = layout.piece(G.n)
    return Share(layout.blocks.xp, first, last, partial(_entering, G, first), layout.communicator)


def _all_edges(G: Graph) -> Iterator[tuple[Any, Any]]:
    for src, dst, _ in edge_blocks(G):
        yield src, dst


def _entering(G: Graph, first: int) -> Iterator[tuple[Any, Any]]:
    """Yield the edges that enter this rank's vertices: rows of its block of A', or symmetric A."""
    blocks = G.A.layout.blocks
    rows = G.A.local(0) if G.kind == "undirected" else G.A.local(1).T
    indptr, indices, _ = blocks.csr_arrays(rows)
    indptr, dtype = indptr.astype(np.int64, copy=False), G.index_dtype.np_type
    for row, src, _ in _blocks_of_rows(blocks.name, indptr, indices, None):
        yield src.astype(dtype, copy=False), row.astype(dtype, copy=False) + dtype.type(first)


def _row_numbers(engine: str, first: int, indptr: Any, indices: Any) -> Any:
    """Return the row number of each entry; `indptr` describes consecutive rows from `first` on."""
    if engine == "cpu":
        return np.repeat(
            np.arange(first, first + indptr.size - 1, dtype=indices.dtype), np.diff(indptr)
        )
    from graphla.cuda.storage.csr import CSR

    size = int(indptr[-1])
    return (
        CSR(indptr, indices[:size], None, 0).row_indices().astype(indices.dtype, copy=False) + first
    )


def scipy_pattern(G: Graph) -> Any:
    """Return the adjacency pattern of a graph on engine "cpu" as a SciPy matrix of ones."""
    G.cache("csr")
    return scipy_pattern_of_blocks(G.n, edge_blocks(G))


def scipy_pattern_of_blocks(n: int, edges: Iterable[tuple[Any, ...]]) -> Any:
    """Return edge blocks, src ascending, as a SciPy matrix of ones: 12 bytes an edge."""
    from scipy.sparse import csr_array

    degree, columns = np.zeros(n, np.int64), [np.empty(0, np.int32)]
    for src, dst, *_ in edges:
        degree += np.bincount(src, minlength=n)
        columns.append(dst)
    indices = np.concatenate(columns)
    indptr = np.append(0, degree.cumsum())  # SciPy takes the narrowest type that holds both
    return csr_array((np.ones(indices.size), indices, indptr), shape=(n, n))


def bfs_order_and_depths(S: Any, source: int) -> tuple[Any, Any]:
    """Return the vertices reached from `source` in BFS order, and the depth of every vertex."""
    from scipy.sparse.csgraph import breadth_first_order

    order, parent = breadth_first_order(S, source)
    return order, chain_ends_and_depths(np, np.where(parent < 0, np.arange(parent.size), parent))[1]


def reachable(xp: Any, source: int, wanted: Any, edges: list[tuple[Any, Any]]) -> Any:
    """Return the mask of the vertices that `source` reaches along edge blocks (src, dst).

    First one arbitrary in-edge of each vertex is its parent: without cycles these parents are a
    forest. Only if the source's tree lacks a `wanted` vertex, SciPy searches along all edges.
    """
    parent = xp.arange(wanted.size)
    for src, dst in edges:
        parent[dst] = src
    parent[source] = source
    reached = chain_ends_and_depths(xp, parent)[0] == source
    if bool((wanted & ~reached).any()):
        S = scipy_pattern_of_blocks(wanted.size, (tuple(map(host_array, edge)) for edge in edges))
        reached[xp.asarray(bfs_order_and_depths(S, source)[0])] = True
    return reached


def strong_components(S: Any) -> tuple[Any, Any]:
    """Return for each vertex the smallest vertex and the size of its strong component (SciPy)."""
    from scipy.sparse.csgraph import connected_components

    k, part = connected_components(S, connection="strong")
    smallest = np.full(k, part.size)
    np.minimum.at(smallest, part, np.arange(part.size))
    return smallest[part], np.bincount(part)[part]


def chain_ends_and_depths(xp: Any, parent: Any) -> tuple[Any, Any]:
    """Return the end and the length of each vertex's chain of parents, by pointer doubling.

    A vertex that is its own parent ends a chain. The end of a chain that leads into a longer
    cycle is some vertex of the cycle, and its length is meaningless. Both have the parents' dtype.
    """
    end = parent
    del parent  # the array can be freed with the first `end`
    depth = (end != xp.arange(end.size, dtype=end.dtype)).astype(end.dtype)
    for _ in range(end.size.bit_length()):
        next_end = end[end]
        if not bool((next_end != end).any()):
            break
        depth += depth[end]
        end = next_end
    return end, depth


def smallest_in_component(xp: Any, n: int, edges: Iterable[tuple[Any, ...]]) -> Any:
    """Return for each vertex the smallest vertex of its weak component, from edge blocks.

    Each round hooks every root that has a smaller neighbouring root onto the smallest of
    them, then flattens the trees. Two rounds at least halve the roots that are still to be merged.
    """
    root = xp.arange(n)
    for src, dst, *_ in edges:
        root_src, root_dst = root[src], root[dst]
        while bool((apart := root_src != root_dst).any()):
            root_src, root_dst = root_src[apart], root_dst[apart]
            high, low = xp.maximum(root_src, root_dst), xp.minimum(root_src, root_dst)
            _assign_minimum(xp, root, high, low)
            root, _ = chain_ends_and_depths(xp, root)
            root_src, root_dst = root[root_src], root[root_dst]
    return root


def _assign_minimum(xp: Any, x: Any, index: Any, values: Any) -> None:
    """Set x[index] = min(x[index], values) for values >= 0: CuPy has it for unsigned types only."""
    xp.minimum.at(x.view(np.uint64), index, values.view(np.uint64))


def boruvka_rounds(xp: Any, n: int, src: Any, dst: Any, weight: Any) -> list[tuple[Any, Any]]:
    """Return Boruvka's rounds on a forest as pairs (joining weight, merged part) of each part.

    The parts of round 0 are the vertices. In each round every part joins another one along its
    lightest edge. Over the rounds until two vertices are in one part, the largest joining weight
    of their parts is the heaviest edge on the path between them (V. King, "A simpler minimum
    spanning tree verification algorithm", Algorithmica 18, 1997); at most log2(n) rounds.
    """
    order = xp.argsort(weight, kind="stable")
    src, dst, weight = src[order], dst[order], weight[order]
    rounds = []
    while src.size:
        lightest = xp.full(n, src.size, np.int64)
        for end in (src, dst):
            _assign_minimum(xp, lightest, end, xp.arange(src.size))
        chosen = lightest[lightest < src.size]
        root = smallest_in_component(xp, n, [(src[chosen], dst[chosen])])
        merged = (xp.cumsum(root == xp.arange(n), dtype=np.int64) - 1)[root]
        rounds.append((weight[xp.minimum(lightest, src.size - 1)], merged))
        src, dst, n = merged[src], merged[dst], int(merged.max()) + 1
        apart = src != dst
        src, dst, weight = src[apart], dst[apart], weight[apart]
    return rounds


def pagerank_step(G: Graph, rank: Any, damping: float, dangling: bool) -> Any:
    """Return the ranks after one more iteration, right for this process's part of the vertices.

    See :func:`graphla.verify.pagerank`.
    """
    part = share_of(G)
    xp = part.xp
    if part.communicator is None:
        degree = xp.diff(csr_arrays(G)[0])
    else:
        degree = G.out_degree.to_dense(fill_value=0)
    share, received = rank / xp.maximum(degree, 1), xp.zeros(G.n)
    for src, dst in part.edges():
        received += xp.bincount(dst, share[src], minlength=G.n)
    dangling_rank = rank[degree == 0].sum() if dangling else 0
    return (1 - damping + damping * dangling_rank) / max(G.n, 1) + damping * received


def modularity(G: Graph, label: Any, resolution: float) -> float:
    """Return the modularity of labels in 0..n-1 on engine "cpu", 0 if all weights are 0.

    An undirected self-loop counts as two ends.
    """
    total = within = 0.0
    leaving, entering = np.zeros((2, G.n))
    for src, dst, w in edge_blocks(G):
        w = w.astype(np.float64)
        if G.kind == "undirected":
            w = np.where(src == dst, 2 * w, w)
        src, dst = label[src], label[dst]
        total += w.sum()
        within += w[src == dst].sum()
        leaving += np.bincount(src, w, G.n)
        entering += np.bincount(dst, w, G.n)
    if not total:
        return 0.0
    return float(within / total - resolution * (leaving / total) @ (entering / total))


def oriented_rows(G: Graph) -> tuple[Any, Any]:
    """Return U, the edges directed to the end of higher degree, as (indptr, indices)."""
    xp = array_module(G.engine)
    rank, out_degree = xp.empty(G.n, np.int64), xp.zeros(G.n, np.int64)
    rank[xp.argsort(xp.diff(csr_arrays(G)[0]), kind="stable")] = xp.arange(G.n)
    columns = [csr_arrays(G)[1][:0]]
    for src, dst, _ in edge_blocks(G):
        upward = rank[src] < rank[dst]
        out_degree += xp.bincount(src[upward], minlength=G.n)
        columns.append(dst[upward])
    indptr = xp.concatenate((xp.zeros(1, np.int64), out_degree.cumsum()))
    return indptr, xp.concatenate(columns)


def count_triangles(U: tuple[Any, Any]) -> int:
    """Return the sum of (U U) * U, the number of triangles, by SciPy."""
    from scipy.sparse import csr_array

    indptr, indices = map(host_array, U)
    n = indptr.size - 1
    M = csr_array((np.ones(indices.size), indices, indptr), shape=(n, n))
    return int((M @ M).multiply(M).sum())


def sample_closed_pairs(xp: Any, U: tuple[Any, Any], samples: int, seed: int) -> tuple[int, int]:
    """Draw pairs of entries in one row of U; return how many are adjacent and how many exist."""
    indptr, indices = U
    degree = xp.diff(indptr)
    rng, pairs = np.random.default_rng(seed), (degree * (degree - 1) // 2).cumsum()
    drawn = rng.integers(0, int(pairs[-1]), samples)
    v = xp.searchsorted(pairs, xp.asarray(drawn), "right")
    first, step = (_draw_below(xp, bound, rng) for bound in (degree[v], degree[v] - 1))
    second = (first + 1 + step) % degree[v]
    a, b = (indices[indptr[v] + k] for k in (first, second))
    closed = _adjacent(xp, U, a, b) | _adjacent(xp, U, b, a)
    return int(closed.sum()), int(pairs[-1])


def _draw_below(xp: Any, bound: Any, rng: np.random.Generator) -> Any:
    """Draw a number from 0..bound[k]-1 for each k, the same on both engines."""
    return xp.minimum((xp.asarray(rng.random(bound.size)) * bound).astype(np.int64), bound - 1)


def _adjacent(xp: Any, U: tuple[Any, Any], src: Any, dst: Any) -> Any:
    """Return whether dst[k] is in row src[k] of U, by bisection of all rows at once."""
    indptr, indices = U
    low, end = indptr[src], indptr[src + 1]
    high = end
    for _ in range(int((end - low).max()).bit_length()):
        middle = (low + high) // 2
        smaller = (low < high) & (indices[xp.minimum(middle, indices.size - 1)] < dst)
        low, high = xp.where(smaller, middle + 1, low), xp.where(smaller, high, middle)
    return (low < end) & (indices[xp.minimum(low, indices.size - 1)] == dst)
