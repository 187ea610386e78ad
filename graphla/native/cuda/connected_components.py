"""Connected components by hand: Afforest in one cooperative launch.

A forest over the vertices, `parent[v] <= v`, grows in passes, between which all blocks wait
for each other.

1. Each vertex is put below its first neighbour, the smallest, where that is smaller.
2. One in sixteen is linked with another: the larger of the roots is hooked below the smaller
   by compare-and-swap, and each climb halves the way for the next. This joins the large trees.
3. A sample votes for the largest tree. Only vertices outside it are linked with another
   neighbour, and those that stay outside with all, of a directed graph in both directions.
4. The root of each vertex, the smallest of its tree, is its label.

Source: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity
computation via subgraph sampling", IPDPS 2018; J. Jaiganesh, M. Burtscher, "A
high-performance connected components implementation for GPUs", HPDC 2018 (1., and the halving).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64

from graphla.cuda import Vector
from graphla.cuda.device import device
from graphla.cuda.storage import Dense, element, zero
from graphla.native.cuda.by_degree import kernel

if TYPE_CHECKING:
    from graphla.graph import Graph

BLOCK = 1024  # threads, of which two blocks' run on a multiprocessor at once


def definitions(offset: str, index: str) -> str:
    """Return what the kernel takes as given, for rows of these types."""
    return f"typedef {offset} Offset;\ntypedef {index.replace('i', 'u')} Vertex;\n"


def prepare(G: Graph) -> None:
    """Compute what is kept of a graph: whether it is symmetric and, if not, its transpose."""
    if not G.is_symmetric:
        G.AT._csr()


def connected_components(G: Graph) -> Any:
    """Label weak components: the hand-written twin of :func:`graphla.connected_components`."""
    xp, n, A = device.xp, G.n, G.A._csr()
    label = xp.empty(n, np.int64)
    if n:
        into = (None, None)
        if not G.is_symmetric:
            AT = G.AT._csr()
            into = AT.indptr, AT.indices
        text = definitions(element(A.indptr.dtype), element(A.indices.dtype))
        run = kernel("connected_components", text, cooperative=True)
        parent = xp.empty(n, A.indices.dtype)
        run(n, n, A.indptr, A.indices, *into, parent, label, zero(), zero(), block=BLOCK)
    return Vector._of(Dense(label), INT64, n)
