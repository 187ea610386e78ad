"""The edges on shortest paths from several sources, as one graph of disjoint copies.

    T = { (u, v): d(u) + w(u, v) = d(v) }

Copy s of the graph belongs to the s-th source: its vertices are s n, ..., s n + n - 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import BOOL

from graphla.algorithms.paths.tight_edges import find_tight_edges

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def find_tight_copies(G: Graph, D: Any, sources: list[int]) -> tuple[Any, Any]:
    """Return the sources as vertices of their copies, and T.

    Parameters
    ----------
    G : Graph
        With any weights.
    D : Matrix
        k x n: the distances from the sources (see find_distances_in_batches).
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
    identity = G.matrix(BOOL, k, k)
    identity.build(range(k), range(k), [True] * k)
    copies = identity.kronecker(G.A.dup(dtype), binary.second[dtype]).new()
    return starts, find_tight_edges(copies, d, d)
