"""Topological levels of a directed graph, from its sinks up (Kahn's method, by levels).

    q = { degree = 0 },  while q:  degree -= A plus.pair q,  q = { degree = 0, just now }

A vertex is yielded in the level after the last of its successors. What never
reaches degree 0 reaches a cycle.

Source: A. B. Kahn, "Topological sorting of large networks", CACM 5, 1962.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphblas import binary, semiring
from graphblas.dtypes import INT64

from graphla.execution.storage_hints import set_storage_hint

plus_pair = semiring.plus_pair[INT64]


def topological_levels(AT: Any, degree: Any) -> Iterator[Any]:
    """Yield the levels of an acyclic graph as sets of vertices.

    Parameters
    ----------
    AT : Matrix
        Transposed adjacency matrix.
    degree : Vector
        Out-degrees, integers, all present. It is changed: a vertex that was given
        degree 0 counts as a sink, and what is positive at the end was not
        yielded, as it reaches a cycle.

    Yields
    ------
    Vector
        The vertices of a level as entries. It is overwritten by the next level.
    """
    q = degree.select("==", 0).new()
    fewer = q.dup(clear=True)
    set_storage_hint(q, fewer, form="sparse")
    count, subtract = q.vxm(AT, plus_pair), degree.ewise_mult(fewer, binary.minus)
    update, exhausted = degree(fewer.S), fewer.select("==", 0)
    while q.nvals:
        yield q
        fewer << count
        fewer << subtract
        update << fewer
        q << exhausted
