"""One sweep over an acyclic graph A from its sinks up: each row of X gathers its successors' rows.

    X[level, :] += A[level, :] +.* X

The semiring decides what is gathered: (any, pair) the reachable vertices, (min, second) the
smallest reachable value. A write into a sparse X copies all of X, so a band of several levels
is finished in a small matrix first: d levels in bands of sqrt(d) need sqrt(d) copies.
"""

from __future__ import annotations

from typing import Any

from graphblas import monoid


def sweep(
    A: Any, height: Any, X: Any, semiring: Any, accum: Any, band: int = 1, on_band: Any = None
) -> Any:
    """Sweep over the levels of an acyclic graph, changing X, and return it.

    Parameters
    ----------
    A : Matrix
        Adjacency matrix, c x c; self-loops are allowed.
    height : Vector
        INT64, all present: the level of each vertex (see topological_levels).
    X : Matrix
        With c rows.
    semiring, accum
        What to gather, and how to combine it with the values of a row.
    band : int
        Levels that are written into `X` at a time.
    on_band : callable, optional
        Called with `band` after each band.
    """
    for low in range(0, count_levels(height), band):
        in_band = height.select(">=", low).new().select("<", low + band).new()
        rows = in_band.to_coo()[0]
        local, level = A[rows, rows].new(), in_band[rows].new()
        Y = X[rows, :].new()
        Y(accum) << A[rows, :].new().mxm(X, semiring)
        for h in range(low + 1, low + band):
            level_rows = level.select("==", h).new().to_coo()[0]
            Y[level_rows, :](accum) << local[level_rows, :].new().mxm(Y, semiring)
        X[rows, :] << Y
        if on_band:
            on_band(band)
    return X


def count_levels(height: Any) -> int:
    """Return the number of levels."""
    return 1 + height.reduce(monoid.max).new().get(-1)
