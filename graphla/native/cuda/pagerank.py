"""Native PageRank: all iterations in one cooperative launch, gathers from shared memory.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

An iteration sums over in-neighbours by the slices of :mod:`graphla.cuda.storage.sliced_ell`: a
thread block copies the values of a block of columns into shared memory and gathers from there;
entries outside dense slices are gathered through the cache. The sums of pieces of a row are
combined by atomic additions, so that the last bits of a rank may differ from call to call. Then the
ranks are updated; `lost` is the rank of dangling vertices. All isolated vertices have the same
rank, which is one number.

Source: A. Langville, C. Meyer, "Deeper inside PageRank", Internet Mathematics 1 (2004);
S. Beamer, K. Asanovic, D. Patterson, IPDPS 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from graphblas.dtypes import lookup_dtype

from graphla.core.properties import derive
from graphla.core.results import PageRank
from graphla.cuda.device_arrays import vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.sliced_ell import (
    SlicedRows,
    columns_per_block,
    definitions,
    slice_rows,
)
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import ConvergenceFailure
from graphla.native.cuda.renumbered.by_degree import degree_ordered
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
STATE = 16  # words


def prepare(G: Graph, dtype: str = "FP64") -> None:
    """Compute what ranks of a dtype need of a graph."""
    sliced_in_neighbours(G, lookup_dtype(dtype).np_type.itemsize)


def sliced_in_neighbours(G: Graph, itemsize: int) -> SlicedRows:
    """Return the in-neighbours of a graph in slices; made once for each size of values."""
    return derive(G, _slice_rows, itemsize)


def _slice_rows(G: Graph, itemsize: int) -> SlicedRows:
    graph = degree_ordered(G)
    rows = CSR(graph.into.offsets, graph.into.neighbours, None, graph.n)
    return slice_rows(rows, columns_per_block(itemsize))


def _count_dangling(G: Graph) -> int:
    """Return the number of vertices without an out-edge."""
    graph = degree_ordered(G)
    return G.n - graph.n + int(device.read_scalar((device.xp.diff(graph.out.offsets) == 0).sum()))


def pagerank(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str
) -> PageRank:
    """Rank vertices; `refill` distributes the rank of dangling vertices to all vertices."""
    if not G.n:
        return PageRank(G.vector(dtype), 0, 0.0)
    xp, rank_dtype = device.xp, lookup_dtype(dtype)
    value = rank_dtype.np_type
    graph, slices = degree_ordered(G), sliced_in_neighbours(G, value.itemsize)
    n, dangling = graph.n, derive(G, _count_dangling)
    text = f"typedef {cuda_type(value)} T; typedef {cuda_type(graph.out.offsets.dtype)} Offset;\n"
    text += definitions(slices.columns)
    padded = (n // slices.columns + 1) * slices.columns  # whole blocks of columns and a zero
    share, contribution, rank, sums = (xp.empty(padded, value) for _ in range(4))
    result, state = xp.empty(G.n, value), xp.zeros(STATE, np.uint64)
    kernel("pagerank", text, cooperative=True)(
        device.multiprocessors * BLOCK, n, G.n, dangling, graph.out.offsets, graph.rank,
        len(slices.tasks), slices.tasks, *slices.near, *slices.far, share, contribution, rank, sums,
        result, state, np.float64(damping), np.float64(tol), max_iter, int(refill),
        block=BLOCK, shared=value.itemsize * (slices.columns + 1),
    )  # fmt: skip
    iterations, word = device.read_words(state[1:3])
    residual = float(np.uint64(word).view(np.float64))
    ranks = vector_from_array(result, rank_dtype)
    if residual < tol:
        return PageRank(ranks, int(iterations), residual)
    raise ConvergenceFailure(
        f"pagerank: the L1 change is {residual:.3g} after max_iter={max_iter} iterations, "
        f"not below tol={tol}",
        iterations=max_iter,
        residual=residual,
        result=ranks,
    )
