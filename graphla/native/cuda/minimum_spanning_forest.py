"""Minimum spanning forest by hand: Boruvka's rounds in one cooperative launch, light edges first.

Edges are named by their ranks, which are distinct: a rank alone is compared, in one word. A round:

    1. lightest   each edge between two trees lowers the best rank of both
    2. hook       each tree hooks below the one that its best edge leads to; of two that
                  chose each other the smaller root stays one
    3. merge      whoever looks for a root shortens the way that leads to it
    4. relabel    edges between two trees are listed under their roots, the others dropped

The edges of lowest rank, a few for each vertex, join most vertices into one tree. Of the others
only rows of vertices outside it are read, as an edge inside a tree is never chosen.

Source: A. Kolganov, 2015; V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum spanning
tree algorithm", ALENEX 2009; A. Fallin, A. Gonzalez, J. Seo, M. Burtscher, "A high-performance
MST implementation for GPUs", SC 2023 (edges lower both best ranks).
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64

from graphla import checks
from graphla.cuda import Vector
from graphla.cuda.device import device
from graphla.cuda.storage import Dense, element, index_dtype
from graphla.errors import InvalidValue
from graphla.native.cuda.by_degree import MOST, kernel
from graphla.results import Edges, Forest

if TYPE_CHECKING:
    from graphla.graph import Graph

BLOCK = 1024  # threads
STAGE = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE = 8  # words
SAMPLE = 1024  # vertices that are asked which tree they are in
LIGHT = 2  # edges a vertex
SPARE = 16  # there is room for one in so many of the other edges


def definitions(offset: str, rank: str) -> str:
    """Return what the kernel takes as given."""
    return (
        f"typedef {offset} Offset;\ntypedef {rank} Rank;\n"
        f"enum {{ STAGE = {STAGE}, SAMPLE = {SAMPLE} }};\n"
    )


class Spanner:
    """What the kernel needs of a graph on one stream: ranked edges and arrays to work in."""

    def __init__(self, G: Graph) -> None:
        if G.n > MOST:
            raise InvalidValue(f"n={G.n:,} vertices; native forests number at most {MOST:,}")
        xp, R, A = device.xp, G.ranks._csr(), G.A._csr()
        n, self.lock = G.n, Lock()
        self.edges = R.nvals // 2
        rows, ranks = R.rows(), R.values
        upper = rows < R.indices
        above = ranks[upper]
        self.entries = xp.empty(self.edges, index_dtype(A.nvals))  # of A, by rank
        self.entries[above] = xp.flatnonzero(A.rows() < A.indices).astype(self.entries.dtype)
        used = int(device.word((xp.diff(R.indptr) > 0).sum())) if n else 0
        lights = min(LIGHT * used, self.edges)
        few = upper & (ranks < lights)
        light = xp.empty((lights, 2), np.uint32)
        light[ranks[few]] = xp.stack((rows[few], R.indices[few]), axis=1).astype(np.uint32)
        word = np.dtype(f"u{ranks.itemsize}")
        capacity = lights + (self.edges - lights) // SPARE + 1
        self.forest, self.state = xp.empty(max(n, 1), word), xp.zeros(STATE, np.uint64)
        size = 3 if word.itemsize == 4 else 2  # an edge is two vertices and a rank
        self.arguments = (
            self.edges, R.indptr, R.indices, ranks, light, lights, xp.empty(n, np.uint32),
            xp.empty(2 * n, word), xp.empty(2 * size * capacity, word), capacity, self.forest,
            self.state,
        )  # fmt: skip
        text = definitions(element(R.indptr.dtype), element(word))
        self.span = kernel("minimum_spanning_forest", text, cooperative=True)
        text = f"typedef {element(A.indptr.dtype)} Offset;\n"
        text += f"typedef {element(A.values.dtype)} Weight;\n"
        self.results = kernel("forest_results", text)

    def run(self, G: Graph) -> tuple[Any, Any]:
        """Return the entries of the forest's edges in the matrix, ascending, and components."""
        component = device.xp.empty(G.n, np.int64)
        with self.lock:
            self.span(
                device.multiprocessors * BLOCK, G.n, *self.arguments, component,
                block=BLOCK, shared=STAGE * (BLOCK // 32),
            )  # fmt: skip
            chosen = int(device.word(self.state[4:5]))
            ranks = self.forest[:chosen].view(f"i{self.forest.itemsize}")
            entries = self.entries[ranks]
        entries.sort()
        return entries, component


def _spanner(G: Graph) -> Spanner:
    """Return what the kernel needs of a graph on the current stream; made once and kept."""
    found: Spanner = G._keep(f"forest {device.stream}", lambda: Spanner(G))
    return found


def prepare(G: Graph) -> None:
    """Make what the kernel needs of a graph, once."""
    _spanner(G)


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest: the hand-written kernel."""
    total = checks.total_weight(G, "minimum_spanning_forest")
    found = _spanner(G)
    entries, component = found.run(G)
    xp, A, count = device.xp, G.A._csr(), entries.size
    src, dst = xp.empty(count, np.int64), xp.empty(count, np.int64)
    weight = xp.empty(count, A.values.dtype)
    found.results(
        count, count, A.nrows, A.indptr, A.indices, A.values, int(A.iso), entries, src, dst, weight
    )

    def full(x: Any, dtype: Any) -> Any:
        return Vector._of(Dense(x), dtype, x.size)

    return Forest(
        Edges(full(src, INT64), full(dst, INT64), full(weight, G.dtype)),
        weight.sum(dtype=total).item(),
        full(component, INT64),
    )
