"""Lists of neighbours in fewer bits: without leading zeros, for each range of vertices.

The neighbours of RANGE consecutive vertices are stored with one width, that of the largest of
them, contiguously in 32-bit words; each range starts a new word. So any neighbour can be read
directly. If the vertices are sorted by degree, most neighbours have small numbers.

Source: A. Kolganov, 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.transform.engine import operations, translate_out_of_memory
from graphla.transform.rows import Rows, neighbour_lists

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

RANGE = 64  # vertices


class Compressed(NamedTuple):
    """Lists of neighbours without leading zeros, and without weights.

    Neighbour ``indptr[i] + k`` of vertex i in range r = i // 64 begins at bit
    ``32 * starts[r] + (indptr[i] + k - indptr[64 * r]) * widths[r]`` of `words`, which
    has one extra word at its end.
    """

    n: int
    indptr: Any
    words: Any
    starts: Any
    widths: Any
    order: str
    kind: Kind
    engine: str

    @property
    def nbytes(self) -> int:
        """Bytes of `words`, `starts` and `widths`, without `indptr`."""
        return sum(int(x.nbytes) for x in (self.words, self.starts, self.widths))

    @translate_out_of_memory
    def decode(self) -> Rows:
        """Return the lists that were compressed."""
        ops = operations(self.engine)
        dtype = np.int32 if self.n < 2**31 else np.int64
        indices = ops.xp.empty(int(self.indptr[-1]), dtype)
        ops.unpack_columns(self.indptr, RANGE, self.starts, self.widths, self.words, indices)
        return Rows(self.n, self.indptr, indices, None, self.order, self.kind, self.engine)


@translate_out_of_memory
def compress(G: Graph | Rows) -> Compressed:
    """Drop the leading zeros of neighbours, for each range of 64 vertices.

    Parameters
    ----------
    G : Graph or Rows
        Rows keep their order.

    Returns
    -------
    Compressed
        On the engine of G; ``decode()`` returns the lists, and
        :func:`graphla.native.bfs_compressed` searches in the compressed form.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.kronecker(10, seed=1)
    >>> lists = gl.transform.compress(gl.transform.by_degree(G).graph)
    >>> lists.nbytes < G.csr.indices.nbytes / 3
    True
    >>> gl.native.bfs_compressed(lists, 0).level.isequal(
    ...     gl.bfs(gl.transform.by_degree(G).graph, 0).level
    ... )
    True
    """
    ops, rows = neighbour_lists(G)
    xp, indptr = ops.xp, rows.indptr
    largest = ops.largest_columns(indptr, rows.indices, RANGE)
    powers = xp.asarray(2 ** np.arange(1, 32, dtype=np.int64))
    widths = 1 + xp.searchsorted(powers, largest.astype(np.int64), side="right")
    ends = indptr[xp.minimum(xp.arange(widths.size + 1) * RANGE, rows.n)].astype(np.int64)
    starts = xp.zeros(widths.size + 1, np.int64)
    starts[1:] = (((ends[1:] - ends[:-1]) * widths + 31) // 32).cumsum()
    widths = widths.astype(np.uint8)
    words = xp.zeros(int(starts[-1]) + 1, np.uint32)
    ops.pack_columns(indptr, rows.indices, RANGE, starts, widths, words)
    return Compressed(rows.n, indptr, words, starts, widths, rows.order, rows.kind, rows.engine)
