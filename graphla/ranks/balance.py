"""Masked products of matrices whose work the ranks share equally.

The rows of a rank may take most of the work: in a triangular matrix of vertices in the order of
their degrees, for one. They are then distributed again, by the entries that each row reads. The
rows of the result go back to their owners unless the output, which has no entries, takes them.
"""

from __future__ import annotations

from typing import Any

from graphblas import semiring as semirings
from graphblas.dtypes import INT64, lookup_dtype

from graphla.ranks.blocks.operators import FIRST, reads
from graphla.ranks.collectives.exchange import redistributed_rows
from graphla.ranks.layout import PieceWeights
from graphla.ranks.statements import RedistributedRows

UNEQUAL = 1.2  # work of the busiest rank, as a multiple of the mean, from which rows move


def balanced_product(
    A: Any, B: Any, semiring: Any, mask: Any, options: Any, *, by_dots: bool = False
) -> Any:
    """Return this rank's rows of A B, whose places outside of a mask may be left out.

    If rows have moved, the result is :class:`RedistributedRows`.

    Parameters
    ----------
    A : Matrix
        Distributed.
    B : Matrix of the engine
        All of it.
    semiring : Semiring
    mask : Mask
        Not complemented.
    options : dict
        Of the product, as in an update.
    by_dots : bool
        Whether B is the transpose of a matrix, with whose rows those of A are multiplied.
    """
    layout, length, rows = A.layout, A.nrows, A.local(0)
    allowed = mask.parent.cut_as(layout).local(0)
    read = (allowed, B.T) if by_dots else (rows, B)
    per_row = layout.communicator.guarded("mxm work", lambda: _entries_read(layout.blocks, *read))
    weights = PieceWeights(layout, length, per_row, "mxm work")
    work = weights.of_ranks
    if work.max() * len(work) <= UNEQUAL * work.sum():
        return rows.mxm(B, semiring)
    other = layout.with_boundaries(length, weights.balanced_boundaries())
    moved = redistributed_rows(layout, rows, other, length, with_values=reads(semiring, FIRST))
    places = moved
    if mask.parent is not A or not mask.structure:
        places = redistributed_rows(layout, allowed, other, length, with_values=not mask.structure)
    local_mask = places.S if mask.structure else places.V
    product = moved.mxm(B, semiring).new(mask=local_mask, **options)
    return RedistributedRows(
        product, other, lambda: redistributed_rows(other, product, layout, length)
    )


def _entries_read(blocks: Any, rows: Any, B: Any) -> Any:
    """Return, for each row, how many entries the rows of B have whose numbers are its columns."""
    counts = blocks.row_counts(B)
    vector = blocks.full_vector(counts, lookup_dtype(counts.dtype))
    return rows.mxv(vector, semirings.plus_second[INT64]).new().to_dense(fill_value=0)
