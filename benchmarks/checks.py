"""What run.py does about results beside timing them: shared checks, and quality.

The check of betweenness is the slowest one. Its dependencies are a property of the graph and the
sources alone, so they are computed once for all implementations, each source in its own process.
"""

from __future__ import annotations

import multiprocessing
from functools import cache, partial

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.implementations import all_implementations, register
from graphla.verify import path_passes

compute_dependencies = path_passes.brandes_dependencies
given = {}  # what the processes inherit
known = {}  # (fingerprint, sources) -> what compute_dependencies returns


def dependencies_of(source):
    """Return the dependencies on one source, in a process of its own."""
    return compute_dependencies(given["graph"], [source])


def share_dependencies():
    """Let `gl.verify.betweenness_centrality` remember the dependencies."""

    def dependencies(G, sources):
        key = measure.fingerprint(G), tuple(sources)
        if key not in known:
            G.cache("csr")  # the processes read it, and call no library with threads
            given["graph"] = G
            with multiprocessing.get_context("fork").Pool(len(sources)) as pool:
                parts = pool.map(dependencies_of, sources, chunksize=1)
                pool.close()
                pool.join()
            totals, inner = zip(*parts, strict=True)
            known[key] = sum(totals), sum(inner)
        return known[key]

    path_passes.brandes_dependencies = dependencies


@cache
def record_modularity():
    """Return {(graph's fingerprint, implementation): modularity}, filled by results of louvain."""
    found = {}

    def result_of(i, G, result):
        converted = i.result(G, result)
        found[measure.fingerprint(G), i.name] = float(gl.modularity(G, converted.community))
        return converted

    for i in all_implementations():
        if i.algorithm == "louvain":
            register(i._replace(result=partial(result_of, i)))
    return found


def leave_out_devices():
    """Let `native` mean the implementations on the CPU alone, also where there is a GPU."""
    for i in all_implementations():
        if i.engine != "cpu":
            register(i._replace(family="associative"))  # runs only if its own name is given
