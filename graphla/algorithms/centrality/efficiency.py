"""Efficiency: the mean inverse distance of ordered pairs of vertices.

    global   sum_{u != v} 1 / d(u, v) / (n (n - 1))
    local    the mean over v of that of the subgraph of v's neighbours

The subgraphs are searched together. Row p of a batch belongs to an edge (v, u) and searches
from u among what is left of v's neighbours:

    F<U, replace> = F any.pair A,     U = U less F

Source: V. Latora, M. Marchiori, "Efficient behavior of small-world networks", Phys. Rev.
Lett. 87, 198701 (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.centrality.harmonic_centrality import harmonic_centrality
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.masked_products import GUSTAVSON
from graphla.core.properties import row_counts

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, truediv = binary.plus[FP64], binary.truediv[FP64]
any_pair = semiring.any_pair[BOOL]


def global_efficiency(G: Graph, *, progress: bool = False) -> float:
    """Find the mean inverse distance, in edges, of the ordered pairs of vertices.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Edges are followed along their direction. A pair that
        no path joins counts 0.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    float
        In [0, 1]; 0 where there is one vertex at most.

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


def local_efficiency(G: Graph, *, batch: int = 4096, progress: bool = False) -> float:
    """Find the mean, over the vertices, of the efficiency among the neighbours of each.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    batch : int
        Edges whose ends are searched from together, at least 1. A batch takes up
        to some 50 bytes per edge of it and neighbour.
    progress : bool
        Show a bar of the edges done.

    Returns
    -------
    float
        In [0, 1]; 0 where there are no vertices.

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
    degree = row_counts(A)
    pairs = degree.ewise_mult(degree.apply(binary.minus, right=1).new(), binary.times).new()
    share = pairs.select(">", 0).new(FP64)
    share << share.apply(truediv, left=1.0)
    v, u = A.to_coo(values=False)[:2]
    total = 0.0
    with Progress(progress, "local_efficiency", A.nvals) as bar:
        for first in range(0, A.nvals, batch):
            some = slice(first, min(first + batch, A.nvals))
            sums = _inverse_distances(G, A, v[some], u[some])
            total += (
                sums.ewise_mult(share[v[some]].new(), binary.times).new().reduce().new().value or 0
            )
            bar.step(some.stop - first)
    return total / G.n if G.n else 0.0


def _inverse_distances(G: Graph, A: Any, v: Any, u: Any) -> Any:
    """Sum, for each pair, the inverse distances from u to what it reaches among v's neighbours."""
    size = len(v)
    F, sums, one = G.matrix(BOOL, size), G.vector(FP64, size), G.vector(BOOL)
    one << True
    F.build(range(size), u, [True] * size)
    left = A[v, :].new(BOOL)
    left(~F.S, replace=True) << left.dup()
    level = 0
    discover, step = F(left.S, replace=True, **GUSTAVSON), F.mxm(A, any_pair)
    count, remain = F.mxv(one, semiring.plus_pair[INT64]), left(~F.S, replace=True)
    while True:
        discover << step
        if not F.nvals:
            return sums
        level += 1
        sums(plus) << count.new(FP64).apply(truediv, right=level)
        remain << left.dup()
