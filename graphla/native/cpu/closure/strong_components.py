"""Strongly connected components (native): Tarjan's depth-first search, on one thread.

A vertex is the root of its component if no edge from its subtree of the search leads to an open
vertex above it. Components are numbered as they are completed, so an edge between two components
leads to the smaller number: 0, 1, ... is a reverse topological order.

Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1, 1972.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def strong_components(indptr, indices):
    """Return the component of each vertex, and the number of components."""
    n = indptr.size - 1
    component = np.full(n, -1, indices.dtype)
    discovery = np.zeros_like(component)  # time of the first visit, from 1; 0: unvisited
    low = np.zeros_like(component)  # smallest discovery time of an open vertex known to be reached
    next_edge = indptr[:-1].copy()
    path, open_stack = np.empty_like(component), np.empty_like(component)
    count = time = open_count = 0
    for start in range(n):
        if discovery[start]:
            continue
        depth = 0
        v = start
        while True:
            if not discovery[v]:
                time += 1
                discovery[v] = low[v] = time
                path[depth] = open_stack[open_count] = v
                depth += 1
                open_count += 1
            if next_edge[v] < indptr[v + 1]:
                u = indices[next_edge[v]]
                next_edge[v] += 1
                if not discovery[u]:
                    v = u
                elif component[u] < 0:
                    low[v] = min(low[v], discovery[u])
                continue
            if low[v] == discovery[v]:
                while component[v] < 0:
                    open_count -= 1
                    component[open_stack[open_count]] = count
                count += 1
            depth -= 1
            if not depth:
                break
            parent = path[depth - 1]
            low[parent] = min(low[parent], low[v])
            v = parent
    return component, count
