"""LAGraph as implementation "lagraph", on the SuiteSparse library and the matrices of graphla.

    export LAGRAPH_LIBRARY=path/to/liblagraph.so
    python benchmarks/run.py --peer lagraph --implementations graphla,lagraph

The environment variable names LAGraph's shared library, which must be linked to the libgraphblas
that python-graphblas loads. A graph of LAGraph is made around the Matrix of a graphla Graph,
which is not copied; results are Vectors of the same library. `minimum_spanning_forest` needs a
library that contains `LAGraph_msf` of LAGraph 1.1.4, from its folder ``experimental``; it works on
a UINT64 copy of the matrix, and returns a Matrix.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cache, partial

import graphblas as gb
import numpy as np
from best_delta import best_delta
from graphblas.core import ffi

import graphla as gl
from graphla.comparison import convert
from graphla.comparison.implementations import Implementation, register

UNDIRECTED = 0  # LAGraph_ADJACENCY_UNDIRECTED
SUCCESS, CACHED_ALREADY = 0, 1000
DAMPING, TOLERANCE, MAX_ITERATIONS = 0.85, 1e-4, 100  # as for gl.pagerank_gap


@cache
def library():
    """Load LAGraph, and let it make its semirings."""
    gb.Vector(bool, 1)  # python-graphblas initialises SuiteSparse first
    lib = ctypes.CDLL(os.environ["LAGRAPH_LIBRARY"])
    check(lib.LAGraph_Init, b" " * 256)
    return lib


def check(function, *arguments):
    """Call a function of LAGraph, whose last argument is the buffer for a message."""
    message = ctypes.create_string_buffer(256)
    status = function(*arguments[:-1], message)
    if status not in (SUCCESS, CACHED_ALREADY):
        raise RuntimeError(f"{function.__name__}: status {status}, {message.value.decode()}")


def call(name, *arguments):
    """Call LAGraph's function of this name."""
    check(getattr(library(), name), *arguments, None)


class LAGraph:
    """A graph of LAGraph around the Matrix of an undirected Graph, with its cached properties."""

    def __init__(self, G):
        if G.kind != "undirected":
            raise gl.errors.InvalidGraph("lagraph.py passes undirected graphs only")
        self.matrix, self.n = G.A, G.n  # the matrix must live as long as this graph
        matrix = ctypes.c_void_p(int(ffi.cast("uintptr_t", G.A.gb_obj[0])))
        self.pointer = ctypes.c_void_p()
        call("LAGraph_New", ctypes.byref(self.pointer), ctypes.byref(matrix), UNDIRECTED)
        weakref.finalize(self, free, self.pointer)
        for name in ("OutDegree", "NSelfEdges", "EMin"):
            if name != "EMin" or G.weighted:
                call(f"LAGraph_Cached_{name}", self.pointer)
        self.delta = None


def free(pointer):
    """Free a graph of LAGraph, but not its matrix, which is the first member of the structure."""
    ctypes.c_void_p.from_address(pointer.value).value = None
    call("LAGraph_Delete", ctypes.byref(pointer))


def vector(g, dtype, name, *arguments):
    """Return the Vector that a function writes to its first argument."""
    result = ffi.new("GrB_Vector*")
    call(name, address(result), *arguments)
    return gb.Vector._from_obj(result, gb.dtypes.lookup_dtype(dtype), g.n)


def address(pointer):
    """Return a pointer of cffi as one of ctypes."""
    return ctypes.c_void_p(int(ffi.cast("uintptr_t", pointer)))


def search(g, source, *, parents):
    """Return the Vectors of levels and parents, or of levels alone."""
    level, parent = ffi.new("GrB_Vector*"), ffi.new("GrB_Vector*")
    source = ctypes.c_uint64(source)
    call(
        "LAGr_BreadthFirstSearch", address(level), address(parent) if parents else None,
        g.pointer, source,
    )  # fmt: skip
    vectors = (level, parent) if parents else (level,)
    return [gb.Vector._from_obj(v, gb.dtypes.INT32, g.n) for v in vectors]


def distances(g, source, delta):
    """Return the Vector of distances, in which infinity is the largest value of the dtype."""
    scalar = gb.Scalar.from_value(delta, dtype=g.matrix.dtype, is_cscalar=False)
    delta = ctypes.c_void_p(int(ffi.cast("uintptr_t", scalar.gb_obj[0])))
    return vector(
        g,
        g.matrix.dtype,
        "LAGr_SingleSourceShortestPath",
        g.pointer,
        ctypes.c_uint64(source),
        delta,
    )


def with_best_delta(G):
    """Return the graph with the fastest delta."""
    g = LAGraph(G)
    g.delta = best_delta(G, lambda source, delta: distances(g, source, delta))
    return g


def finite(_G, found):
    """Return the distances without those that mean unreached."""
    values = found.to_dense(fill_value=0)
    return convert.vector(values, values < np.iinfo(values.dtype).max)


def pagerank(g, _start):
    """Return the ranks in FP32."""
    iterations = ctypes.c_int()
    return vector(
        g, "FP32", "LAGr_PageRankGAP", ctypes.byref(iterations), g.pointer,
        ctypes.c_float(DAMPING), ctypes.c_float(TOLERANCE), MAX_ITERATIONS,
    )  # fmt: skip


def betweenness(g, sources):
    """Return the scores in FP64."""
    array = (ctypes.c_uint64 * len(sources))(*sources)
    return vector(g, "FP64", "LAGr_Betweenness", g.pointer, array, len(sources))


def triangles(g, _start):
    """Count triangles, sorting by degree where LAGraph's rule says so."""
    count = ctypes.c_uint64()
    call("LAGraph_TriangleCount", ctypes.byref(count), g.pointer)
    return count.value


def edges_of_64_bits(G):
    """Return a copy of the Matrix with weights of the one dtype that LAGraph's forest takes."""
    if G.A.dtype.np_type.kind not in "iu" or not 0 <= G.min_weight <= G.max_weight < 2**31:
        raise gl.errors.DomainMismatch("LAGraph's forest takes integer weights of 0 to 2^31 - 1")
    return gb.Matrix.from_coo(*G.A.to_coo(), dtype="UINT64", nrows=G.n, ncols=G.n)


def forest(A, _start):
    """Return the Matrix of a forest's edges."""
    result = ffi.new("GrB_Matrix*")
    pointer = ctypes.c_void_p(int(ffi.cast("uintptr_t", A.gb_obj[0])))
    call("LAGraph_msf", address(result), pointer, False)
    return gb.Matrix._from_obj(result, A.dtype, A.nrows, A.ncols)


entry = partial(Implementation, name="lagraph", prepare=LAGraph)
for implementation in (
    entry(
        algorithm="bfs",
        returns="levels, parents",
        run=lambda g, source: search(g, source, parents=True),
        result=lambda G, r: gl.core.results.BFS(*r),
    ),
    entry(
        algorithm="bfs_levels",
        returns="levels",
        run=lambda g, source: search(g, source, parents=False),
        result=lambda G, r: r[0],
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        prepare=with_best_delta,
        run=lambda g, source: distances(g, source, g.delta),
        result=finite,
    ),
    entry(
        algorithm="connected_components",
        returns="labels",
        run=lambda g, start: vector(g, "UINT32", "LAGr_ConnectedComponents", g.pointer),
        result=lambda G, labels: convert.smallest_vertices(labels.to_dense()),
    ),
    entry(
        algorithm="pagerank_gap",
        returns="ranks",
        run=pagerank,
        result=lambda G, ranks: convert.ranks(ranks.to_dense(fill_value=0)),
    ),
    entry(algorithm="betweenness_centrality", returns="scores", run=betweenness),
    entry(algorithm="triangle_count", returns="count", run=triangles),
    entry(
        algorithm="minimum_spanning_forest",
        returns="edges",
        prepare=edges_of_64_bits,
        run=forest,
        result=lambda G, edges: convert.forest(*edges.to_coo()),
    ),
):
    register(implementation)
