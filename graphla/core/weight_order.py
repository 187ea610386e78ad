"""Integers in the order of the weights: codes of weights, and ranks of undirected edges.

The code of an unsigned integer is itself. A signed integer has its sign bit flipped. The bit
pattern of a float ascends with its value if it is positive, and descends if it is negative: a
negative float has all bits flipped, a positive one its sign bit. -0.0 has the code of 0.0, as they
are equal.

Source: A. Kolganov, 2015 (ranks as preprocessing of Boruvka's algorithm).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import binary, select

from graphla.core import validation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphla.core.graph import Graph


def encode(values: Any, xp: Any) -> Any:
    """Return the codes of an array without NaN, in a new array."""
    unsigned = np.dtype(f"u{values.itemsize}")
    if values.dtype.kind in "ub":
        return values.astype(unsigned)
    sign = unsigned.type(1 << 8 * values.itemsize - 1)
    if values.dtype.kind == "i":
        return values.view(unsigned) ^ sign
    bits = (values + values.dtype.type(0)).view(unsigned)  # -0.0 + 0.0 is 0.0
    return xp.where(bits >= sign, ~bits, bits | sign)


def decode(codes: Any, dtype: Any, xp: Any) -> Any:
    """Return the values, in a dtype, that have these codes."""
    dtype = np.dtype(dtype)
    if dtype.kind in "ub":
        return codes.astype(dtype)
    sign = codes.dtype.type(1 << 8 * dtype.itemsize - 1)
    if dtype.kind == "i":
        return (codes ^ sign).view(dtype)
    return xp.where(codes >= sign, codes ^ sign, ~codes).view(dtype)


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
    validation.require_symmetric(G, "ranks")
    validation.refuse_nan(G, "ranks")
    upper = G.A.select(select.triu, 1).new()
    indptr, indices, weight = upper.to_csr(sort=True)
    order = _stable_order(weight) if G.engine == "cpu" else (weight + 0).argsort(kind="stable")
    dtype = np.int32 if indices.size <= np.iinfo(np.int32).max else np.int64
    rank = np.empty_like(indices, dtype)
    rank[order] = np.arange(indices.size, dtype=dtype, like=indices)
    upper = G.A.from_csr(indptr, indices, rank, ncols=G.n)
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
