"""Algorithms from many sources at once against separate searches; rows in the format of run.py.

    python benchmarks/many_sources.py --graph graph500-24 --threads 16

Runs alternate, from the same sources: algebraic BFS levels, one search after the other, as the
baseline; native distances and betweenness; with --algebra also algebraic betweenness. The graph is
one of suite.toml. A row is verified if results for fewer sources agree: distances with
`gl.sssp_distances` (one source), betweenness with the algebraic result (two sources). What native
algorithms cache with the graph is computed before the trials; `prepare_s` is the time of this,
measured on a copy of the graph after the kernels are compiled.
"""

from __future__ import annotations

import argparse
import tomllib
from copy import copy
from importlib import import_module
from pathlib import Path

import numpy as np
from graphs import graph
from racing import add_max_wait, race, times

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.pairs import ratio_of
from graphla.comparison.quiet import describe
from graphla.comparison.result import Comparison
from graphla.cuda.runtime.device import device

ROOT = Path(__file__).parent
FEW = 2  # sources for the check of betweenness


def contenders(G, sources, algebra):
    """Yield (algorithm, implementation, family, call)."""

    def searches():
        for source in sources:
            gl.bfs_levels(G, source)

    yield "bfs_levels", "graphla", "algebraic", searches
    yield (
        "all_pairs_shortest_paths", "native", "native",
        lambda: gl.native.all_pairs_shortest_paths(G, sources),
    )  # fmt: skip
    for module, name, family in ((gl.native, "native", "native"), (gl, "graphla", "algebraic")):
        if module is gl.native or algebra:
            yield (
                "betweenness_centrality", name, family,
                lambda module=module: module.betweenness_centrality(G, sources, batch=len(sources)),
            )  # fmt: skip


def prepare_s(G, algorithm, family):
    """Return the seconds that a native algorithm on the device needs to prepare a graph."""
    if (family, G.engine) != ("native", "cuda"):
        return None
    prepare, H = import_module(f"graphla.native.cuda.{algorithm}").prepare, copy(G)

    def call():
        prepare(H)
        measure.synchronise(G.engine)

    return round(measure.timed(call)[0], 6)


def verified(G, sources):
    """Return for each algorithm whether its results agree with the algebraic ones."""
    first, few = sources[0], sources[:FEW]
    distances = gl.native.all_pairs_shortest_paths(G, sources)[0, :].new()
    algebraic, native = (
        module.betweenness_centrality(G, few).to_dense(fill_value=0) for module in (gl, gl.native)
    )
    gl.verify.bfs(G, first, gl.bfs_levels(G, first))
    return {
        "bfs_levels": True,
        "all_pairs_shortest_paths": bool(distances.isequal(gl.sssp_distances(G, first))),
        "betweenness_centrality": bool(
            abs(native - algebraic).max() <= 1e-9 * abs(algebraic).max()
        ),
    }


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graph", default="graph500-24")
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    add_max_wait(parser)
    parser.add_argument("--algebra", action="store_true", help="measure algebraic betweenness too")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "cuda.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    suite = tomllib.loads((ROOT / "suite.toml").read_text())
    G = graph(suite, options.graph).to(options.engine)
    degree = G.out_degree.to_dense(fill_value=0)
    not_isolated = np.flatnonzero(device.to_host(degree) if G.engine == "cuda" else degree)
    rng = np.random.default_rng(suite["defaults"]["source_seed"])
    sources = rng.choice(not_isolated, options.sources, replace=False).tolist()
    field = list(contenders(G, sources, options.algebra))
    correct = verified(G, sources)
    calls = [(options.engine, call) for *_, call in field]
    seconds, conditions = race(calls, options.trials, options.max_wait)
    prepared = [prepare_s(G, algorithm, family) for algorithm, _, family, _ in field]
    suffix = {"cpu": "", "cuda": "-cuda"}[options.engine]
    about = {"commit": measure.commit(), "machine": measure.machine(), "graph": options.graph}
    about |= {"versions": measure.versions(), "n": G.n, "nvals": G.A.nvals, "sources": sources}
    rows = Comparison(
        [
            about
            | conditions
            | {"date": measure.now(), "algorithm": f"{algorithm} of {len(sources)} sources"}
            | {"implementation": name + suffix, "family": family, "engine": options.engine}
            | {"prepare_s": preparation, "trials_s": taken, "median_s": measure.median(taken)}
            | {"verified": correct[algorithm], "error": None}
            for (algorithm, name, family, _), preparation, taken in zip(
                field, prepared, seconds, strict=True
            )
        ]
    )
    rows.to_jsonl(options.out)
    print(*describe(rows), sep="\n")
    for row in rows:
        line = f"{row['graph']:14} {row['algorithm']:44} {row['implementation']:14}"
        ratio = ratio_of(row, rows[0]).conclusion()
        print(line, times(row), ratio, row["verified"], flush=True)


if __name__ == "__main__":
    main()
