"""Edges in blocks that touch little memory: one segment of vertices at each end.

A sweep over all edges that reads and writes a value for each end finds both segments in
cache. Source: A. Kolganov, 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas import binary
from graphblas.dtypes import BOOL

from graphla.core import validation
from graphla.core.engines import objects
from graphla.transform.engine import engine_for, refusing

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

SEGMENT = 1 << 17  # vertices


class BlockedEdges(NamedTuple):
    """Edge columns, of an undirected graph each edge once (src <= dst).

    With s segments of `size` vertices, block b = (dst // size) * s + src // size is
    ``src[starts[b]:starts[b + 1]]``, and so on, in it sorted by (src, dst). `weight` is
    None without weights.
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

    @refusing
    def decode(self) -> Graph:
        """Return the graph."""
        from graphla.core.graph import Graph

        value = True if self.weight is None else self.weight
        A = objects(self.engine).Matrix.from_coo(
            self.src, self.dst, value, self.dtype, nrows=self.n, ncols=self.n
        )
        if self.kind == "undirected":
            A = binary.any(A | A.T.new()).new()
        made = Graph.__new__(Graph)
        made.__setstate__((A, self.kind))
        return made


@refusing
def block_edges(G: Graph, size: int = SEGMENT) -> BlockedEdges:
    """Sort the edges into blocks by (segment of dst, segment of src).

    Parameters
    ----------
    G : Graph
    size : int, default 2^17
        Vertices in a segment: two segments of values should fit in cache.

    Returns
    -------
    BlockedEdges
        On the engine of G; ``decode()`` gives the graph back.

    Raises
    ------
    InvalidValue
        `size` is not at least 1, or there would be more than 2^31 blocks.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 2, 3], [1, 3, 1, 0])
    >>> form = gl.transform.block_edges(G, size=2)
    >>> form.src.tolist(), form.dst.tolist(), form.starts.tolist()
    ([0, 2, 3, 0], [1, 1, 0, 3], [0, 1, 3, 4, 4])
    """
    here = engine_for(G)
    size = validation.count(size, "size")
    width = min(size, max(G.n, 1))  # which fits the type of a vertex
    segments = -(-G.n // width)
    if segments**2 > 1 << 31:
        raise validation.InvalidValue(f"size={size} makes {segments} segments of n={G.n} vertices")
    xp = here.xp
    indptr, dst, weight = here.entries(G)
    src = here.row_numbers(indptr)
    if G.kind == "undirected":
        once = xp.flatnonzero(src <= dst)
        src, dst = src[once], dst[once]
        weight = None if weight is None else weight[once]
    block = dst // width * segments + src // width
    block = block.astype(np.min_scalar_type(max(segments**2 - 1, 0)))  # few bits sort fast
    order = block.argsort(kind="stable")
    starts = xp.searchsorted(block[order], xp.arange(segments**2 + 1, dtype=np.int64))
    columns = src[order], dst[order], None if weight is None else weight[order]
    dtype = BOOL if weight is None else G.dtype
    return BlockedEdges(G.n, size, starts, *columns, dtype, G.kind, G.engine)
