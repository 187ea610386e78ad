"""Replace weights by integers of the same order: codes, ranks of weights, ranks of edges.

An algorithm that only compares weights returns the same result.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas.dtypes import BOOL, lookup_dtype

from graphla.core import validation
from graphla.core.properties import CSR
from graphla.core.weight_order import decode, encode
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidIndex
from graphla.transform.engine import (
    graph_from_rows,
    operations_for,
    translate_out_of_memory,
)

if TYPE_CHECKING:
    from graphla.core.graph import Graph


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
    validation.refuse_nan(G, "weights_to_codes")
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
    dtype = validation.real_dtype(dtype)
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
    validation.refuse_nan(G, "weights_to_ranks")
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
    validation.check_dtype(weights.dtype)
    if weights.ndim != 1:
        raise DimensionMismatch(f"weights have shape {weights.shape}; expected one dimension")
    if rank.size and (largest := int(rank.max())) >= weights.size:
        raise InvalidIndex(f"rank {largest} is out of range of {weights.size} weights")
    values = None if weights.dtype.kind == "b" else weights[rank]
    return graph_from_rows(CSR(indptr, indices, values), G, lookup_dtype(weights.dtype))
