"""Transitive closure by hand: rows of bits over the strongly connected components.

    R[c] = union of R[s] and {s} over the edges from component c to component s

from the sinks up, so that R[s] is complete. An s that lies in R[c] already has nothing
to add, as then R[s] does too. Each component is at last replaced by its vertices.

Source: P. Purdom, "A transitive closure algorithm", BIT 10, 1970; unions only where s is new:
A. Goralcikova, V. Koubek, "A reduct-and-closure algorithm for graphs", MFCS 1979.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.native.cpu.relation import matrix, rows_of_bits
from graphla.native.cpu.strong_components import strong_components

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@njit(cache=True, nogil=True)
def _sweep(indptr, indices, component, order, bits):
    """Fill the rows, component by component; `order` has the vertices by component."""
    one = np.uint64(1)
    for i in range(order.size):
        c = component[order[i]]
        for p in range(indptr[order[i]], indptr[order[i] + 1]):
            s = component[indices[p]]
            bit = one << np.uint64(s & 63)
            if not bits[c, s >> 6] & bit:
                if s != c:
                    for w in range((s >> 6) + 1):  # none in R[s] comes after s
                        bits[c, w] |= bits[s, w]
                bits[c, s >> 6] |= bit


def transitive_closure(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs of vertices that a path joins: the hand-written kernel."""
    indptr, indices, _ = G.csr
    component, count = strong_components(indptr, indices)
    bits = rows_of_bits(count, max_bytes, "components")
    _sweep(indptr, indices, component, np.argsort(component, kind="stable"), bits)
    return matrix(G, bits, component, max_bytes)
