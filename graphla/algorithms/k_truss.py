"""The k-truss: the largest subgraph each of whose edges is on k - 2 of its triangles.

    C<C> = C plus.pair C,    C = C where C >= k - 2         until no edge is lost

C(i, j) counts the triangles on the edge (i, j), zero included. The engine chooses between
C and C', which are equal, for the cheaper product (:mod:`graphla.direction`).

Source: J. Cohen, "Trusses: cohesive subgraphs for social network analysis", NSA 2008;
T. Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss",
HPEC 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring
from graphblas.dtypes import INT64

from graphla import checks
from graphla.algorithms.simple_edges import simple_edges
from graphla.direction import factor
from graphla.progress import Progress

if TYPE_CHECKING:
    from graphla.graph import Graph

plus_pair = semiring.plus_pair[INT64]


def k_truss(G: Graph, k: int, *, progress: bool = False) -> Any:
    """Find the largest subgraph of which each edge is on at least k - 2 triangles.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    k : int
        At least 1. Up to 2 all edges are kept.
    progress : bool
        Show a bar of the rounds.

    Returns
    -------
    Matrix
        INT64 n x n and symmetric: entry (i, j) is an edge of the truss, and the
        number of triangles of the truss that it is on.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.
    InvalidValue
        `k` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> [x.tolist() for x in gl.k_truss(G, 3).to_coo()]
    [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1], [1, 1, 1, 1, 1, 1]]
    """
    checks.symmetric(G, "k_truss")
    k = checks.count(k, "k")
    C, before = G.matrix(INT64), -1
    C(simple_edges(G).S) << 0
    with Progress(progress, "k_truss") as bar:
        while before != C.nvals:
            before = C.nvals
            C(C.S) << 0
            C(C.S, binary.plus) << C.mxm(factor(G, C), plus_pair)
            C << C.select(">=", k - 2)
            bar.step()
    return C
