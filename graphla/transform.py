"""Other forms of a graph that make algorithms simpler: weights replaced by ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import binary, select

from graphla import checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphla.graph import Graph


def ranks(G: Graph) -> Any:
    """Rank the undirected edges 0, 1, ... by (weight, edge).

    Algorithms that only compare weights may use ranks instead: they are distinct
    integers, so that a comparison never ends in a tie and a rank names its edge.

    Parameters
    ----------
    G : Graph
        Symmetric. An unweighted graph has its edges ranked in their own order.

    Returns
    -------
    Matrix
        n x n and symmetric; entries (i, j) and (j, i) hold the rank of the edge
        {i, j}. Edges of equal weight are ranked in the order of (i, j), i < j.
        INT32, or INT64 from 2^31 edges on. Self-loops have no rank and no entry.

    Raises
    ------
    SymmetricStructureRequired
        The matrix is not symmetric.
    InvalidValue
        A weight is NaN.

    Notes
    -----
    ``G.ranks`` computes this once and keeps it. Source: A. Kolganov's
    preprocessing for Boruvka's algorithm on a GPU, 2015.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [9, 5, 9], kind="undirected")
    >>> G.ranks.to_dense(fill_value=-1).tolist()
    [[-1, 1, 2], [1, -1, 0], [2, 0, -1]]
    """
    checks.symmetric(G, "ranks")
    checks.no_nan(G, "ranks")
    upper = G.A.select(select.triu, 1).new()
    indptr, indices, weight = upper.to_csr(sort=True)
    order = _order(weight) if G.engine == "cpu" else (weight + 0).argsort(kind="stable")
    narrow = np.int32 if indices.size <= np.iinfo(np.int32).max else np.int64
    rank = np.empty_like(indices, narrow)
    rank[order] = np.arange(indices.size, dtype=narrow, like=indices)
    upper = type(G.A).from_csr(indptr, indices, rank, ncols=G.n)
    both = binary.any(upper | upper.T.new()).new()
    both.wait()
    return both


def _order(weight: NDArray[Any]) -> NDArray[Any]:
    """Return the stable argsort, by a radix sort over digits of 16 bits."""
    key = _keys(weight)
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, 8 * key.itemsize, 16):
        digit = (key >> shift).astype(np.uint16)
        if digit.any():  # never where the weights lie in a narrow range
            order = order[np.argsort(digit[order], kind="stable")]
    return order


def _keys(weight: NDArray[Any]) -> NDArray[Any]:
    """Return unsigned integers in the order of the weights."""
    unsigned = np.dtype(f"u{weight.itemsize}")
    if weight.dtype.kind != "f" and weight.size:
        bits = weight.view(unsigned)
        return bits - bits[weight.argmin()]  # modulo 2^bits, so negative weights come out right
    bits = (weight + 0).view(unsigned)  # -0.0 + 0 is 0.0
    sign = unsigned.type(1 << 8 * weight.itemsize - 1)
    return np.where(bits & sign, ~bits, bits | sign)
