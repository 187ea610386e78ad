"""The order in which ranks gather the values of a full vector for products with one matrix.

Products of devices read values in the order of a matrix's columns by falling number of entries
(:mod:`graphla.cuda.storage.sliced_ell`). Each rank sends its values in such an order of its own
positions, without those at which the matrix has no column with an entry: half of the vertices of
a Kronecker graph of scale 26 have no edge. What arrives is then used as it is: no rank reorders the
values of the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphblas import monoid

from graphla.ranks.collectives.communicator import EncodedColumns
from graphla.ranks.collectives.exchange import fold_partial

CALL = "gather order"


class GatherOrder(NamedTuple):
    """The positions of a vector in the order in which they are gathered.

    Attributes
    ----------
    own : array
        Those of this rank, numbered from its first one.
    counts : array of int64
        How many each rank sends.
    whole : array
        Those of all ranks, one rank after the other.
    """

    own: Any
    counts: Any
    whole: Any


def find_gather_order(A: Any) -> GatherOrder | None:
    """Return the order for products with a Matrix, and let its blocks use it; all ranks call it.

    None if the products of any rank read values as they come.
    """
    layout, axis = A.layout, A.axis
    communicator, blocks = layout.communicator, layout.blocks
    block = A.local(axis).T if axis else A.local(axis)  # a row for each output
    length = A.shape[1 - axis]
    counts = communicator.guarded(CALL, lambda: blocks.counts_to_order_columns(block))
    if not communicator.all(CALL, counts is not None):
        return None
    total = fold_partial(layout, counts, monoid.plus, CALL)
    first = layout.piece(length)[0]
    own = communicator.guarded(CALL, lambda: blocks.order_by_count(total))

    def encode(sizes: Any) -> EncodedColumns:
        return EncodedColumns([own + own.dtype.type(first)], [sizes], "positions")

    (whole,), heading = communicator.gather_columns(CALL, own.size, encode)
    kept = communicator.guarded(CALL, lambda: blocks.set_column_order(block, whole))
    return GatherOrder(own, heading.first, kept)
