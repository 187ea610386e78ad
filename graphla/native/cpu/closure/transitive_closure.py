"""Transitive closure (native): rows of bits over the strongly connected components.

    R[c] = union of R[s] and {s} over the edges from component c to component s

in reverse topological order, so that R[s] is complete when it is read. If s is already in R[c],
R[s] is a subset of R[c] and is skipped. At the end each component is replaced by its vertices.
The sweep runs on one thread.

Source: P. Purdom, "A transitive closure algorithm", BIT 10, 1970; unions only where s is new:
A. Goralcikova, V. Koubek, "A reduct-and-closure algorithm for graphs", MFCS 1979.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.native.cpu.closure.relation import empty_bit_rows, expand_classes
from graphla.native.cpu.closure.strong_components import strong_components

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@njit(cache=True, nogil=True)
def _sweep(indptr, indices, component, order, bits):
    """Fill the rows, component by component; `order` is the vertices sorted by component."""
    for i in range(order.size):
        v = order[i]
        c = component[v]
        for k in range(indptr[v], indptr[v + 1]):
            s = component[indices[k]]
            bit = np.uint64(1) << np.uint64(s & 63)
            if not bits[c, s >> 6] & bit:
                if s != c:
                    for w in range((s >> 6) + 1):  # R[s] has no bit above s
                        bits[c, w] |= bits[s, w]
                bits[c, s >> 6] |= bit


def transitive_closure(G: Graph, *, max_bytes: int | None = None) -> Any:
    """Find all pairs (u, v) with a path from u to v: the native kernel."""
    indptr, indices, _ = G.csr
    component, count = strong_components(indptr, indices)
    bits = empty_bit_rows(count, max_bytes, "components")
    _sweep(indptr, indices, component, np.argsort(component, kind="stable"), bits)
    return expand_classes(G, bits, component, max_bytes)
