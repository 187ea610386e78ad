"""Interleaved neighbours: a warp that processes 32 vertices reads consecutive words.

For each group of 32 consecutive vertices, their first neighbours are stored together, then their
second ones, and so on, padded with -1. In a graph sorted by degree, the vertices of a group have
similar degrees: the padding takes at most 32 times the largest degree in total.

Source: A. Kolganov, 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core import validation
from graphla.transform.engine import operations, translate_out_of_memory
from graphla.transform.rows import Rows, neighbour_lists

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph

WARP = 32


class Interleaved(NamedTuple):
    """Neighbour k of vertex i < first is ``ids[starts[i // 32] + 32 * k + i % 32]``.

    The neighbours of vertex i >= first are ``indices[indptr[i - first]:indptr[i - first + 1]]``.
    """

    n: int
    first: int
    starts: Any
    ids: Any
    indptr: Any
    indices: Any
    order: str
    kind: Kind
    engine: str

    @translate_out_of_memory
    def decode(self) -> Rows:
        """Return the lists that were interleaved."""
        xp = operations(self.engine).xp
        slot = xp.flatnonzero(self.ids >= 0)
        group = xp.searchsorted(self.starts, slot, side="right") - 1
        row = group * WARP + slot % WARP
        place = (slot - self.starts[group]) // WARP  # in the list of the row
        lengths = xp.zeros(self.n, np.int64)
        ends = xp.searchsorted(xp.sort(row), xp.arange(self.first + 1))
        lengths[: self.first] = ends[1:] - ends[:-1]
        lengths[self.first :] = self.indptr[1:] - self.indptr[:-1]
        indptr = xp.zeros(self.n + 1, self.indptr.dtype)
        indptr[1:] = lengths.cumsum()
        indices = xp.empty(int(indptr[-1]), self.indices.dtype)
        indices[indptr[row] + place] = self.ids[slot]
        indices[int(indptr[self.first]) :] = self.indices
        return Rows(self.n, indptr, indices, None, self.order, self.kind, self.engine)


@translate_out_of_memory
def interleave(G: Graph | Rows, share: float = 0.4) -> Interleaved:
    """Interleave the neighbours of the first vertices, by groups of 32.

    Parameters
    ----------
    G : Graph or Rows
        Sort it by degree first (:func:`by_degree`), or the padding takes much memory.
    share : float, default 0.4
        The share of the vertices to interleave, from 0 to 1, rounded up to a group.

    Returns
    -------
    Interleaved
        On the engine of G, without weights; ``decode()`` returns the lists.

    Raises
    ------
    InvalidValue
        `share` is not in [0, 1].

    Examples
    --------
    >>> import graphla as gl
    >>> form = gl.transform.interleave(gl.generate.star(3), share=1)
    >>> form.ids.reshape(-1, 32)[:, :4].tolist()
    [[1, 0, 0, -1], [2, -1, -1, -1]]
    """
    ops, rows = neighbour_lists(G)
    validation.check_between(share, 0, 1, "share")
    xp, n, indptr = ops.xp, rows.n, rows.indptr
    first = min(n, -int(-share * n // WARP) * WARP)
    groups = -(-first // WARP)
    lengths = xp.zeros(groups * WARP, np.int64)
    lengths[:first] = indptr[1 : first + 1] - indptr[:first]
    starts = xp.zeros(groups + 1, np.int64)
    if groups:
        starts[1:] = (lengths.reshape(-1, WARP).max(axis=1) * WARP).cumsum()
    ids = xp.full(int(starts[-1]), -1, np.result_type(rows.indices.dtype, np.int8))  # signed
    row = ops.row_numbers(indptr[: first + 1])
    place = xp.arange(row.size) - indptr[row]
    ids[starts[row // WARP] + place * WARP + row % WARP] = rows.indices[: row.size]
    rest = indptr[first:] - indptr[first]
    return Interleaved(
        n, first, starts, ids, rest, rows.indices[row.size :].copy(), rows.order, rows.kind,
        rows.engine,
    )  # fmt: skip
