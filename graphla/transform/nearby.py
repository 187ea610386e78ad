"""Neighbours in ten bits: a base for each vertex, and a byte and a block for each neighbour.

A neighbour among the 1024 vertices from the base of its vertex on, base + 256 block +
byte, takes one byte and two bits. The base is chosen so that most neighbours are. What
lies farther away is kept as it is, in lists of its own. Of use where connected vertices
have close numbers. Source: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.transform.engine import engine_for, module, refusing
from graphla.transform.rows import Rows

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

WIDTH = 1024  # vertices from the base on


class ByteIds(NamedTuple):
    """Neighbours of vertex i: k of indptr[i]..indptr[i + 1] - 1 is near, base + 256 block + byte.

    ``block = blocks[k // 4] >> 2 * (k % 4) & 3``; ``far[far_indptr[i]:far_indptr[i + 1]]``
    are the others.
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
        """Bytes of bases, bytes, blocks and far neighbours; not of where lists begin."""
        return sum(int(x.nbytes) for x in (self.base, self.bytes, self.blocks, self.far))

    @refusing
    def decode(self) -> Rows:
        """Return the lists as they were."""
        here = module(self.engine)
        xp = here.xp
        near_row, far_row = here.row_numbers(self.indptr), here.row_numbers(self.far_indptr)
        k, j = xp.arange(near_row.size), xp.arange(far_row.size)
        blocks = self.blocks[k // 4] >> (2 * (k % 4)).astype(np.uint8) & 3
        near = self.base[near_row] + self.bytes + 256 * blocks.astype(np.int32)
        below = self.far < self.base[far_row]
        sums = xp.zeros(j.size + 1, np.int64)
        sums[1:] = below.cumsum(dtype=np.int64)
        lower = sums[self.far_indptr[1:]] - sums[self.far_indptr[:-1]]
        lengths = self.indptr[1:] - self.indptr[:-1]

        indptr = self.indptr + self.far_indptr
        indices = xp.empty(k.size + j.size, self.far.dtype)
        indices[k + (self.far_indptr[:-1] + lower)[near_row]] = near
        indices[j + self.indptr[far_row] + xp.where(below, 0, lengths[far_row])] = self.far
        return Rows(self.n, indptr, indices, None, "column", self.kind, self.engine)


@refusing
def byte_ids(G: Graph) -> ByteIds:
    """Write the neighbours as a base, blocks and bytes.

    Returns
    -------
    ByteIds
        On the engine of G, without weights; ``decode()`` gives the lists back.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 0], [2, 5000, 5300])
    >>> form = gl.transform.byte_ids(G)
    >>> form.base[0].item(), form.bytes.tolist(), form.blocks.tolist(), form.far.tolist()
    (5000, [0, 44], [4], [2])
    """
    here = engine_for(G)
    xp = here.xp
    indptr, indices, _ = here.entries(G)
    base = here.windows(indptr, indices, WIDTH)
    away = indices - base[here.row_numbers(indptr)]
    near = (away >= 0) & (away < WIDTH)
    sums = xp.zeros(near.size + 1, indptr.dtype)
    sums[1:] = near.cumsum(dtype=np.int64)
    near_indptr = sums[indptr]
    away = away[near]
    fours = xp.zeros(-(-away.size // 4) * 4, np.uint8)
    fours[: away.size] = away >> 8
    a, b, c, d = (fours[k::4] << (2 * k) for k in range(4))
    return ByteIds(
        G.n, base, near_indptr, (away & 255).astype(np.uint8), a | b | c | d,
        indptr - near_indptr, indices[~near], G.kind, G.engine,
    )  # fmt: skip
