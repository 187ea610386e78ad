"""Random graphs of the benchmarks: Kronecker, R-MAT, uniform, and random directed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.errors import InvalidValue
from graphla.generate.builder import (
    MAX_SCALE,
    VERTICES,
    GraphBuilder,
    check_integer,
    check_real,
    draw_uniform_edges,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph, Kind

CHUNK = 2**16  # edges whose columns and random numbers stay in cache together


def kronecker(
    scale: int, *, edgefactor: int = 16, seed: int = 1, weights: Any = None,
    kind: Kind = "undirected",
) -> Graph:  # fmt: skip
    """Return the Kronecker graph of Graph500: skewed degrees, small diameter.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices (0..32).
    edgefactor : int, default 16
        Edges drawn per vertex.
    seed, weights
        As for every generator (see the module).
    kind : {"undirected", "directed"}
        Whether an edge is drawn for both directions or for one.

    Notes
    -----
    R-MAT with (a, b, c, d) = (0.57, 0.19, 0.19, 0.05), then a random
    permutation of the vertices [1]_. Graph500 also shuffles the list of edges,
    which no Graph would show. It leaves self-loops and duplicates to the
    construction of the graph, which may drop them: here they are dropped. At
    scale 20, 6 % of the edges drawn go that way, and 38 % of the vertices have
    no edge.

    .. [1] Graph500 benchmark specification, section 3.4.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.kronecker(10, weights=(1, 255))  # doctest: +ELLIPSIS
    <Graph: undirected, 1,024 vertices, ... edges, INT32, cpu>
    """
    make = GraphBuilder(kind, weights, seed)
    n, src, dst = _rmat(make, scale, edgefactor, 0.57, 0.19, 0.19)
    relabel = make.rng.permutation(n).astype(np.uint32)
    for ends in (src, dst):
        ends[:] = relabel[ends]
    return make.graph(src, dst, n)


def rmat(
    scale: int, *, a: float, b: float, c: float, edgefactor: int = 16, seed: int = 1,
    weights: Any = None, kind: Kind = "directed",
) -> Graph:  # fmt: skip
    """Return an R-MAT graph with the given quadrant probabilities and labels as drawn.

    Parameters
    ----------
    scale, edgefactor, seed, weights, kind
        As for :func:`kronecker`.
    a, b, c : float
        Probability of the upper left, upper right and lower left quadrant of
        the adjacency matrix; the lower right one has d = 1 - a - b - c >= 0.

    Notes
    -----
    Each bit of the two ends of an edge, from the highest on, is drawn with these
    probabilities [1]_, without noise (they are rounded to multiples of 2^-32).
    Vertices are not permuted: with a large `a`, degrees fall with the number.

    .. [1] D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: a recursive model for
       graph mining", SDM 2004.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.rmat(3, a=1, b=0, c=0)  # every edge is the loop 0 -> 0
    <Graph: directed, 8 vertices, 0 edges, BOOL, cpu>
    """
    make = GraphBuilder(kind, weights, seed)
    n, src, dst = _rmat(make, scale, edgefactor, a, b, c)
    return make.graph(src, dst, n)


def _rmat(
    make: GraphBuilder, scale: int, edgefactor: int, a: float, b: float, c: float
) -> tuple[int, Any, Any]:
    """Return n and the drawn ends: one uniform number per bit falls in a, b, c or d."""
    scale = check_integer(scale, "scale", 0, MAX_SCALE)
    m = check_integer(edgefactor, "edgefactor") << scale
    a, b, c = check_real(a, "a", 0, 1), check_real(b, "b", 0, 1), check_real(c, "c", 0, 1)
    if a + b + c > 1 + 1e-9:
        raise InvalidValue(f"a + b + c = {a + b + c} is more than 1")
    right, lower, both = (round(p * 2**32) for p in (a, a + b, a + b + c))
    src, dst = np.zeros(m, np.uint32), np.zeros(m, np.uint32)
    for start in range(0, m, CHUNK):
        i, j = src[start : start + CHUNK], dst[start : start + CHUNK]
        for _ in range(scale):
            u = make.rng.integers(2**32, size=i.size, dtype=np.uint32)
            below = u >= lower
            i <<= 1
            i |= below
            j <<= 1
            j |= (u >= right) ^ below ^ (u >= both)
    return 1 << scale, src, dst


def uniform(
    scale: int, *, edgefactor: int = 16, seed: int = 1, weights: Any = None,
    kind: Kind = "undirected",
) -> Graph:  # fmt: skip
    """Return edgefactor 2^scale edges with uniform ends: *urand* of the GAP suite.

    Parameters
    ----------
    scale, edgefactor, seed, weights, kind
        As for :func:`kronecker`.

    Notes
    -----
    An Erdős-Rényi graph; GAP's has scale 27 [1]_.

    .. [1] S. Beamer, K. Asanović, D. Patterson, "The GAP benchmark suite", 2015.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.uniform(10).n
    1024
    """
    make = GraphBuilder(kind, weights, seed)
    n = 1 << check_integer(scale, "scale", 0, MAX_SCALE)
    src, dst = draw_uniform_edges(make.rng, n, n * check_integer(edgefactor, "edgefactor"))
    return make.graph(src, dst, n)


def random_digraph(n: int, degree: float, *, seed: int = 1, weights: Any = None) -> Graph:
    """Return a directed graph of round(n degree) edges with uniform ends.

    Parameters
    ----------
    n : int
        Number of vertices.
    degree : float
        Edges drawn per vertex.
    seed, weights
        As for every generator (see the module).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.random_digraph(100, 2.5).kind
    'directed'
    """
    make = GraphBuilder("directed", weights, seed)
    n = check_integer(n, "n", 0, VERTICES)
    src, dst = draw_uniform_edges(make.rng, n, round(n * check_real(degree, "degree", 0, VERTICES)))
    return make.graph(src, dst, n)


def random_dag(n: int, degree: float, *, seed: int = 1, weights: Any = None) -> Graph:
    """Return a directed graph without cycles: uniform pairs, from the smaller to the larger vertex.

    Parameters
    ----------
    n, degree, seed, weights
        As for :func:`random_digraph`. The order 0..n-1 is topological: the
        adjacency matrix is strictly upper triangular.

    Examples
    --------
    >>> import graphla as gl
    >>> rows, cols, _ = gl.generate.random_dag(100, 3).A.to_coo()
    >>> bool((rows < cols).all())
    True
    """
    make = GraphBuilder("directed", weights, seed)
    n = check_integer(n, "n", 0, VERTICES)
    u, v = draw_uniform_edges(make.rng, n, round(n * check_real(degree, "degree", 0, VERTICES)))
    return make.graph(np.minimum(u, v), np.maximum(u, v), n)
