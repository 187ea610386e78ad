"""A graph on the workers of a Dask cluster, here two processes of this machine.

    pip install '.[dask,io]'
    python examples/dask_cluster.py                # --scale 20 for 1 M vertices

The edges are written as Parquet files, which the workers read, each its part. No process has the
whole graph. On a real cluster the client is the only line that changes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from graphblas import semiring

import graphla as gl


def write_edges(folder, scale, files):
    """Write the edges of a random graph as several files."""
    G = gl.generate.kronecker(scale, seed=1)
    src, dst, _ = G.A.to_coo()
    for k in range(files):
        part = gl.Graph.from_edges(src[k::files], dst[k::files], n=G.n)
        gl.write(folder / f"part-{k}.parquet", part)


def two_steps(G, source):
    """Return how many vertices are two edges away: any code in the operations of GraphBLAS."""
    x = G.vector(bool)
    x[source] << True
    for _ in range(2):
        x << x.vxm(G.A, semiring.any_pair)
    return x.nvals


def main(scale, processes):
    """Start a cluster, read a graph and analyse it."""
    from distributed import Client, LocalCluster

    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=processes, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        write_edges(Path(folder), scale, files=4)
        H = gl.read(folder, client=client, kind="undirected")
        print(H)

        def run(name, algorithm):
            begin = time.perf_counter()
            result = algorithm(H)
            print(f"{name}: {time.perf_counter() - begin:.3f} s")
            return result

        search = run("breadth-first search", lambda H: gl.bfs(H, 0))
        rank = run("PageRank", gl.pagerank).rank
        triangles = run("triangles", gl.triangle_count)
        print(f"{search.level.nvals:,} vertices reached, {triangles:,} triangles")
        print(f"the vertex of the highest rank is {rank.to_dense().argmax()}")
        print(f"{H.run(two_steps, 0):,} vertices are two edges from vertex 0")
        search.level.to_parquet(Path(folder, "levels"))
        print(f"{len(list(Path(folder, 'levels').iterdir()))} files of levels")


if __name__ == "__main__":  # the workers import this file
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=14)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    main(options.scale, options.processes)
