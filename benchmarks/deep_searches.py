"""Betweenness centrality of graphs with many levels: time and peak memory.

    python benchmarks/deep_searches.py --engine cuda
    python benchmarks/deep_searches.py --engine cpu --length 10000

The graphs are a path of `length` vertices and a caterpillar, a path with one leaf at each vertex.
On "cuda" the memory is the growth of CuPy's pool, without the graph; on "cpu" the growth of the
peak resident set size.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from racing import add_max_wait

import graphla as gl
from graphla.comparison.quiet import describe, guarded

NAMES = (
    "betweenness_centrality",
    "native.betweenness_centrality",
    "betweenness_centrality_weighted",
    "edge_betweenness_centrality",
)


def graphs(length):
    """Yield a name and a graph."""
    i = np.arange(length)
    yield "path", gl.Graph.from_edges(i[:-1], i[1:], kind="undirected")
    yield (
        "caterpillar",
        gl.Graph.from_edges(
            np.concatenate([i[:-1], i]), np.concatenate([i[1:], length + i]), kind="undirected"
        ),
    )


def memory_bytes(engine):
    """Return the bytes of CuPy's pool, or the peak resident set size on "cpu"."""
    if engine == "cpu":
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    from graphla.cuda.runtime.device import device

    return device.pool_bytes()


def main():
    """Run each function on each graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--length", type=int, default=100_000)
    parser.add_argument("--sources", type=int, default=1)
    parser.add_argument("--names", default=",".join(NAMES))
    add_max_wait(parser)
    args = parser.parse_args()
    for graph, G in graphs(args.length):
        G = G.to(args.engine)
        sources = list(range(args.sources))
        for name in args.names.split(","):
            function = gl
            for part in name.split("."):
                function = getattr(function, part)
            function(gl.Graph.from_edges([0, 1], [1, 2]).to(args.engine), [0])  # compiles
            if args.engine == "cuda":
                from graphla.cuda.runtime.device import device

                device.pool_bytes(release=True)
            before = memory_bytes(args.engine)
            with guarded(args.max_wait) as conditions:
                start = time.perf_counter()
                function(G, sources).nvals
                seconds = time.perf_counter() - start
            peak = memory_bytes(args.engine) - before
            print(
                f"{graph:12} n={G.n:<8,} {name:32} {seconds:9.2f} s {peak / 1e6:10.1f} MB "
                f"{peak / (G.n + G.A.nvals):8.0f} bytes a vertex and entry",
                flush=True,
            )
            row = {"algorithm": name, "graph": graph} | conditions
            print(*describe([row]), sep="\n", flush=True)


if __name__ == "__main__":
    main()
