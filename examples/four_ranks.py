"""A graph on four processes: each has a part of it, and all run the same algorithms.

    pip install '.[mpi]'
    mpirun -n 4 python examples/four_ranks.py            # --scale 20 for 1 M vertices

Any number of processes will do, on any number of cores; one process needs no mpirun.
"""

from __future__ import annotations

import argparse
import time

import graphla as gl


def main(ranks):
    """Make a graph on rank 0, share it out, analyse it, and print what the ranks sent."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=14)
    options = parser.parse_args()
    say = print if ranks.rank == 0 else lambda *_: None

    G = gl.generate.kronecker(options.scale, seed=1) if ranks.rank == 0 else None
    H = ranks.distribute(G)
    say(f"{H} of {ranks.size}")

    def run(name, algorithm):
        begin = time.perf_counter()
        with gl.trace() as steps:
            result = algorithm(H)
        sent = sum(step.nbytes for step in steps)
        say(f"{name}: {time.perf_counter() - begin:.3f} s, {sent:,} bytes came to rank 0")
        return result

    search = run("breadth-first search", lambda H: gl.bfs(H, 0))
    rank = run("PageRank", gl.pagerank).rank
    triangles = run("triangles", gl.triangle_count)

    level, values = search.level.gathered(), rank.to_dense()  # on every rank, all together
    if ranks.rank == 0:
        gl.verify.bfs(G, 0, level)
        print(f"{level.nvals:,} vertices reached, {triangles:,} triangles")
        print(f"the vertex of the highest rank is {values.argmax()}")


if __name__ == "__main__":
    main(gl.ranks.mpi())
