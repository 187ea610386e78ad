"""Brandes's algorithm from one source, with path counts of any size.

    paths(v) = sum of paths(u) over edges u -> v to the next level
    delta(u) = paths(u) * sum of (1 + delta(v)) / paths(v) over edges u -> v to the next level

A count is m B^b with B = 2^1000, m up to 2^800 and an integer b >= 0, which starts at 0 and grows
by one where m would exceed 2^800; 1 is m = 2^-800. So m is at least 2^-200 if b > 0, and beside a
count with exponent b one with b - 2 is below the rounding: a sum needs only what has b or b - 1.
delta(u) counts successors with the exponents b and b + 1 of u alone; those beyond add less than
2^-1000 (1 + delta(v)). A delta below 2^-200 has fewer digits than FP64.

Vertices are listed in the order of the search, forward and then backward. Each search runs on one
thread, as m and b of a count cannot be changed together atomically.

Source: U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

FIRST, PEAK = 2.0**-800, 2.0**800
STEP_UP = 2.0**-1000  # 1 / B


@njit(cache=True, nogil=True)
def _count_paths(indptr, indices, depth, paths, exponent, order):
    """Count the paths from order[0], whose depth is 0; return the number of vertices reached."""
    head, tail = 0, 1
    while head < tail:
        u = order[head]
        head += 1
        if paths[u] > PEAK:
            paths[u] *= STEP_UP
            exponent[u] += 1
        m, b, next_depth = paths[u], exponent[u], depth[u] + 1
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if depth[v] < 0:
                depth[v] = next_depth
                paths[v] = m
                exponent[v] = b
                order[tail] = v
                tail += 1
            elif depth[v] == next_depth:
                if exponent[v] == b:
                    paths[v] += m
                elif exponent[v] == b + 1:
                    paths[v] += m * STEP_UP
                elif exponent[v] < b:
                    paths[v] = m + (paths[v] * STEP_UP if exponent[v] == b - 1 else 0.0)
                    exponent[v] = b
    return tail


@njit(cache=True, nogil=True)
def _accumulate(indptr, indices, depth, paths, exponent, order, reached, centrality):
    """Add delta of the reached vertices but the source; (1 + delta) / m overwrites their m."""
    for i in range(reached - 1, 0, -1):
        u = order[i]
        b, next_depth, total = exponent[u], depth[u] + 1, 0.0
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if depth[v] == next_depth:
                if exponent[v] == b:
                    total += paths[v]
                elif exponent[v] == b + 1:
                    total += paths[v] * STEP_UP
        delta = paths[u] * total
        centrality[u] += delta
        paths[u] = (1.0 + delta) / paths[u]


def add_dependencies(out: Any, source: int, centrality: Any) -> None:
    """Add delta of all vertices other than the source to `centrality`."""
    n = centrality.size
    depth, exponent = np.full(n, -1, np.int32), np.zeros(n, np.int32)
    paths, order = np.zeros(n), np.empty(n, out.indices.dtype)
    depth[source], paths[source], order[0] = 0, FIRST, source
    reached = _count_paths(out.indptr, out.indices, depth, paths, exponent, order)
    _accumulate(out.indptr, out.indices, depth, paths, exponent, order, reached, centrality)
