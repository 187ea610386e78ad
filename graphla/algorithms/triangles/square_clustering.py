"""Square clustering: the share of the possible squares at a vertex that exist.

    P = A plus.pair A                                   common neighbours
    squares(v)  = sum_x P(v, x) (P(v, x) - 1) / 2,          x != v the opposite corner
                = (sum_x P(v, x)^2 - paths(v) - d(v) (d(v) - 1)) / 2,   over all x
    possible(v) = (d(v) - 1) (paths(v) - d(v)) - walks(v) - squares(v),    paths = A d

A pair of neighbours u, w of v has d(u) - 1 + d(w) - 1 edges that may be part of a square, less
one each if u and w are adjacent (walks: twice the triangles); an existing square uses two of
them. P is computed in blocks of rows and is never stored as a whole.

Cost: all wedges, the sum of d(v)^2, in blocks of rows.

Source: P. Lind, M. Gonzalez, H. Herrmann, "Cycles and clustering in bipartite networks",
Phys. Rev. E 72, 056127 (2005).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import INT64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms._shared.vectors import divide_or_zero, make_full_vector
from graphla.algorithms.triangles.clustering_coefficient import (
    count_closed_walks,
    count_neighbor_pairs,
    plus_pair,
)
from graphla.core import validation
from graphla.core.properties import row_counts

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, minus, times = binary.plus[INT64], binary.minus[INT64], binary.times[INT64]


@validation.explains_wrong_calls
def square_clustering(G: Graph, *, batch: int = 1024, progress: bool = False) -> Any:
    """Find the share of the possible squares that exist at each vertex of an undirected graph.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    batch : int
        Vertices processed together, at least 1. A batch takes up to 16 bytes per vertex
        of it and vertex of the graph.
    progress : bool
        Show a bar of the vertices done.

    Returns
    -------
    Vector
        FP64 in [0, 1] with all n entries; 0 if no square is possible.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.
    InvalidValue
        `batch` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 4], kind="undirected")
    >>> gl.square_clustering(G).to_dense().round(3).tolist()
    [0.333, 0.5, 1.0, 0.5, 0.0]
    """
    validation.require_symmetric(G, "square_clustering")
    batch = validation.check_count(batch, "batch")
    A = remove_self_loops(G)
    squares = make_full_vector(G, INT64)
    for part in iterate_batches(range(G.n), batch, "square_clustering", progress):
        rows = slice(part.start, part.stop)
        P = A[rows, :].new().mxm(A, plus_pair).new()
        P << P.ewise_mult(P, times)
        squares[rows](plus) << P.reduce_rowwise(monoid.plus)

    degree = row_counts(A)
    paths = A.mxv(degree, semiring.plus_second[INT64]).new()
    pairs = count_neighbor_pairs(A)
    squares(minus) << paths.ewise_add(pairs, plus)
    squares << squares.apply(binary.cdiv[INT64], right=2)
    possible = paths.ewise_mult(degree, minus).new()
    possible << possible.ewise_mult(degree.apply(minus, right=1).new(), times)
    possible << possible.ewise_mult(count_closed_walks(G, A, plus_pair), minus)
    possible << possible.ewise_mult(squares, minus)
    return divide_or_zero(squares, possible)
