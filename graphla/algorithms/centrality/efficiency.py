"""Efficiency: the mean inverse distance of ordered pairs of vertices.

    global   sum_{u != v} 1 / d(u, v) / (n (n - 1))
    local    the mean, over the vertices v, of the efficiency of the subgraph of v's neighbours

The subgraphs are searched together. Row p of a batch belongs to an edge (v, u) and searches
from u in the set U of the unvisited neighbours of v:

    F<U, replace> = F any.pair A,     U = U without F

Cost: global: O(n m / 64) operations on words of 64 searches; local: the pairs of neighbours,
sum of d(v)^2.

Source: V. Latora, M. Marchiori, "Efficient behavior of small-world networks", Phys. Rev.
Lett. 87, 198701 (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.centrality.harmonic_centrality import harmonic_centrality
from graphla.algorithms.triangles.clustering_coefficient import count_neighbor_pairs
from graphla.core import validation
from graphla.core.masked_products import GUSTAVSON

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, truediv = binary.plus[FP64], binary.truediv[FP64]
any_pair = semiring.any_pair[BOOL]


@validation.explains_wrong_calls
def global_efficiency(G: Graph, *, progress: bool = False) -> float:
    """Find the mean inverse distance, in edges, of the ordered pairs of vertices.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Edges are followed along their direction. A pair without a
        path counts 0.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    float
        In [0, 1]; 0 if there is at most one vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], n=4, kind="undirected")
    >>> round(gl.global_efficiency(G), 4)
    0.7222
    """
    validation.check_graph(G)
    if G.n <= 1:
        return 0.0
    total = harmonic_centrality(G, progress=progress).reduce(monoid.plus).new().value
    return total / (G.n * (G.n - 1))


@validation.explains_wrong_calls
def local_efficiency(G: Graph, *, batch: int = 4096, progress: bool = False) -> float:
    """Find the mean, over the vertices, of the efficiency among the neighbours of each.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    batch : int
        Edges searched together, at least 1. A batch takes up to some 50 bytes per edge
        of the batch and neighbour.
    progress : bool
        Show a bar of the edges done.

    Returns
    -------
    float
        In [0, 1]; 0 if there are no vertices.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.
    InvalidValue
        `batch` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2], kind="undirected")
    >>> round(gl.local_efficiency(G), 4)
    0.5833
    """
    validation.require_symmetric(G, "local_efficiency")
    batch = validation.check_count(batch, "batch")
    A = remove_self_loops(G)
    weight = count_neighbor_pairs(A).select(">", 0).new(FP64)
    weight << weight.apply(truediv, left=1.0)
    v, u = A.to_coo(values=False)[:2]
    total = 0.0
    for part in iterate_batches(range(A.nvals), batch, "local_efficiency", progress):
        edges = slice(part.start, part.stop)
        sums = _sum_inverse_distances(G, A, v[edges], u[edges])
        weighted = sums.ewise_mult(weight[v[edges]].new(), binary.times).new()
        total += weighted.reduce().new().value or 0
    return total / G.n if G.n else 0.0


def _sum_inverse_distances(G: Graph, A: Any, v: Any, u: Any) -> Any:
    """Sum, for each edge (v, u), the inverse distances from u to the neighbours of v, over them."""
    size = len(v)
    F, sums, ones = G.matrix(BOOL, size), G.vector(FP64, size), make_full_vector(G, BOOL, True)
    F.build(range(size), u, [True] * size)
    U = A[v, :].new(BOOL)
    U(~F.S, replace=True) << U.dup()
    level = 0
    discover, step = F(U.S, replace=True, **GUSTAVSON), F.mxm(A, any_pair)
    count, remain = F.mxv(ones, semiring.plus_pair[INT64]), U(~F.S, replace=True)
    while True:
        discover << step
        if not F.nvals:
            return sums
        level += 1
        sums(plus) << count.new(FP64).apply(truediv, right=level)
        remain << U.dup()
