"""Algorithms on P ranks of T threads; rows in the format of run.py.

    mpirun -n 4 python benchmarks/ranks.py --scale 22            # four ranks of one thread
    python benchmarks/ranks.py --scale 22 --threads 4            # one rank, and one process

All ranks make each call together, and its time is that of the slowest. One rank alone also runs the
calls on the graph of engine "cpu", in turn. A row of ranks is verified if its result is that of the
one process: levels and counts exactly, PageRank to 1e-9.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from racing import add_max_wait, times

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.quiet import describe, guarded, without_cpu_time
from graphla.comparison.result import Comparison

HERE = Path(__file__).parent
ALGORITHMS = {  # name -> call, and the result as an array or a number
    "bfs_levels": (lambda G: gl.bfs_levels(G, 0), lambda x: x.to_dense(fill_value=-1)),
    "pagerank": (gl.pagerank, lambda x: x.rank.to_dense()),
    "triangle_count": (gl.triangle_count, lambda x: x),
}


def timed(call, ranks):
    """Return the seconds until the slowest rank has completed a call, and the result."""
    wait = ranks.communicator.all
    wait("begin", True)
    begin = time.perf_counter()
    found = call()
    wait("end", True)
    return time.perf_counter() - begin, found


def without_ranks(conditions, ranks, own_seconds):
    """Return the fields of a row on other processes, without the time of the other ranks."""
    microseconds = ranks.communicator.gather_words("cpu", int(own_seconds * 1e6)).first
    return without_cpu_time(conditions, (microseconds.sum() - microseconds[ranks.rank]) / 1e6)


def rows_of(name, field, options, ranks, stamp):
    """Return the rows of one algorithm; `field` has each implementation, its engine and graph."""
    call, result = ALGORITHMS[name]
    for *_, X in field if options.rehearse else ():
        timed(lambda X=X: call(X), ranks)
    seconds, found = [[] for _ in field], [None] * len(field)
    with guarded(options.max_wait) as conditions:
        begin = time.process_time()
        for _ in range(options.trials):
            for k, (*_, X) in enumerate(field):
                taken, found[k] = timed(lambda X=X: call(X), ranks)
                seconds[k].append(taken)
        own_seconds = time.process_time() - begin
    conditions = without_ranks(conditions, ranks, own_seconds)
    found, expected = [result(x) for x in found], None
    if (G := options.graph) is not None:
        gl.set_threads(len(os.sched_getaffinity(0)))  # the other ranks wait
        expected = result(call(G))
        gl.set_threads(options.threads)
    n, nvals = (field[0][-1].n, field[0][-1].A.nvals)
    return [
        stamp
        | conditions
        | {"date": measure.now(), "algorithm": name, "graph": f"kron{options.scale}"}
        | {"n": n, "nvals": nvals, "implementation": implementation, "family": "algebraic"}
        | {"engine": engine, "ranks": ranks.size, "threads": options.threads}
        | {"trials_s": taken, "median_s": measure.median(taken), "error": None}
        | {"verified": None if G is None else bool(np.allclose(x, expected, rtol=1e-9, atol=0))}
        for taken, x, (implementation, engine, _) in zip(seconds, found, field, strict=True)
    ]


def main():
    """Measure, and append the rows on rank 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=22)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="of each rank")
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument(
        "--no-rehearsal",
        dest="rehearse",
        action="store_false",
        help="time first calls, too, which also make what a graph caches",
    )
    parser.add_argument(
        "--implementations", default="graphla-ranks,graphla", help="of one rank: both, or one"
    )
    add_max_wait(parser)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "ranks.jsonl")
    options = parser.parse_args()
    ranks = gl.ranks.mpi(threads=options.threads)
    G = gl.generate.kronecker(options.scale, seed=1) if ranks.rank == 0 else None
    options.graph = G
    H = ranks.distribute(G)
    stamp = {"commit": measure.commit(), "machine": measure.machine()}
    stamp["versions"] = measure.versions()
    field = [("graphla-ranks", "ranks", H)]
    if ranks.size == 1:
        field.append(("graphla", "cpu", G))
    chosen = options.implementations.split(",")
    field = [entry for entry in field if entry[0] in chosen]
    for name in options.algorithms.split(","):
        rows = Comparison(rows_of(name, field, options, ranks, stamp))
        if ranks.rank == 0:
            rows.to_jsonl(options.out)
            print(*describe(rows), sep="\n")
            for row in rows:
                line = f"{row['algorithm']:16} {row['implementation']:14} {row['ranks']} ranks of"
                print(f"{line} {row['threads']} threads", times(row), row["verified"], flush=True)


if __name__ == "__main__":
    main()
