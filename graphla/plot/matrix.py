"""Draw a sparse matrix of any size without a dense copy.

The image shows S A T', the number of entries in each block of rows and columns: S is the Boolean
matrix with an entry (b, i) if row i is in block b, and T the same for columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import semiring

from graphla.core.engines import engine_of, objects, on_host
from graphla.core.validation import check_count, check_graph
from graphla.plot.canvas import COLOUR_MAP, TITLE_SIZE, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def spy(A: Any, *, size: int = 512, axes: Axes | None = None) -> Axes:
    """Draw the positions of a sparse matrix's entries; for large ones the counts in blocks.

    Parameters
    ----------
    A : Graph or Matrix
    size : int, default 512
        Maximum number of blocks along an axis.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        It has one image of at most `size` x `size` pixels, with a logarithmic colour scale if a
        block has more than one entry.

    Notes
    -----
    The counts are two products, with plus-pair and plus-first, on the engine of A; their time is
    linear in its number of entries.
    """
    size = check_count(size, "size")
    if not hasattr(A, "to_coo"):
        check_graph(A)
        A = A.A
    blocks = block_counts(A, size)
    axes = axes_or_new(axes)
    from matplotlib.colors import LogNorm

    largest = int(blocks.max(initial=1))
    ends = (-0.5, max(A.ncols, 1) - 0.5, max(A.nrows, 1) - 0.5, -0.5)
    image = axes.imshow(
        np.ma.masked_equal(blocks, 0), extent=ends, interpolation="nearest", cmap=COLOUR_MAP + "_r",
        aspect="equal" if A.nrows == A.ncols else "auto",
        norm=LogNorm(1, largest) if largest > 1 else None, vmin=None if largest > 1 else 0,
    )  # fmt: skip
    if largest > 1:
        axes.figure.colorbar(image, ax=axes, label="entries in a block")
    axes.set(xlabel="column", ylabel="row")
    axes.set_title(f"{A.nrows:,} x {A.ncols:,}, {A.nvals:,} entries", fontsize=TITLE_SIZE)
    return axes


def block_counts(A: Any, size: int) -> Any:
    """Return the numbers of entries in at most `size` x `size` equal blocks, as an array."""
    if not (A.nrows and A.ncols):
        return np.zeros((1, 1), np.int64)
    S, T = (_block_matrix(A, n, size) for n in A.shape)
    counts = S.mxm(A, semiring.plus_pair["INT64"]).new()
    counts = counts.mxm(T.T, semiring.plus_first["INT64"]).new()
    return on_host(counts).to_dense(fill_value=0)


def _block_matrix(A: Any, n: int, size: int) -> Any:
    """Return the Boolean matrix with an entry (b, i) if index i of 0..n-1 is in block b."""
    index = np.arange(n, dtype=np.int64)
    block = index // -(-n // size)
    Matrix = objects(engine_of(A)).Matrix
    return Matrix.from_coo(block, index, True, nrows=int(block[-1]) + 1, ncols=n)
