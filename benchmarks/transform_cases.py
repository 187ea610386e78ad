"""The cases of transforms.py: kernels, and the transformed graphs that each runs on."""

from __future__ import annotations

from functools import lru_cache, partial
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from graphblas.dtypes import BOOL
from graphs import drawn

import graphla as gl
from graphla import native
from graphla.comparison import measure
from graphla.core import weight_order
from graphla.core.engines import host_array
from graphla.core.properties import CSR

AS_IT_IS = "as it is"
NUMBERINGS = {
    "by degree": partial(gl.transform.by_degree, cut=False),
    "breadth-first": gl.transform.breadth_first,
    "reverse Cuthill-McKee": gl.transform.reverse_cuthill_mckee,
}

SWEEPS = {  # transform -> variant of Ford-Bellman's sweeps
    "blocked edges": "edges, blocked",
    "read-only": "edges, read-only",
    "blocked edges, read-only": "edges, blocked, read-only",
}
FORESTS = {  # variant of Boruvka's steps -> transforms
    "unsorted": AS_IT_IS,
    "weights": "rows by weight",
    "sorted": "ranks, rows by weight",
    "renumbered": "ranks, rows by weight, breadth-first",
    "byte ids": "ranks, rows by weight, breadth-first, byte ids",
}


class Run(NamedTuple):
    """A kernel on one form of a graph; `answer` returns results in the original vertex order."""

    call: object
    answer: object
    prepare_s: float | None = None  # of a transform that several kernels share


class Case(NamedTuple):
    """A kernel and a graph: `check` verifies its result; `runs` has a function for each Run."""

    kernel: str
    name: str
    graph: object
    check: object
    runs: dict


# ---- kernels


def values(vector, order=None):
    """Return the values of a Vector or array in the original order of the vertices."""
    dense = host_array(vector.to_dense(fill_value=-1) if hasattr(vector, "to_dense") else vector)
    if order is None:
        return dense
    original = np.full_like(dense, -1)
    original[host_array(order)] = dense
    return original


def searches(search, G, roots, order=None):
    """Return the Run of searches from some vertices of the original graph."""
    renumbered_roots = roots
    if order is not None:
        position = np.empty(G.n, np.int64)
        position[host_array(order)] = np.arange(G.n)
        renumbered_roots = position[roots].tolist()

    def answer():
        results = (search(G, root) for root in renumbered_roots)  # a tree, levels or distances
        return [values(getattr(r, "level", r), order) for r in results]

    return Run(lambda: [search(G, root) for root in renumbered_roots], answer)


@lru_cache(len(NUMBERINGS))
def renumbered(G, name):
    """Return (seconds, renumbered graph); kernels of one graph share it."""
    return measure.timed(lambda: NUMBERINGS[name](G))


def numbered(search, G, roots):
    """Return {transform: function that makes a Run of searches} for G and its renumberings."""

    def other(name):
        seconds, (H, permutation) = renumbered(G, name)
        return searches(search, H, roots, permutation.order)._replace(prepare_s=seconds)

    runs = {AS_IT_IS: lambda: searches(search, G, roots)}
    return runs | {name: partial(other, name) for name in NUMBERINGS}


def whole(kernel, G, read):
    """Return the same for a kernel without sources; `read` maps (result, order) to values."""

    def run(H, order=None, seconds=None):
        return Run(lambda: kernel(H), lambda: [read(kernel(H), order)], seconds)

    def other(name):
        seconds, (H, permutation) = renumbered(G, name)
        return run(H, permutation.order, seconds)

    return {AS_IT_IS: lambda: run(G)} | {name: partial(other, name) for name in NUMBERINGS}


def labels(component, order):
    """Return components labelled by the first vertex of each."""
    _, first, inverse = np.unique(values(component, order), return_index=True, return_inverse=True)
    return first[inverse]


def forests(kernel, G):
    """Return the runs of a forest, on the weights and on integers of the same order."""
    codes = weight_order.decode

    def by_codes():
        H, dtype = gl.transform.weights_to_codes(G), G.dtype.np_type
        price = lambda r: codes(host_array(r.edges.weight.to_dense()), dtype, np).sum()  # noqa: E731
        return Run(lambda: kernel(H), lambda: [price(kernel(H))])

    def by_ranks():
        H, weights = gl.transform.weights_to_ranks(G)
        price = lambda r: host_array(weights)[host_array(r.edges.weight.to_dense())].sum()  # noqa: E731
        return Run(lambda: kernel(H), lambda: [price(kernel(H))])

    def nearby():
        H = gl.transform.breadth_first(G).graph
        return Run(lambda: kernel(H), lambda: [kernel(H).weight])

    return {
        AS_IT_IS: lambda: Run(lambda: kernel(G), lambda: [kernel(G).weight]),
        "weights to codes": by_codes,
        "weights to ranks": by_ranks,
        "breadth-first": nearby,
    }


def starts(G, count):
    """Draw vertices with more than one neighbour."""
    candidates = np.flatnonzero(host_array(G.out_degree.to_dense(fill_value=0)) > 1)
    return np.random.default_rng(7).choice(candidates, count, replace=False).tolist()


def checking(verify, kernel, G, *source):
    """Return a check of the kernel's result on the original graph."""

    def check():
        result = kernel(G, *source)
        verify(G, *source, *(result if hasattr(result, "parent") else (result,)))

    return check


def checked_ranks(kernel, G):
    """Check the ranks of PageRank."""
    gl.verify.pagerank(G, kernel(G).rank)


# ---- cases


def cpu(scale, count):
    """Yield the cases of engine "cpu"."""
    from graphla.native.cpu import bfs

    kron = gl.generate.kronecker(scale, seed=1, weights=(1, 255))
    side = 1 << scale // 2
    mesh = gl.generate.grid(side, side, weights=(1, 255))
    mesh = gl.transform.renumber(mesh, np.random.default_rng(1).permutation(mesh.n)).graph
    cliques = gl.generate.ssca2(scale, max_clique=48, weights=(1, 255))

    def with_lists(G, arrange, roots):  # the kernel reads only these fields of a graph
        rows = arrange(G)
        lists = CSR(rows.indptr, rows.indices, None)
        like = SimpleNamespace(csr=lists, csr_transposed=lists, index_dtype=G.index_dtype)
        return searches(bfs.bfs, like, roots)

    def in_bits(G, roots, order=None):
        compressed = gl.transform.compress(G)
        search = lambda _, root: native.bfs_compressed(compressed, root)  # noqa: E731
        return searches(search, G, roots, order)

    def sorted_in_bits(G, roots):
        H, permutation = gl.transform.by_degree(G, cut=False)
        return in_bits(H, roots, permutation.order)

    verify, pagerank = gl.verify, partial(native.pagerank, tol=1e-6)
    for name, G in ((f"kron{scale}", kron), (f"grid{side} shuffled", mesh)):
        roots = starts(G, count)
        runs = numbered(native.bfs, G, roots)
        if G is kron:
            runs["lists by degree"] = partial(with_lists, G, gl.transform.rows_by_degree, roots)
            runs["compressed"] = partial(in_bits, G, roots)
            runs["by degree, compressed"] = partial(sorted_in_bits, G, roots)
        checked = checking(verify.bfs, native.bfs, G, roots[0])
        yield Case("bfs", name, G, checked, runs)
        runs = numbered(native.sssp_distances, G, roots)
        checked = checking(verify.sssp, native.sssp, G, roots[0])
        yield Case("sssp_distances", name, G, checked, runs)
        runs = whole(native.connected_components, G, labels)
        checked = checking(verify.connected_components, native.connected_components, G)
        yield Case("connected_components", name, G, checked, runs)
        runs = whole(pagerank, G, lambda result, order: values(result.rank, order))
        checked = partial(checked_ranks, pagerank, G)
        yield Case("pagerank", name, G, checked, runs)
    for name, G in ((f"kron{scale}", kron), (f"ssca2-{scale}", cliques)):
        yield forest_of(name, G.astype("FP32"))


def forest_of(name, G):
    """Return the case of the native forest of an engine."""
    kernel = native.minimum_spanning_forest
    checked = checking(gl.verify.minimum_spanning_forest, kernel, G)
    return Case("minimum_spanning_forest", name, G, checked, forests(kernel, G))


def cuda(scale, count):
    """Yield the cases of engine "cuda"."""
    from graphla.cuda.device_arrays import matrix_from_csr
    from graphla.cuda.storage.csr import CSR as DeviceCSR
    from graphla.native.cuda import bfs_variants, forest_variants, sssp_variants
    from graphla.native.cuda.papers import variants

    kron = drawn(scale)
    G, roots, name = kron, starts(kron, count), f"graph500-{scale}"

    def with_lists(search):
        rows = gl.transform.rows_by_degree(G)
        # the kernel reads only the structure
        matrix = matrix_from_csr(DeviceCSR(rows.indptr, rows.indices, None, G.n), BOOL)
        return searches(search, SimpleNamespace(n=G.n, A=matrix, AT=matrix), roots)

    for variant in ("pull", "direction-optimised", "buckets", "edges"):
        runs = numbered(bfs_variants[variant], G, roots)
        if variant == "pull":
            runs["lists by degree"] = partial(with_lists, variants.pull)
        if variant == "edges":
            runs["blocked edges, bytes"] = partial(searches, bfs_variants["bytes"], G, roots)
        checked = checking(gl.verify.bfs, bfs_variants[variant], G, roots[0])
        yield Case(f"bfs {variant}", name, G, checked, runs)
    side_by_side = {AS_IT_IS: 0, "interleaved": variants.HEAVIEST, "interleaved, all": 1}
    runs = {
        transform: partial(searches, partial(variants.interleaved, share=share), G, roots)
        for transform, share in side_by_side.items()
    }
    checked = checking(gl.verify.bfs, bfs_variants["interleaved"], G, roots[0])
    yield Case("bfs interleaved", f"{name} by degree", G, checked, runs)
    runs = numbered(sssp_variants["edges"], G, roots)
    for transform, variant in SWEEPS.items():
        runs[transform] = partial(searches, sssp_variants[variant], G, roots)
    checked = checking(gl.verify.sssp, sssp_variants["edges"], G, roots[0])
    yield Case("sssp edges", name, G, checked, runs)

    small = min(scale, 20)  # generated on the CPU
    cliques = gl.generate.ssca2(small, max_clique=48, weights=(1, 255)).to("cuda")
    for graph, H in ((name, kron), (f"ssca2-{small}", cliques)):
        runs = {
            FORESTS[variant]: lambda f=f, H=H: Run(lambda: f(H), lambda: [f(H).weight])
            for variant, f in forest_variants.items()
        }
        plain = forest_variants["unsorted"]
        checked = checking(gl.verify.minimum_spanning_forest, plain, H)
        yield Case("forest of Boruvka", graph, H, checked, runs)
        yield forest_of(graph, H.astype("FP32"))
