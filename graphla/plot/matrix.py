"""A sparse matrix of any size as a picture, never n x n in memory.

It is drawn as the counts S A T' of its entries in blocks: S is the Boolean matrix of which block
a row is in, and T of which a column is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import semiring

from graphla.core.engines import engine_of, objects, on_host
from graphla.core.graph import Graph
from graphla.core.validation import count
from graphla.plot.canvas import SCALE, TITLE, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def spy(A: Any, *, size: int = 512, axes: Axes | None = None) -> Axes:
    """Draw where a sparse matrix has entries; a large one as counts of entries in blocks.

    Parameters
    ----------
    A : Graph or Matrix
    size : int, default 512
        Most blocks along an axis.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        With one image, at most `size` x `size`, its colours logarithmic where blocks count
        more than one entry.

    Notes
    -----
    The counts are S A T' over plus-pair and plus-first: linear in the entries of A, on its engine.
    """
    A, size = A.A if isinstance(A, Graph) else A, count(size, "size")
    blocks = block_counts(A, size)
    axes = axes_or_new(axes)
    from matplotlib.colors import LogNorm

    most = int(blocks.max(initial=1))
    ends = (-0.5, max(A.ncols, 1) - 0.5, max(A.nrows, 1) - 0.5, -0.5)
    image = axes.imshow(
        np.ma.masked_equal(blocks, 0), extent=ends, interpolation="nearest", cmap=SCALE + "_r",
        aspect="equal" if A.nrows == A.ncols else "auto",
        norm=LogNorm(1, most) if most > 1 else None, vmin=None if most > 1 else 0,
    )  # fmt: skip
    if most > 1:
        axes.figure.colorbar(image, ax=axes, label="entries in a block")
    axes.set(xlabel="column", ylabel="row")
    axes.set_title(f"{A.nrows:,} x {A.ncols:,}, {A.nvals:,} entries", fontsize=TITLE)
    return axes


def block_counts(A: Any, size: int) -> Any:
    """Return how many entries each of at most `size` x `size` equal blocks has, as an array."""
    if not (A.nrows and A.ncols):
        return np.zeros((1, 1), np.int64)
    S, T = (_blocks(A, n, size) for n in A.shape)
    counts = S.mxm(A, semiring.plus_pair["INT64"]).new()
    counts = counts.mxm(T.T, semiring.plus_first["INT64"]).new()
    return on_host(counts).to_dense(fill_value=0)


def _blocks(A: Any, n: int, size: int) -> Any:
    """Return the matrix that says which of the blocks each of n vertices is in."""
    vertex = np.arange(n, dtype=np.int64)
    block = vertex // -(-n // size)
    Matrix = objects(engine_of(A)).Matrix
    return Matrix.from_coo(block, vertex, True, nrows=int(block[-1]) + 1, ncols=n)
