"""Time the same calls in two checkouts of graphla, alternated: what did a change of code cost?

    git worktree add ../before COMMIT
    python benchmarks/two_trees.py ../before . --graphs kron:20,grid:2048 --out rows.jsonl

Each checkout has a process of its own, which makes the graphs and waits for requests. In every
round each process runs a call once, in turn, and the median over some sources is a trial. A row
has the trials of both, and `ratio`, the median over the rounds of after / before. Processes share
the machine, so what one leaves behind (cached memory, threads) is there for the other, too.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from racing import add_max_wait

from graphla.comparison import measure
from graphla.comparison.quiet import guarded

CASES = (
    *("bfs", "sssp_distances", "connected_components", "pagerank_gap"),
    *("minimum_spanning_forest", "betweenness_centrality"),
)
NO_SOURCE = {
    *("connected_components", "pagerank_gap", "minimum_spanning_forest", "label_propagation"),
    *("core_number", "clustering_coefficient", "triangles", "greedy_color"),
}
WORKER = """
import json, statistics, sys, time
import numpy as np
import graphla as gl

engine, graphs = sys.argv[1], sys.argv[2].split(",")

def synchronise():
    if engine == "cuda":
        import cupy
        cupy.cuda.Device().synchronize()

def make(name):
    kind, size = name.split(":")
    if kind == "kron":
        G = gl.generate.kronecker(int(size), seed=1, weights=(1, 255))
    elif kind == "uniform":
        G = gl.generate.uniform(int(size), seed=1)
    elif kind == "path":
        G = gl.generate.path(int(size))
    elif kind in ("grid", "holes"):
        holes = 0.03 if kind == "holes" else 0.0
        G = gl.generate.grid(int(size), int(size), holes=holes, weights=(1, 255))
    else:
        sys.exit(f"unknown graph {name}")
    G = G if engine == "cpu" else G.to(engine)
    return G.cache("AT", "out_degree", "in_degree", "max_out_degree", "is_symmetric")

def choose_sources(G):
    degree = G.out_degree.to_dense()
    degree = degree.get() if hasattr(degree, "get") else degree
    candidates = np.flatnonzero(degree)
    return candidates[:: max(1, candidates.size // 8)][:8].tolist()

def timed(G, home, name, source):
    call = getattr(gl.native if home == "native" else gl, name)
    arguments = () if source is None else ([source] if "between" in name else source,)
    synchronise()
    start = time.perf_counter()
    result = call(G, *arguments)
    for part in result if isinstance(result, tuple) else (result,):
        if hasattr(part, "wait"):
            part.wait()
    synchronise()
    return time.perf_counter() - start

made = {name: make(name) for name in graphs}
sources = {name: choose_sources(G) for name, G in made.items()}
print("ready", flush=True)
for line in sys.stdin:
    graph, home, name, count = json.loads(line)
    chosen = sources[graph][:count] if count else [None]
    trials = [timed(made[graph], home, name, source) for source in chosen]
    print(json.dumps(statistics.median(trials)), flush=True)
"""


class Worker:
    """A process that runs calls in one checkout."""

    def __init__(self, tree, engine, graphs):
        path = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, engine, ",".join(graphs)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def receive(self):
        line = self.process.stdout.readline().strip()
        if not line:
            sys.exit("a worker has ended; its error is above")
        return line

    def seconds(self, *request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.receive())


def compare(workers, graph, home, name, rounds, max_wait):
    """Return the trials of each worker, and how busy the machine was before them."""
    count = 0 if name in NO_SOURCE else 1 if "between" in name else 4
    trials = [[] for _ in workers]
    for worker in workers:  # compiles, and caches derived data
        worker.seconds(graph, home, name, count)
    with guarded(max_wait) as conditions:
        for k in range(rounds):
            for at in (0, 1) if k % 2 else (1, 0):
                trials[at].append(workers[at].seconds(graph, home, name, count))
    return trials, {key: conditions[key] for key in ("load", "quiet", "waited_s")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="a checkout")
    parser.add_argument("after", type=Path, help="another one")
    parser.add_argument(
        "--graphs",
        default="kron:16",
        help="kron:SCALE, uniform:SCALE, grid:SIDE, holes:SIDE, path:SIZE",
    )
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--cases", default=",".join(CASES), help="functions, by commas")
    parser.add_argument("--native", default="", help="native functions, by commas")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--commits", default="", help="of both, by a comma, if there is no git")
    parser.add_argument("--out", type=Path, help="a file of rows to append to")
    add_max_wait(parser)
    options = parser.parse_args()
    graphs = options.graphs.split(",")
    trees = [tree.resolve() for tree in (options.before, options.after)]
    commits = options.commits.split(",") if options.commits else [_commit(tree) for tree in trees]
    workers = [Worker(tree, options.engine, graphs) for tree in trees]
    for worker in workers:
        worker.receive()
    cases = [("graphla", name) for name in options.cases.split(",") if name]
    cases += [("native", name) for name in options.native.split(",") if name]
    for graph in graphs:
        for home, name in cases:
            (before, after), conditions = compare(
                workers, graph, home, name, options.rounds, options.max_wait
            )
            ratio = statistics.median(b / a for a, b in zip(before, after, strict=True))
            row = {
                "graph": graph,
                "algorithm": name,
                "implementation": home,
                "engine": options.engine,
                "before_s": before,
                "after_s": after,
                "ratio": round(ratio, 4),
                "commits": commits,
                "machine": measure.machine(),
                "versions": measure.versions(),
                "date": measure.now(),
                **conditions,
            }
            ms = [statistics.median(trials) * 1e3 for trials in (before, after)]
            print(
                f"{graph:10} {home:8} {name:26} {ms[0]:10.3f} {ms[1]:10.3f} ms {ratio:7.3f}",
                flush=True,
            )
            if options.out:
                with options.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")


def _commit(tree):
    done = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=tree, capture_output=True, text=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    main()
