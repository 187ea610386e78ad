"""Neighbours in ten bits: a base for each vertex, and a byte and a block for each neighbour.

A neighbour in base..base + 1023 is written as base + 256 block + byte, which takes one byte and
two bits. The base of a vertex is chosen to cover most of its neighbours. The other neighbours are
stored in full, in separate lists. This form is small if adjacent vertices have close numbers.

Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.transform.engine import operations, operations_for, translate_out_of_memory
from graphla.transform.rows import Rows

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

WIDTH = 1024  # numbers that a base covers


class ByteIds(NamedTuple):
    """Neighbours of vertex i: ``base[i] + 256 * block + bytes[k]``, indptr[i] <= k < indptr[i + 1].

    ``block = blocks[k // 4] >> 2 * (k % 4) & 3``; ``far[far_indptr[i]:far_indptr[i + 1]]``
    are the other neighbours.
    """

    n: int
    base: Any
    indptr: Any
    bytes: Any
    blocks: Any
    far_indptr: Any
    far: Any
    kind: Kind
    engine: str

    @property
    def nbytes(self) -> int:
        """Bytes of `base`, `bytes`, `blocks` and `far`, without the offsets of the lists."""
        return sum(int(x.nbytes) for x in (self.base, self.bytes, self.blocks, self.far))

    @translate_out_of_memory
    def decode(self) -> Rows:
        """Return the lists in full."""
        ops = operations(self.engine)
        xp = ops.xp
        near_row, far_row = ops.row_numbers(self.indptr), ops.row_numbers(self.far_indptr)
        k, j = xp.arange(near_row.size), xp.arange(far_row.size)
        blocks = self.blocks[k // 4] >> (2 * (k % 4)).astype(np.uint8) & 3
        near = self.base[near_row] + self.bytes + 256 * blocks.astype(np.int32)
        # in each list: far neighbours below the base, near neighbours, far neighbours above
        is_below = self.far < self.base[far_row]
        sums = xp.zeros(j.size + 1, np.int64)
        sums[1:] = is_below.cumsum(dtype=np.int64)
        num_below = sums[self.far_indptr[1:]] - sums[self.far_indptr[:-1]]
        num_near = self.indptr[1:] - self.indptr[:-1]

        indptr = self.indptr + self.far_indptr
        indices = xp.empty(k.size + j.size, self.far.dtype)
        indices[k + (self.far_indptr[:-1] + num_below)[near_row]] = near
        indices[j + self.indptr[far_row] + xp.where(is_below, 0, num_near[far_row])] = self.far
        return Rows(self.n, indptr, indices, None, "column", self.kind, self.engine)


@translate_out_of_memory
def byte_ids(G: Graph) -> ByteIds:
    """Write the neighbours of each vertex as a base, blocks and bytes.

    Returns
    -------
    ByteIds
        On the engine of G, without weights; ``decode()`` returns the lists.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 0], [2, 5000, 5300])
    >>> form = gl.transform.byte_ids(G)
    >>> form.base[0].item(), form.bytes.tolist(), form.blocks.tolist(), form.far.tolist()
    (5000, [0, 44], [4], [2])
    """
    ops = operations_for(G)
    xp = ops.xp
    indptr, indices, _ = ops.csr_arrays(G)
    base = ops.densest_windows(indptr, indices, WIDTH)
    offset = indices - base[ops.row_numbers(indptr)]
    is_near = (offset >= 0) & (offset < WIDTH)
    sums = xp.zeros(is_near.size + 1, indptr.dtype)
    sums[1:] = is_near.cumsum(dtype=np.int64)
    near_indptr = sums[indptr]
    offset = offset[is_near]
    blocks = xp.zeros(-(-offset.size // 4) * 4, np.uint8)
    blocks[: offset.size] = offset >> 8
    a, b, c, d = (blocks[k::4] << (2 * k) for k in range(4))  # four blocks in a byte
    return ByteIds(
        G.n, base, near_indptr, (offset & 255).astype(np.uint8), a | b | c | d,
        indptr - near_indptr, indices[~is_near], G.kind, G.engine,
    )  # fmt: skip
