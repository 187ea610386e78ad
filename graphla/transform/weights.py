"""Weights replaced by integers that keep their order: codes, ranks of weights, ranks of edges.

Algorithms that only compare weights get the same answers. Source: A. Kolganov, 2015.
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
from graphla.transform.engine import engine_for, graph, refusing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphla.core.graph import Graph


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
    validation.symmetric(G, "ranks")
    validation.no_nan(G, "ranks")
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
    """Return unsigned integers from 0 on in the order of the weights."""
    codes: NDArray[Any] = encode(weight, np)
    return codes - codes.min() if codes.size else codes


class WeightRanks(NamedTuple):
    """A graph whose weights are places in `weights`: the distinct ones, ascending."""

    graph: Graph
    weights: Any


@refusing
def weights_to_codes(G: Graph) -> Graph:
    """Replace weights by unsigned integers of the same width and order.

    Parameters
    ----------
    G : Graph
        An unweighted one has weights 1.

    Returns
    -------
    Graph
        Its weights are UINT8 to UINT64: an unsigned integer is its own code, 0 of a
        signed type is 2^(bits - 1), and floats follow their order, -0.0 being 0.0.

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
    here = engine_for(G)
    validation.no_nan(G, "weights_to_codes")
    indptr, indices, values = here.entries(G)
    values = here.xp.ones(indices.size, np.bool_) if values is None else values
    codes = encode(values, here.xp)
    return graph(CSR(indptr, indices, codes), G, lookup_dtype(codes.dtype))


@refusing
def codes_to_weights(G: Graph, dtype: Any) -> Graph:
    """Return the graph with weights of a dtype that :func:`weights_to_codes` was given.

    Raises
    ------
    DomainMismatch
        The weights of G are not unsigned integers as wide as those of the dtype.
    """
    here = engine_for(G)
    dtype = real_dtype(dtype)
    indptr, indices, codes = here.entries(G)
    if codes is None or codes.dtype != np.dtype(f"u{dtype.np_type.itemsize}"):
        raise DomainMismatch(f"weights of {G.dtype.name} are no codes of {dtype.name}")
    values = None if dtype == BOOL else decode(codes, dtype.np_type, here.xp)
    return graph(CSR(indptr, indices, values), G, dtype)


@refusing
def weights_to_ranks(G: Graph) -> WeightRanks:
    """Replace weights by their ranks among the distinct weights: 0, 1, ...

    Returns
    -------
    WeightRanks
        ``graph`` with weights of UINT32 (UINT64 beyond 2^32 distinct ones), and
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
    here = engine_for(G)
    validation.no_nan(G, "weights_to_ranks")
    xp = here.xp
    indptr, indices, values = here.entries(G)
    values = xp.ones(indices.size, np.bool_) if values is None else values
    of_each = encode(values, xp)
    codes = xp.unique(of_each)
    rank = xp.searchsorted(codes, of_each)
    narrow = np.uint32 if codes.size <= 1 << 32 else np.uint64
    H = graph(CSR(indptr, indices, rank.astype(narrow)), G, lookup_dtype(narrow))
    return WeightRanks(H, decode(codes, values.dtype, xp))


@refusing
def ranks_to_weights(G: Graph, weights: Any) -> Graph:
    """Return the graph with the weight of each rank: undo :func:`weights_to_ranks`.

    Raises
    ------
    DomainMismatch
        The weights of G are no ranks.
    DimensionMismatch
        `weights` is not one list.
    InvalidIndex
        There is a rank that `weights` has no weight for.
    """
    here = engine_for(G)
    indptr, indices, rank = here.entries(G)
    if rank is None or rank.dtype.kind != "u":
        raise DomainMismatch(f"weights of {G.dtype.name} are no ranks")
    weights = here.xp.asarray(weights)
    check_dtype(weights.dtype)
    if weights.ndim != 1:
        raise DimensionMismatch(f"weights have shape {weights.shape}; they are one list")
    if rank.size and (top := int(rank.max())) >= weights.size:
        raise InvalidIndex(f"rank {top} of {weights.size} weights")
    values = None if weights.dtype.kind == "b" else weights[rank]
    return graph(CSR(indptr, indices, values), G, lookup_dtype(weights.dtype))
