"""Strongly connected components by hand: one depth-first search.

A vertex is the root of its component where nothing below it in the search leads to
an open vertex above it. Components are numbered as they close, so an edge between
two of them leads to the smaller number: 0, 1, ... is an order from the sinks up.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1, 1972.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def strong_components(indptr, indices):
    """Return the component of each vertex and how many there are."""
    n = indptr.size - 1
    component = np.full(n, -1, indices.dtype)
    met = np.zeros_like(component)  # when, from 1
    low = np.zeros_like(component)  # the earliest open vertex that is known to be reached
    edge = indptr[:-1].copy()
    path, still_open = np.empty_like(component), np.empty_like(component)
    count = time = height = 0
    for start in range(n):
        if met[start]:
            continue
        depth = 0
        v = start
        while True:
            if not met[v]:
                time += 1
                met[v] = low[v] = time
                path[depth] = still_open[height] = v
                depth += 1
                height += 1
            if edge[v] < indptr[v + 1]:
                u = indices[edge[v]]
                edge[v] += 1
                if not met[u]:
                    v = u
                elif component[u] < 0:
                    low[v] = min(low[v], met[u])
                continue
            if low[v] == met[v]:
                while component[v] < 0:
                    height -= 1
                    component[still_open[height]] = count
                count += 1
            depth -= 1
            if not depth:
                break
            above = path[depth - 1]
            low[above] = min(low[above], low[v])
            v = above
    return component, count
