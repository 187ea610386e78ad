"""Native minimum spanning forest: Boruvka's rounds in one cooperative launch, light edges first.

Edges are identified by their ranks, which are distinct: a comparison reads one word. A round:

    1. lightest   each edge between two trees lowers the best rank of both
    2. hook       each tree hooks below the tree that its best edge leads to; if two chose
                  each other, the smaller root remains a root
    3. merge      each search for a root shortens the path to it
    4. relabel    edges between two trees are listed with the roots as ends, the others dropped

The edges of lowest rank, a few for each vertex, join most vertices into one tree. Of the other
edges only the rows of vertices outside it are read, as an edge inside a tree is never chosen. The
largest tree chooses no edge, as all its edges would update one word; the others hook below it.
Vertices are numbered so that those of one tree are close in memory.

Source: A. Kolganov, 2015; V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum spanning
tree algorithm", ALENEX 2009; A. Fallin, A. Gonzalez, J. Seo, M. Burtscher, "A high-performance
MST implementation for GPUs", SC 2023 (edges lower both best ranks).
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.core.results import Edges, Forest
from graphla.cuda.device_arrays import csr_of, vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype
from graphla.errors import InvalidValue
from graphla.native.cuda.renumbered.by_degree import MAX_VERTICES, number_by_degree
from graphla.native.cuda.renumbered.by_rank import ranked_graph
from graphla.native.cuda.runtime import derive_for_stream, kernel
from graphla.transform import renumber

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.cuda.storage.csr import CSR

BLOCK = 1024  # threads
STAGE = 2048  # bytes of shared memory in which a warp collects the entries that it appends
STATE = 8  # words
SAMPLE = 512  # vertices from whose trees the largest is estimated
MIN_SAMPLED_EDGES = 1 << 18  # edges of a round from which it is
LIGHT = 2  # light edges for each vertex
HEAVY_SHARE = 16  # the edge list has room for one in this many of the other edges


def definitions(offset: str, rank: str, label: str) -> str:
    """Return the types and constants of the kernel."""
    return (
        f"typedef {offset} Offset;\ntypedef {rank} Rank;\ntypedef {label} Label;\n"
        f"enum {{ STAGE = {STAGE}, SAMPLE = {SAMPLE}, MIN_SAMPLED_EDGES = {MIN_SAMPLED_EDGES} }};\n"
    )


class ForestRunner:
    """Runs the kernel on one graph and one stream: ranked edges, work arrays and arguments."""

    def __init__(self, G: Graph) -> None:
        if G.n > MAX_VERTICES:
            raise InvalidValue(
                f"n={G.n:,} vertices; native forests number at most {MAX_VERTICES:,}"
            )
        xp, A, H, self.lock = device.xp, csr_of(G.A), ranked_graph(G), Lock()
        R = csr_of(H.A)
        self.num_edges = R.nvals // 2
        # the entry of A above the diagonal that has each rank
        upper = R.row_indices() < R.indices
        self.entries = xp.empty(self.num_edges, kernel_index_dtype(A.nvals))
        upper_entries = xp.flatnonzero(A.row_indices() < A.indices).astype(self.entries.dtype)
        self.entries[R.full_values()[upper]] = upper_entries
        del upper, upper_entries
        self.order = group_by_hub(H)
        R = csr_of(renumber(H, self.order).graph.A)
        self.n, ranks = self.order.size, R.full_values()
        diagonal = xp.empty(self.n, R.indptr.dtype)
        _grouping_kernel("diagonal_offsets", R)(self.n, self.n, R.indptr, R.indices, diagonal)
        word = np.dtype(f"u{ranks.itemsize}")
        num_light = min(int(LIGHT * self.n), self.num_edges)
        rows = R.row_indices()
        is_light = (R.indices < rows) & (ranks < num_light)
        light = edge_list(rows[is_light], R.indices[is_light], ranks[is_light].astype(word))
        del rows, is_light
        capacity = num_light + (self.num_edges - num_light) // HEAVY_SHARE + 1
        self.forest, self.state = xp.empty(max(self.n, 1), word), xp.zeros(STATE, np.uint64)
        self.arguments = (
            self.num_edges, R.indptr, diagonal, R.indices, ranks, light, num_light,
            xp.empty(self.n, np.uint32), xp.empty(2 * self.n, word),
            xp.empty(2 * capacity * edge_words(word), word), capacity, self.forest, self.state,
            self.order,
        )  # fmt: skip
        self.dtype, index = G.index_dtype, cuda_type(G.index_dtype.np_type)
        text = definitions(cuda_type(R.indptr.dtype), cuda_type(word), index)
        self.span = kernel("minimum_spanning_forest", text, cooperative=True)
        text = f"typedef {cuda_type(A.indptr.dtype)} Offset;\ntypedef {index} End;\n"
        text += f"typedef {cuda_type(A.values.dtype)} Weight;\n"
        self.results = kernel("forest_results", text)

    def run(self, G: Graph) -> tuple[Any, Any]:
        """Return the entries of the forest's edges in the matrix, ascending, and components."""
        component = device.xp.arange(G.n, dtype=self.dtype.np_type)  # as of isolated vertices
        with self.lock:
            self.span(
                device.multiprocessors * BLOCK, self.n, *self.arguments, component,
                block=BLOCK, shared=STAGE * (BLOCK // 32),
            )  # fmt: skip
            chosen = int(device.read_scalar(self.state[4:5]))
            ranks = self.forest[:chosen].view(f"i{self.forest.itemsize}")
            entries = self.entries[ranks]
        entries.sort()
        return entries, component


def group_by_hub(G: Graph) -> Any:
    """Return the vertices that have an edge, sorted by their neighbour of highest degree.

    Small dense parts of a graph are then close in memory, and so are vertices of high degree.
    """
    order, rank, n = number_by_degree(G)
    hub, A = device.xp.empty(n, np.int32), csr_of(G.A)
    run = _grouping_kernel("highest_degree_neighbours", A)
    run(32 * n, n, order, rank, A.indptr, A.indices, hub)
    return order[hub.argsort(kind="stable")]


def _grouping_kernel(name: str, A: CSR) -> Any:
    return kernel("hub_grouping", f"typedef {cuda_type(A.indptr.dtype)} Offset;\n", name)


def edge_words(word: Any) -> int:
    """Return how many words an edge of the kernel has: two vertices and a rank."""
    return 3 if word.itemsize == 4 else 2


def edge_list(u: Any, v: Any, rank: Any) -> Any:
    """Return an array of edges of the kernel."""
    edges = device.xp.empty((rank.size, edge_words(rank.dtype)), rank.dtype)
    edges[:, -1] = rank
    ends = edges.view(np.uint32)
    ends[:, 0], ends[:, 1] = u, v
    return edges


def prepare(G: Graph) -> None:
    """Compute what the kernel needs of a graph on the current stream."""
    derive_for_stream(G, ForestRunner)


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest."""
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")
    runner = derive_for_stream(G, ForestRunner)
    entries, component = runner.run(G)
    xp, A, count, T = device.xp, csr_of(G.A), entries.size, runner.dtype
    src, dst = xp.empty(count, T.np_type), xp.empty(count, T.np_type)
    weight = xp.empty(count, A.values.dtype)
    runner.results(
        count, count, A.nrows, A.indptr, A.indices, A.values, int(A.iso), entries, src, dst, weight
    )
    edges = Edges(
        vector_from_array(src, T), vector_from_array(dst, T), vector_from_array(weight, G.dtype)
    )
    return Forest(edges, weight.sum(dtype=total).item(), vector_from_array(component, T))
