"""Replace weights by integers of the same order: codes, ranks of weights, ranks of edges.

An algorithm that only compares weights returns the same result.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas import binary, select
from graphblas.dtypes import BOOL, lookup_dtype

from graphla.core import validation
from graphla.core.input_arrays import check_dtype, real_dtype
from graphla.core.properties import CSR
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex
from graphla.transform.codes import decode, encode
from graphla.transform.engine import (
    graph_from_rows,
    operations_for,
    translate_out_of_memory,
)

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


class WeightRanks(NamedTuple):
    """A graph whose weights are indices into `weights`: the distinct weights, ascending."""

    graph: Graph
    weights: Any


@translate_out_of_memory
def weights_to_codes(G: Graph) -> Graph:
    """Replace weights by unsigned integers of the same width and order.

    Parameters
    ----------
    G : Graph
        The weights of an unweighted graph are 1.

    Returns
    -------
    Graph
        With weights of UINT8 to UINT64. An unsigned integer is its own code, a signed 0 has the
        code 2^(bits - 1), codes of floats are in their order, and -0.0 has the code of 0.0.

    Raises
    ------
    InvalidValue
        A weight is NaN.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], [-1.5, 2.0])
    >>> H = gl.transform.weights_to_codes(G)
    >>> H.dtype.name, H.min_weight < H.max_weight
    ('UINT64', True)
    >>> gl.transform.codes_to_weights(H, "FP64").A.isequal(G.A)
    True
    """
    ops = operations_for(G)
    validation.no_nan(G, "weights_to_codes")
    indptr, indices, values = ops.csr_arrays(G)
    values = ops.xp.ones(indices.size, np.bool_) if values is None else values
    codes = encode(values, ops.xp)
    return graph_from_rows(CSR(indptr, indices, codes), G, lookup_dtype(codes.dtype))


@translate_out_of_memory
def codes_to_weights(G: Graph, dtype: Any) -> Graph:
    """Return the graph with the weights, of a dtype, that have these codes.

    It undoes :func:`weights_to_codes`.

    Raises
    ------
    DomainMismatch
        The weights of G are not unsigned integers of the width of the dtype.
    """
    ops = operations_for(G)
    dtype = real_dtype(dtype)
    indptr, indices, codes = ops.csr_arrays(G)
    if codes is None or codes.dtype != np.dtype(f"u{dtype.np_type.itemsize}"):
        raise DomainMismatch(f"weights of {G.dtype.name} are not codes of {dtype.name}")
    values = None if dtype == BOOL else decode(codes, dtype.np_type, ops.xp)
    return graph_from_rows(CSR(indptr, indices, values), G, dtype)


@translate_out_of_memory
def weights_to_ranks(G: Graph) -> WeightRanks:
    """Replace weights by their ranks among the distinct weights: 0, 1, ...

    Returns
    -------
    WeightRanks
        ``graph`` with weights of UINT32 (UINT64 for more than 2^32 distinct weights), and
        ``weights``, an array of the engine: the weight of each rank.

    Raises
    ------
    InvalidValue
        A weight is NaN.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 0], [0.5, -2.0, 0.5])
    >>> H, weights = gl.transform.weights_to_ranks(G)
    >>> H.A.to_coo()[2].tolist(), weights.tolist()
    ([1, 0, 1], [-2.0, 0.5])
    >>> gl.transform.ranks_to_weights(H, weights).A.isequal(G.A)
    True
    """
    ops = operations_for(G)
    validation.no_nan(G, "weights_to_ranks")
    xp = ops.xp
    indptr, indices, values = ops.csr_arrays(G)
    values = xp.ones(indices.size, np.bool_) if values is None else values
    codes = encode(values, xp)
    distinct = xp.unique(codes)
    rank = xp.searchsorted(distinct, codes)
    dtype = np.uint32 if distinct.size <= 1 << 32 else np.uint64
    H = graph_from_rows(CSR(indptr, indices, rank.astype(dtype)), G, lookup_dtype(dtype))
    return WeightRanks(H, decode(distinct, values.dtype, xp))


@translate_out_of_memory
def ranks_to_weights(G: Graph, weights: Any) -> Graph:
    """Return the graph with the weight of each rank: undo :func:`weights_to_ranks`.

    Raises
    ------
    DomainMismatch
        The weights of G are not unsigned integers.
    DimensionMismatch
        `weights` is not one-dimensional.
    InvalidIndex
        A rank is not an index into `weights`.
    """
    ops = operations_for(G)
    indptr, indices, rank = ops.csr_arrays(G)
    if rank is None or rank.dtype.kind != "u":
        raise DomainMismatch(f"weights of {G.dtype.name} are not ranks (unsigned integers)")
    weights = ops.xp.asarray(weights)
    check_dtype(weights.dtype)
    if weights.ndim != 1:
        raise DimensionMismatch(f"weights have shape {weights.shape}; expected one dimension")
    if rank.size and (largest := int(rank.max())) >= weights.size:
        raise InvalidIndex(f"rank {largest} is out of range of {weights.size} weights")
    values = None if weights.dtype.kind == "b" else weights[rank]
    return graph_from_rows(CSR(indptr, indices, values), G, lookup_dtype(weights.dtype))
