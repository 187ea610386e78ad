"""One sweep over an acyclic graph A from its sinks up: each row of X gathers its successors' rows.

    X[level, :] += A[level, :] +.* X

The semiring decides what is gathered: (any, pair) what is reached, (min, second)
the smallest value that is reached. Where writing into X copies all of it, as into
a sparse matrix, a band of several levels is finished in a small matrix first:
with sqrt(d) levels to a band, d levels take sqrt(d) copies.
"""

from __future__ import annotations

from typing import Any

from graphblas import monoid


def sweep(
    A: Any, height: Any, X: Any, semiring: Any, accum: Any, band: int = 1, done: Any = None
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
        What to gather, and how to combine it with what a row has.
    band : int
        Levels that are written into `X` at a time.
    done : callable, optional
        HostResult the number of levels after each band.
    """
    for low in range(0, depth(height), band):
        inside = height.select(">=", low).new().select("<", low + band).new()
        rows = inside.to_coo()[0]
        local, level = A[rows, rows].new(), inside[rows].new()
        Y = X[rows, :].new()
        Y(accum) << A[rows, :].new().mxm(X, semiring)
        for h in range(low + 1, low + band):
            above = level.select("==", h).new().to_coo()[0]
            Y[above, :](accum) << local[above, :].new().mxm(Y, semiring)
        X[rows, :] << Y
        if done:
            done(band)
    return X


def depth(height: Any) -> int:
    """Number of levels."""
    return 1 + height.reduce(monoid.max).new().get(-1)
