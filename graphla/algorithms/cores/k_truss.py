"""The k-truss: the largest subgraph in which each edge is on at least k - 2 triangles.

    C<L> = L plus.pair L + L plus.pair L' + L' plus.pair L,    L = tril(A, -1)
    D = L where C < k - 2,   R = L without D                   until D is empty
    C<R> -= D L + R D  +  D L' + R D'  +  D' L + R' D,   L = R     (all plus.pair)

C(i, j) counts the triangles on the edge (i, j): those whose third vertex lies between j and i,
below j and above i. The edges of D are removed; only triangles with one of them are subtracted:
those whose first other edge is in D, and those with the first in R and the second in D. Vertices
are renumbered by falling degree, which keeps the rows of L short.

Cost: the wedges of the edges, O(m^1.5), and then those of the removed edges, with a pass over the
edges left in each round.

Source: J. Cohen, "Trusses: cohesive subgraphs for social network analysis", NSA 2008;
T. Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss",
HPEC 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import INT64

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.triangles.triangle_count import sort_by_degree
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.properties import row_counts
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, minus, plus_pair = binary.plus[INT64], binary.minus[INT64], semiring.plus_pair[INT64]


@validation.explains_wrong_calls
def k_truss(G: Graph, k: int, *, progress: bool = False) -> Any:
    """Find the largest subgraph in which each edge is on at least k - 2 triangles.

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
        INT64 n x n and symmetric, with an entry for each edge of the truss: the number of
        triangles of the truss that the edge is on.

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
    validation.require_symmetric(G, "k_truss")
    k = min(validation.check_count(k, "k"), G.n + 1)  # an edge is on at most n - 2 triangles
    A = remove_self_loops(G)
    A, order = sort_by_degree(A, row_counts(A))
    L, support = A.select(select.tril, -1).new(), G.matrix(INT64)
    support(L.S) << 0
    for X, Y in ((L, L), (L, L.T), (L.T, L)):
        support(L.S, plus) << X.mxm(Y, plus_pair)
    with Progress(progress, "k_truss") as bar:
        while (D := support.select("<", k - 2).new()).nvals:
            L, R = support, support.select(">=", k - 2).new()
            set_storage_hint(R, form="sparse")  # as a mask of products, see masked_products.py
            support = R.dup()
            for X, Y in ((D, L), (R, D), (D, L.T), (R, D.T), (D.T, L), (R.T, D)):
                support(R.S, minus) << X.mxm(Y, plus_pair)
            bar.step()
    position = order.argsort()
    return support.ewise_add(support.T, plus).new()[position, position].new()
