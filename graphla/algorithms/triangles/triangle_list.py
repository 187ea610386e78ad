"""All triangles: the common smaller neighbours of the ends of each edge.

    B = L(i, :) any.pair L(j, :)  by elements, (i, j) the edges of L = tril(A, -1)

Row p of B holds the third vertices k < j < i of the triangles on edge p, so each is found
once. Edges come in batches. As in :mod:`~graphla.algorithms.triangles.triangle_count`, vertices of
skewed degrees are renumbered by falling degree first.

Source: T. Schank, D. Wagner, "Finding, counting and listing all triangles in large graphs",
WEA 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select
from graphblas.dtypes import BOOL

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.triangles.triangle_count import SKEWED
from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.core.results import Triangles

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BATCH = 2**22  # neighbours of the ends of edges that are held at a time

pair = binary.pair[BOOL]


def triangle_list(G: Graph) -> Triangles:
    """List the triangles of an undirected graph.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.

    Returns
    -------
    Triangles
        `u`, `v`, `w`, Vectors of dtype ``G.index_dtype`` with an entry for each triangle:
        its vertices.
        Each triangle is there once; the order of triangles, and of the vertices of
        one, is not specified.

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
    if G.max_out_degree * G.n > SKEWED * A.nvals:
        order = (-degree.to_coo(indices=False)[1]).argsort()
        A = A[order, order].new()
    L = A.select(select.tril, -1).new()
    found = list(_batches(L)) if L.nvals else []
    total = sum(k.size for *_, k in found)
    result = Triangles(*(G.vector(G.index_dtype, total) for _ in range(3)))
    first = 0
    for columns in found:
        last = first + columns[0].size
        for vector, column in zip(result, columns, strict=True):
            vector[first:last] = column if order is None else order[column]
        first = last
    return result


def _batches(L: Any) -> Any:
    """Yield the corners of triangles as three columns."""
    i, j = L.to_coo(values=False)[:2]
    degree = row_counts(L).to_coo(indices=False)[1]
    lots = (degree[i] + degree[j]).cumsum() // BATCH
    ends = ((lots[1:] != lots[:-1]).nonzero()[0] + 1).tolist()
    for batch in map(slice, [0, *ends], [*ends, len(i)]):
        i_, j_ = i[batch], j[batch]
        both = L[i_, :].new().ewise_mult(L[j_, :].new(), pair).new()
        edge, k = both.to_coo(values=False)[:2]
        if k.size:
            yield i_[edge], j_[edge], k
