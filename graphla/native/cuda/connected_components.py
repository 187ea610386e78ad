"""Native connected components: Afforest in one cooperative launch.

A forest over the vertices, `parent[v] <= v`, grows in four steps with grid barriers between them.

1. Each vertex is hooked below its first neighbour, the smallest, if that is smaller.
2. One vertex in sixteen is linked with another neighbour: the larger root is hooked below the
   smaller by compare-and-swap, and each climb to a root halves the path. This joins large trees.
3. The largest tree is found by a sample. Only vertices outside it are linked with another
   neighbour, and those that are still outside with all, in a directed graph in both directions.
4. The root of each vertex, the smallest vertex of its tree, is its label.

`prepare` numbers the vertices by descending degree, as searches and PageRank do. In this numbering
the largest tree is nearly always that of number 0, the first two neighbours are in an array of
their own, and trees are flat; the smallest vertex of each tree is computed at the end. A graph that
is not prepared keeps its numbering, because renumbering takes much longer than the search.

Source: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity
computation via subgraph sampling", IPDPS 2018; J. Jaiganesh, M. Burtscher, "A
high-performance connected components implementation for GPUs", HPDC 2018 (step 1, path halving).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.properties import is_derived
from graphla.cuda.device_arrays import csr_of, vector_from_array
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.native.cuda.renumbered.by_degree import degree_ordered, make_degree_ordered
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads; two blocks run on a multiprocessor at once


def definitions(offset: str, index: str, label: str) -> str:
    """Return the types of the kernel for rows and labels of these types."""
    vertex = index.replace("i", "u")
    return f"typedef {offset} Offset;\ntypedef {vertex} Vertex;\ntypedef {label} Label;\n"


def prepare(G: Graph) -> None:
    """Number the vertices of a graph by degree; computed once."""
    degree_ordered(G)


def connected_components(G: Graph) -> Any:
    """Label weak components."""
    label = device.xp.empty(G.n, G.index_dtype.np_type)
    if G.n:
        (_label_by_degree if is_derived(G, make_degree_ordered) else _label)(G, label)
    return vector_from_array(label, G.index_dtype)


def _label_by_degree(G: Graph, label: Any) -> None:
    """Write the labels of a graph in its numbering by degree."""
    graph = degree_ordered(G)
    n, out, into = graph.n, graph.out, graph.into
    text = definitions(cuda_type(out.offsets.dtype), "u32", cuda_type(label.dtype))
    parent, smallest = (device.xp.empty(n, np.uint32) for _ in range(2))
    kernel("components_by_degree", text, cooperative=True)(
        G.n, G.n, n, *out[:2], *((None, None) if into is out else into[:2]), graph.first_two,
        graph.order, graph.rank, parent, smallest, label, zeroed_words(), block=BLOCK,
    )  # fmt: skip


def _label(G: Graph, label: Any) -> None:
    """Write the labels of a graph in its own numbering."""
    n, A, into = G.n, csr_of(G.A), (None, None)
    if not G.is_symmetric:
        AT = csr_of(G.AT)
        into = AT.indptr, AT.indices
    text = definitions(
        cuda_type(A.indptr.dtype), cuda_type(A.indices.dtype), cuda_type(label.dtype)
    )
    parent = device.xp.empty(n, A.indices.dtype)
    other_neighbour = label if label.itemsize >= parent.itemsize else device.xp.empty_like(parent)
    run = kernel("connected_components", text, cooperative=True)
    run(
        n, n, A.indptr, A.indices, *into, parent, other_neighbour, label, zeroed_words(),
        zeroed_words(), block=BLOCK,
    )  # fmt: skip
