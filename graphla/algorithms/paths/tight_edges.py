"""The tight edges of a vector d: those that a path of these lengths may use.

    E = D min.plus A        E(u, v) = d(u) + w(u, v), D being the diagonal matrix of d
    T = E any.<= L          d(u) + w(u, v) <= limit(v), L being that of the limit; or any.=

A product with a diagonal matrix scales rows or columns.
"""

from __future__ import annotations

from typing import Any

from graphblas import select, semiring
from graphblas.dtypes import BOOL


def find_tight_edges(A: Any, d: Any, limit: Any, compare: Any = semiring.any_eq) -> Any:
    """Return the edges (u, v) for which d(u) + w(u, v) compares with limit(v).

    Parameters
    ----------
    A : Matrix
        Edges with weights w.
    d, limit : Vector
        Values of one dtype, which is that of the sums. Edges from a vertex without `d`,
        or to one without `limit`, are not tight.
    compare : Semiring
        any_eq or any_le.

    Returns
    -------
    Matrix
        Boolean, True at the tight edges.
    """
    ends = d.diag().mxm(A, semiring.min_plus[d.dtype]).new()
    tight = ends.mxm(limit.diag(), compare[d.dtype]).new()
    tight << tight.select(select.valueeq[BOOL], True)
    return tight
