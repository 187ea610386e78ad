"""Graphs with local edges: grids, random geometric graphs, and cliques with joining edges."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from graphla.core.graph import Graph, Kind
from graphla.core.validation import explains_wrong_calls
from graphla.errors import InvalidValue
from graphla.generate.builder import MAX_SCALE, VERTICES, GraphBuilder, check_integer, check_real


@explains_wrong_calls
def ssca2(
    scale: int, *, max_clique: int | None = None, joins: float = 0.5, seed: int = 1,
    weights: Any = None, kind: Kind = "undirected",
) -> Graph:  # fmt: skip
    """Return random cliques, joined by edges whose probability falls with their distance.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices (0..32).
    max_clique : int, optional
        Sizes of cliques are uniform on 1..max_clique. Default: round(2^(scale/3)).
    joins : float, default 0.5
        Probability that a vertex draws an edge over the shortest distance (k = 0 below).
    seed, weights
        As for every generator (see :mod:`graphla.generate`).
    kind : {"undirected", "directed"}
        Directed: edges of cliques have both directions, joining edges one.

    Notes
    -----
    The generator of HPCS SSCA #2 up to version 1.1 [1]_ (since 2.0 it is R-MAT). Cliques are
    intervals of vertices. For k = 0, 1, ..., scale - 1 each vertex v draws, with probability
    joins / 2^k, an edge to the vertex (v + d) mod n, d uniform on 2^k..2^(k+1)-1; it is kept
    unless both ends are in the same clique. Vertices are then permuted. The report's one-way
    and parallel edges inside cliques are not generated.

    .. [1] D. A. Bader et al., "HPCS Scalable Synthetic Compact Applications #2:
       Graph Analysis", version 1.1, 2006.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.ssca2(6, max_clique=1, joins=0)  # cliques of one vertex, never joined
    <Graph: undirected, 64 vertices, 0 edges, BOOL, cpu>
    """
    make = GraphBuilder(kind, weights, seed)
    scale = check_integer(scale, "scale", 0, MAX_SCALE)
    n = 1 << scale
    default = round(2 ** (scale / 3))
    largest = check_integer(default if max_clique is None else max_clique, "max_clique", 1, n)
    joins = check_real(joins, "joins", 0, 1)

    v = np.arange(n, dtype=np.uint32)
    ends = np.cumsum(make.rng.integers(1, largest, size=n, endpoint=True))
    clique = np.searchsorted(ends, v, side="right").astype(np.uint32)
    first = np.searchsorted(clique, clique).astype(np.uint32)
    src, dst = [v[:0]], [v[:0]]
    for offset in range(1, largest):  # edges v -> v - offset within a clique
        members = v[v - first >= offset]
        src.append(members)
        dst.append(members - np.uint32(offset))
    if kind == "directed":
        src, dst = src + dst, dst + src
    for k in range(scale):
        tail = v[make.rng.random(n) < joins / 2**k]
        head = (tail + make.rng.integers(2**k, 2 ** (k + 1), size=tail.size)) % n
        joins_cliques = clique[tail] != clique[head]
        src.append(tail[joins_cliques])
        dst.append(head[joins_cliques].astype(np.uint32))
    relabel = make.rng.permutation(n).astype(np.uint32)
    return make.graph(relabel[np.concatenate(src)], relabel[np.concatenate(dst)], n)


@explains_wrong_calls
def grid(*shape: int, holes: float = 0.0, seed: int = 1, weights: Any = None) -> Graph:
    """Return an undirected grid: vertices that differ by 1 in one coordinate are adjacent.

    Parameters
    ----------
    *shape : int
        Number of vertices along each dimension. Vertices are numbered in row-major order.
    holes : float, default 0
        Fraction of the edges to remove: round(holes * edges) of them, drawn uniformly.
    seed, weights
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.grid(1000, 1000, holes=0.03, weights=(1, 255))  # the benchmarks' grid
    <Graph: undirected, 1,000,000 vertices, 1,938,060 edges, INT32, cpu>
    >>> gl.generate.grid(3, 3, 3).nedges
    54
    """
    make = GraphBuilder("undirected", weights, seed)
    if not shape:
        raise InvalidValue("grid needs at least one dimension, as in grid(1000, 1000)")
    sides = [check_integer(side, f"shape[{k}]", 1) for k, side in enumerate(shape)]
    n = check_integer(prod(sides), "number of vertices", 1, VERTICES)
    holes = check_real(holes, "holes", 0, 1)

    vertices = np.arange(n, dtype=np.uint32).reshape(sides)
    layers = [np.moveaxis(vertices, axis, 0) for axis in range(len(sides))]
    src = np.concatenate([layer[:-1].ravel() for layer in layers])
    dst = np.concatenate([layer[1:].ravel() for layer in layers])
    if holes:
        kept = np.ones(src.size, bool)
        removed = round(holes * src.size)
        kept[make.rng.choice(src.size, removed, replace=False, shuffle=False)] = False
        src, dst = src[kept], dst[kept]
    return make.graph(src, dst, n)


@explains_wrong_calls
def geometric(n: int, radius: float, *, dim: int = 2, seed: int = 1, weights: Any = None) -> Graph:
    """Return an undirected random geometric graph: points at most `radius` apart are adjacent.

    The points x_v are uniform in the unit cube; u -- v is an edge if |x_u - x_v| <= radius.

    Parameters
    ----------
    n : int
        Number of points.
    radius : float
        Largest Euclidean distance of adjacent points, >= 0.
    dim : int, default 2
        Dimension of the cube, at least 1.
    seed, weights
        As for every generator (see :mod:`graphla.generate`).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.geometric(5, 1.5).nedges  # the unit square's diagonal is shorter
    10
    """
    from scipy.spatial import cKDTree

    make = GraphBuilder("undirected", weights, seed)
    n, dim = check_integer(n, "n", 0, VERTICES), check_integer(dim, "dim", 1)
    radius = check_real(radius, "radius")
    pairs = cKDTree(make.rng.random((n, dim))).query_pairs(radius, output_type="ndarray")
    return make.graph(pairs[:, 0], pairs[:, 1], n)
