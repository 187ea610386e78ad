"""The edges on shortest paths from several sources, as one graph of disjoint copies.

    T = { (u, v): d(u) + w(u, v) = d(v) }

Vertex s n + v of the k n ones is v for the s-th source. Products with diagonal matrices add
d to rows and compare columns with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import BOOL

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def tight_copies(G: Graph, D: Any, sources: list[int]) -> tuple[Any, Any]:
    """Return the sources in their copies, and T.

    Parameters
    ----------
    G : Graph
        Any.
    D : Matrix
        k x n: the distances from the sources (see many_distances).
    sources : list of int
        The k sources.

    Returns
    -------
    starts : Vector
        Boolean of length k n, whose entries are the sources.
    T : Matrix
        Boolean k n x k n.
    """
    k, dtype = D.nrows, D.dtype
    rows, columns, values = D.to_coo()
    d, starts = G.vector(dtype, k * G.n), G.vector(BOOL, k * G.n)
    d.build(rows * G.n + columns, values)
    starts.build([s * G.n + v for s, v in enumerate(sources)], [True] * k)
    one = G.matrix(BOOL, k, k)
    one.build(range(k), range(k), [True] * k)
    copies = one.kronecker(G.A.dup(dtype), binary.second[dtype]).new()
    ends = d.diag().mxm(copies, semiring.min_plus[dtype]).new()
    T = ends.mxm(d.diag(), semiring.any_eq[dtype]).new()
    T << T.select(select.valueeq[BOOL], True)
    return starts, T
