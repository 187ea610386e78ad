"""All triangles: the common neighbours of the ends of each edge, below both.

    B = L(i, :) any.pair L(j, :)  by elements, (i, j) the edges of L = tril(A, -1)

Row p of B holds the third vertices k < j < i of the triangles on edge p, so each triangle is
found once. Edges are processed in batches. As in
:mod:`~graphla.algorithms.triangles.triangle_count`, vertices of skewed degrees are first
renumbered by falling degree.

Cost: O(m^1.5) and 3 vertices for each triangle, in batches of edges.

Source: T. Schank, D. Wagner, "Finding, counting and listing all triangles in large graphs",
WEA 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select
from graphblas.dtypes import BOOL

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.triangles.triangle_count import has_skewed_degrees, sort_by_degree
from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.core.results import Triangles

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BATCH = 2**22  # neighbours of the ends of a batch of edges

pair = binary.pair[BOOL]


@validation.explains_wrong_calls
def triangle_list(G: Graph) -> Triangles:
    """List the triangles of an undirected graph.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.

    Returns
    -------
    Triangles
        `u`, `v`, `w`: Vectors of dtype ``G.index_dtype`` with the three vertices of each
        triangle. Each triangle is listed once; the order of triangles, and of the vertices
        of one, is not specified.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> [int(x[0].new().value) for x in gl.triangle_list(G)]
    [2, 1, 0]
    """
    validation.require_symmetric(G, "triangle_list")
    A = remove_self_loops(G)
    degree, order = row_counts(A), None
    if has_skewed_degrees(A, G.max_out_degree):
        A, order = sort_by_degree(A, degree)
    L = A.select(select.tril, -1).new()
    batches = list(_find_in_batches(L)) if L.nvals else []
    total = sum(k.size for *_, k in batches)
    result = Triangles(*(G.vector(G.index_dtype, total) for _ in range(3)))
    first = 0
    for corners in batches:
        last = first + corners[0].size
        for vector, corner in zip(result, corners, strict=True):
            vector[first:last] = corner if order is None else order[corner]
        first = last
    return result


def _find_in_batches(L: Any) -> Any:
    """Yield the corners of triangles as three arrays."""
    i, j = L.to_coo(values=False)[:2]
    degree = row_counts(L).to_coo(indices=False)[1]
    batch_of_edge = (degree[i] + degree[j]).cumsum() // BATCH
    ends = ((batch_of_edge[1:] != batch_of_edge[:-1]).nonzero()[0] + 1).tolist()
    for batch in map(slice, [0, *ends], [*ends, len(i)]):
        i_batch, j_batch = i[batch], j[batch]
        B = L[i_batch, :].new().ewise_mult(L[j_batch, :].new(), pair).new()
        edge, k = B.to_coo(values=False)[:2]
        if k.size:
            yield i_batch[edge], j_batch[edge], k
