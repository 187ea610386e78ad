"""Random graph models of benchmarks: Kronecker, R-MAT, uniform, random digraphs and DAGs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.graph import Graph, Kind
from graphla.core.threads import num_threads
from graphla.core.validation import explains_wrong_calls
from graphla.errors import InvalidValue
from graphla.generate.builder import (
    MAX_SCALE,
    VERTICES,
    GraphBuilder,
    check_integer,
    check_real,
    draw_uniform_edges,
)
from graphla.generate.streams import PARALLEL_FROM, advanced
from graphla.numba_support import compiling
from graphla.numba_support.thread_pool import run_tasks

CHUNK = 2**16  # edges whose columns and random numbers stay in cache together


@explains_wrong_calls
def kronecker(
    scale: int, *, edgefactor: int = 16, seed: int = 1, weights: Any = None,
    kind: Kind = "undirected",
) -> Graph:  # fmt: skip
    """Return a Kronecker graph as in Graph500: skewed degrees, small diameter.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices (0..32).
    edgefactor : int, default 16
        Edges drawn per vertex.
    seed, weights
        As for every generator (see :mod:`graphla.generate`).
    kind : {"undirected", "directed"}
        Whether a drawn edge joins its ends in both directions or in one.

    Notes
    -----
    The model is :func:`rmat` with (a, b, c, d) = (0.57, 0.19, 0.19, 0.05), followed by a random
    permutation of the vertices [1]_. Graph500 also shuffles the list of edges, which does not
    change the Graph. It allows the construction of the graph to drop self-loops and duplicates;
    here they are dropped. At scale 20 these are 6 % of the drawn edges, and 38 % of the vertices
    have no edge.

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
    _rename(src, relabel)
    _rename(dst, relabel)
    return make.graph(src, dst, n)


@explains_wrong_calls
def rmat(
    scale: int, *, a: float, b: float, c: float, edgefactor: int = 16, seed: int = 1,
    weights: Any = None, kind: Kind = "directed",
) -> Graph:  # fmt: skip
    """Return an R-MAT graph with the given quadrant probabilities, vertices not permuted.

    Parameters
    ----------
    scale, edgefactor, seed, weights, kind
        As for :func:`kronecker`.
    a, b, c : float
        Probabilities of the upper left, upper right and lower left quadrant of the adjacency
        matrix; the lower right quadrant has d = 1 - a - b - c >= 0.

    Notes
    -----
    An edge (i, j) is drawn bit by bit, from the highest: the pair of bits (i_k, j_k) is (0, 0),
    (0, 1), (1, 0) or (1, 1) with probability a, b, c or d, so that [1]_

        P(i, j) = prod_k p(i_k, j_k),  p = [[a, b], [c, d]].

    The same probabilities are used at every level (no noise), rounded to multiples of 2^-32.
    Vertices are not permuted: with a large `a`, vertices with small numbers have high degrees.

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
    """Return n and the ends of the drawn edges.

    For each edge and bit, one uniform 32-bit number selects the quadrant by comparison with the
    cumulative probabilities a, a + b, a + b + c.
    """
    scale = check_integer(scale, "scale", 0, MAX_SCALE)
    m = check_integer(edgefactor, "edgefactor") << scale
    a, b, c = check_real(a, "a", 0, 1), check_real(b, "b", 0, 1), check_real(c, "c", 0, 1)
    if a + b + c > 1 + 1e-9:
        raise InvalidValue(f"a + b + c = {a + b + c} must be at most 1")
    ends = tuple(round(p * 2**32) for p in (a, a + b, a + b + c))
    src, dst = np.zeros(m, np.uint32), np.zeros(m, np.uint32)
    if m >= PARALLEL_FROM and compiling.is_enabled():
        _append_quadrants_in_parallel(make.rng, src, dst, scale, ends)
    else:
        _append_quadrants(make.rng, src, dst, scale, *ends)
    return 1 << scale, src, dst


def _append_quadrants(
    rng: np.random.Generator, src: Any, dst: Any, scale: int, end_a: int, end_b: int, end_c: int
) -> None:
    for start in range(0, src.size, CHUNK):
        i, j = src[start : start + CHUNK], dst[start : start + CHUNK]
        for _ in range(scale):
            u = rng.integers(2**32, size=i.size, dtype=np.uint32)
            is_lower = u >= end_b  # quadrant c or d
            i <<= 1
            i |= is_lower
            j <<= 1
            j |= (u >= end_a) ^ is_lower ^ (u >= end_c)  # quadrant b or d


def _append_quadrants_in_parallel(
    rng: np.random.Generator, src: Any, dst: Any, scale: int, ends: tuple[int, ...]
) -> None:
    """Do the same, with the same numbers of `rng`, which has drawn none before.

    The number of edges is even, unless `scale` is 0, and so is CHUNK.
    """
    from graphla.generate.quadrants import append_bits

    bounds = [np.uint64(end) for end in ends]

    def draw(chunk: int) -> None:
        bits = advanced(rng, chunk * CHUNK * scale // 2)
        i, j = (x[chunk * CHUNK : (chunk + 1) * CHUNK] for x in (src, dst))
        for _ in range(scale):
            words = bits.random_raw(i.size // 2).astype("<u8", copy=False)
            append_bits(i, j, words.view("<u4"), *bounds)

    with compiling.announce_compilation("the generator of edges"):
        run_tasks(draw, -(-src.size // CHUNK), num_threads())
    rng.bit_generator.state = advanced(rng, src.size * scale // 2).state


def _rename(vertices: Any, names: Any) -> None:
    """Replace each vertex by its name, in place."""
    if vertices.size < PARALLEL_FROM or not compiling.is_enabled():
        vertices[:] = names[vertices]
        return
    from graphla.generate.quadrants import rename

    run_tasks(
        lambda chunk: rename(vertices[chunk * CHUNK : (chunk + 1) * CHUNK], names),
        -(-vertices.size // CHUNK), num_threads(),
    )  # fmt: skip


@explains_wrong_calls
def uniform(
    scale: int, *, edgefactor: int = 16, seed: int = 1, weights: Any = None,
    kind: Kind = "undirected",
) -> Graph:  # fmt: skip
    """Return a graph of edgefactor * 2^scale uniformly drawn edges: *urand* of the GAP suite.

    Parameters
    ----------
    scale, edgefactor, seed, weights, kind
        As for :func:`kronecker`.

    Notes
    -----
    An Erdős-Rényi graph: both ends of each of the m = edgefactor n drawn edges are independent
    and uniform on 0..n-1, with n = 2^scale. GAP uses scale 27 [1]_.

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


@explains_wrong_calls
def random_digraph(n: int, degree: float, *, seed: int = 1, weights: Any = None) -> Graph:
    """Return a directed graph of round(n * degree) drawn edges, both ends uniform on 0..n-1.

    Parameters
    ----------
    n : int
        Number of vertices.
    degree : float
        Edges drawn per vertex.
    seed, weights
        As for every generator (see :mod:`graphla.generate`).

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


@explains_wrong_calls
def random_dag(n: int, degree: float, *, seed: int = 1, weights: Any = None) -> Graph:
    """Return a directed acyclic graph: uniform pairs, directed to the larger vertex.

    Parameters
    ----------
    n, degree, seed, weights
        As for :func:`random_digraph`.

    Notes
    -----
    A drawn pair (u, v) becomes the edge min(u, v) -> max(u, v). The order 0..n-1 is topological:
    the adjacency matrix is strictly upper triangular.

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
