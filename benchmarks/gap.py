"""The GAP Benchmark Suite as implementations "gap" and "gap_spmv", called in this process.

    export GAP_LIBRARY=path/to/library.so
    python benchmarks/run.py --peer gap --implementations native,gap,gap_spmv

The environment variable names a shared library, which is not part of this repository. It offers
GAP's kernels by these C functions, for graphs in compressed rows of 32-bit integers:

    Graph *unweighted(int64_t n, const int32_t *indptr, const int32_t *indices)
    WGraph *weighted(..., const int32_t *weights)
    void *run_bfs(Graph *, int32_t source)        run_cc, run_pr, run_pr_spmv(Graph *)
    void *run_sssp(WGraph *, int32_t source, int32_t delta)
    void *run_bc(Graph *, const int32_t *sources, int32_t count)
    int64_t run_tc(Graph *)
    void *data(void *result)                      the result's array of 32-bit elements
    void release(void *result), free_unweighted(Graph *), free_weighted(WGraph *)

Graphs are undirected and have less than 2^31 entries. Results are views of GAP's own arrays: a
call copies nothing.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cache, partial

import numpy as np
from best_delta import best_delta

import graphla as gl
from graphla.comparison import convert, measure
from graphla.comparison.implementations import Implementation, register


@cache
def library():
    """Load the library."""
    lib = ctypes.CDLL(os.environ["GAP_LIBRARY"])
    for name in ("unweighted", "weighted", "data"):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("bfs", "sssp", "cc", "pr", "pr_spmv", "bc"):
        getattr(lib, f"run_{name}").restype = ctypes.c_void_p
    lib.run_tc.restype = ctypes.c_int64
    return lib


class GapGraph:
    """A graph in GAP's form, with the number of its vertices, and the delta of shortest paths."""

    def __init__(self, G, *, weighted=False):
        if G.kind != "undirected":
            raise gl.errors.InvalidGraph("gap.py passes undirected graphs only")
        lib, (indptr, indices, values) = library(), G.csr
        columns = [indptr, indices] + ([values.astype(np.int32)] if weighted else [])
        kind = "weighted" if weighted else "unweighted"
        arrays = [ctypes.c_void_p(np.ascontiguousarray(x).ctypes.data) for x in columns]
        self.n, self.delta = G.n, None
        self.pointer = ctypes.c_void_p(getattr(lib, kind)(ctypes.c_int64(G.n), *arrays))
        weakref.finalize(self, getattr(lib, f"free_{kind}"), self.pointer)


def call(name, dtype, g, *args):
    """Run a kernel; return a view of its result, which is freed with the view."""
    lib, threads = library(), measure.threads()
    lib.omp_set_num_threads(threads)
    result = ctypes.c_void_p(getattr(lib, f"run_{name}")(g.pointer, *args))
    address = lib.data(result)
    buffer = (ctypes.c_int32 * g.n).from_address(address)
    weakref.finalize(buffer, lib.release, result)
    return np.frombuffer(buffer, dtype)


def with_best_delta(G):
    """Return the weighted graph with the fastest delta."""
    g = GapGraph(G, weighted=True)
    g.delta = best_delta(G, lambda source, delta: call("sssp", np.int32, g, source, delta))
    return g


def betweenness(g, sources):
    """Return the sources and the scores."""
    array = (ctypes.c_int32 * len(sources))(*sources)
    return sources, call("bc", np.float32, g, array, len(sources))


def raw_scores(G, result):
    """Return raw scores for a check: GAP's are in FP32, divided by the largest one.

    They include the dependency of a source on itself. Where they agree with the native ones to
    FP32's precision, the native ones are returned.
    """
    sources, scores = result
    native = gl.native.betweenness_centrality(G, sources)
    raw, others = native.to_dense(), np.delete(np.arange(G.n), sources)
    scaled = scores * (raw[others].max() / scores[others].max())
    close = np.allclose(scaled[others], raw[others], rtol=1e-3, atol=1e-3)
    return native if close else convert.vector(scaled.astype(np.float64))


def run_triangles(g, start):
    """Count triangles."""
    library().omp_set_num_threads(measure.threads())
    return library().run_tc(g.pointer)


entry = partial(Implementation, name="gap", prepare=GapGraph)
for implementation in (
    entry(
        algorithm="bfs",
        returns="parents",
        run=lambda g, source: (source, call("bfs", np.int32, g, source)),
        result=lambda G, r: gl.core.results.BFS(None, convert.parents(r[1], r[0])),
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        prepare=with_best_delta,
        run=lambda g, source: call("sssp", np.int32, g, source, g.delta),
        result=lambda G, d: convert.vector(d, d < 2**30 - 1),
    ),
    entry(
        algorithm="connected_components",
        returns="labels",
        run=lambda g, start: call("cc", np.int32, g),
        result=lambda G, labels: convert.smallest_vertices(labels),
    ),
    entry(
        algorithm="pagerank_gap",
        returns="ranks",
        run=lambda g, start: call("pr", np.float32, g),
        result=lambda G, ranks: convert.ranks(ranks),
    ),
    entry(
        name="gap_spmv",
        algorithm="pagerank_gap",
        returns="ranks",
        run=lambda g, start: call("pr_spmv", np.float32, g),
        result=lambda G, ranks: convert.ranks(ranks),
    ),
    entry(
        algorithm="betweenness_centrality",
        returns="scores over their maximum",
        run=betweenness,
        result=raw_scores,
    ),
    entry(algorithm="triangle_count", returns="count", run=run_triangles),
):
    register(implementation)
