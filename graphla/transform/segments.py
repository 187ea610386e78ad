"""Edges in blocks: the sources of a block are in one segment of vertices, and so are its targets.

A pass over all edges that reads and writes a value at each end works on two segments of values at
a time, which fit in cache.

Source: A. Kolganov, 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas import binary
from graphblas.dtypes import BOOL

from graphla.core import validation
from graphla.core.engines import objects
from graphla.errors import InvalidValue
from graphla.transform.engine import (
    graph_from_matrix,
    operations_for,
    translate_out_of_memory,
)

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

SEGMENT = 1 << 17  # vertices


class BlockedEdges(NamedTuple):
    """Edge columns; an undirected edge is stored once (src <= dst).

    With s segments of `size` vertices, block b = (dst // size) * s + src // size has the sources
    ``src[starts[b]:starts[b + 1]]`` (likewise `dst`, `weight`), sorted by (src, dst). `weight` is
    None if unweighted.
    """

    n: int
    size: int
    starts: Any
    src: Any
    dst: Any
    weight: Any
    dtype: Any
    kind: Kind
    engine: str

    @translate_out_of_memory
    def decode(self) -> Graph:
        """Return the graph."""
        value = True if self.weight is None else self.weight
        A = objects(self.engine).Matrix.from_coo(
            self.src, self.dst, value, self.dtype, nrows=self.n, ncols=self.n
        )
        if self.kind == "undirected":
            A = binary.any(A | A.T.new()).new()
        return graph_from_matrix(A, self.kind)


@translate_out_of_memory
def block_edges(G: Graph, size: int = SEGMENT) -> BlockedEdges:
    """Sort the edges into blocks by (segment of dst, segment of src).

    Parameters
    ----------
    G : Graph
    size : int, default 2^17
        Vertices in a segment; two segments of values should fit in cache.

    Returns
    -------
    BlockedEdges
        On the engine of G; ``decode()`` returns the graph.

    Raises
    ------
    InvalidValue
        `size` is less than 1, or there would be more than 2^31 blocks.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 2, 3], [1, 3, 1, 0])
    >>> form = gl.transform.block_edges(G, size=2)
    >>> form.src.tolist(), form.dst.tolist(), form.starts.tolist()
    ([0, 2, 3, 0], [1, 1, 0, 3], [0, 1, 3, 4, 4])
    """
    ops = operations_for(G)
    size = validation.check_count(size, "size")
    width = min(size, max(G.n, 1))  # fits in the dtype of the vertices
    segments = -(-G.n // width)
    if segments**2 > 1 << 31:
        raise InvalidValue(f"size={size} makes {segments} segments of n={G.n} vertices")
    xp = ops.xp
    indptr, dst, weight = ops.csr_arrays(G)
    src = ops.row_numbers(indptr)
    if G.kind == "undirected":
        upper = xp.flatnonzero(src <= dst)
        src, dst = src[upper], dst[upper]
        weight = None if weight is None else weight[upper]
    block = dst // width * segments + src // width
    block = block.astype(np.min_scalar_type(max(segments**2 - 1, 0)))  # a narrow dtype sorts faster
    order = block.argsort(kind="stable")
    starts = xp.searchsorted(block[order], xp.arange(segments**2 + 1, dtype=np.int64))
    columns = src[order], dst[order], None if weight is None else weight[order]
    dtype = BOOL if weight is None else G.dtype
    return BlockedEdges(G.n, size, starts, *columns, dtype, G.kind, G.engine)
