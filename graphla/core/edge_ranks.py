"""Rank the undirected edges of a graph by weight.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import binary, select

from graphla.core import validation
from graphla.core.weight_codes import encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphla.core.graph import Graph


def ranks(G: Graph) -> Any:
    """Rank the undirected edges 0, 1, ... by (weight, edge).

    Algorithms that only compare weights can use ranks instead: they are distinct
    integers, so there are no ties, and a rank identifies its edge.

    Parameters
    ----------
    G : Graph
        Symmetric. The edges of an unweighted graph are ranked in the order of (i, j).

    Returns
    -------
    Matrix
        n x n and symmetric; entries (i, j) and (j, i) hold the rank of the edge
        {i, j}. Edges of equal weight are ranked in the order of (i, j), i < j.
        The dtype is INT32, or INT64 from 2^31 edges on. Self-loops have no entry.

    Raises
    ------
    SymmetricStructureRequired
        The matrix is not symmetric.
    InvalidValue
        A weight is NaN.

    Notes
    -----
    ``G.ranks`` computes this once and caches it. Source: A. Kolganov's
    preprocessing for Boruvka's algorithm on a GPU, 2015.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [9, 5, 9], kind="undirected")
    >>> G.ranks.to_dense(fill_value=-1).tolist()
    [[-1, 1, 2], [1, -1, 0], [2, 0, -1]]
    """
    validation.symmetric(G, "ranks")
    validation.no_nan(G, "ranks")
    upper = G.A.select(select.triu, 1).new()
    indptr, indices, weight = upper.to_csr(sort=True)
    order = _stable_order(weight) if G.engine == "cpu" else (weight + 0).argsort(kind="stable")
    dtype = np.int32 if indices.size <= np.iinfo(np.int32).max else np.int64
    rank = np.empty_like(indices, dtype)
    rank[order] = np.arange(indices.size, dtype=dtype, like=indices)
    upper = type(G.A).from_csr(indptr, indices, rank, ncols=G.n)
    both = binary.any(upper | upper.T.new()).new()
    both.wait()
    return both


def _stable_order(weight: NDArray[Any]) -> NDArray[Any]:
    """Return the stable argsort, by a radix sort over digits of 16 bits."""
    key: NDArray[Any] = encode(weight, np)
    key = key - key.min() if key.size else key
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, 8 * key.itemsize, 16):
        digit = (key >> shift).astype(np.uint16)
        if digit.any():  # skipped for weights in a narrow range
            order = order[np.argsort(digit[order], kind="stable")]
    return order
