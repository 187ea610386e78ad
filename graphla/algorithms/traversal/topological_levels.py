"""Topological levels of a directed graph, from its sinks up (Kahn's method, by levels).

    q = { degree = 0 },  while q:  degree -= A plus.pair q,  q = { degree = 0 for the first time }

A vertex is in the level after the last of its successors. A vertex whose degree stays
above 0 reaches a cycle.

Source: A. B. Kahn, "Topological sorting of large networks", CACM 5, 1962.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphblas import binary, semiring
from graphblas.dtypes import INT64

from graphla.execution.hints import set_storage_hint

plus_pair = semiring.plus_pair[INT64]


def topological_levels(AT: Any, degree: Any) -> Iterator[Any]:
    """Yield the levels of an acyclic graph as sets of vertices.

    Parameters
    ----------
    AT : Matrix
        Transposed adjacency matrix.
    degree : Vector
        Out-degrees, integers, all present. A vertex of degree 0 counts as a sink. The
        Vector is changed: vertices with positive degree at the end reach a cycle and
        are in no level.

    Yields
    ------
    Vector
        The vertices of a level as entries. It is overwritten by the next level.
    """
    q = degree.select("==", 0).new()
    lowered = q.dup(clear=True)
    set_storage_hint(q, lowered, form="sparse")
    count, subtract = q.vxm(AT, plus_pair), degree.ewise_mult(lowered, binary.minus)
    update, exhausted = degree(lowered.S), lowered.select("==", 0)
    while q.nvals:
        yield q
        lowered << count
        lowered << subtract
        update << lowered
        q << exhausted
