"""Many sources at once beside as many searches, in alternated runs; rows as run.py's.

    python benchmarks/many_sources.py --graph graph500-24 --threads 16

From the same sources: their levels by the algebra, one search after the other, which is the
yardstick; distances and betweenness by hand, and betweenness by the algebra with --algebra. The
graph is one of suite.toml. A row is verified where results of a smaller number of sources agree:
distances with `gl.sssp_distances` (of one), betweenness with the algebra's (of two). What
natives on the device keep of a graph is there before the clock starts: `prepare_s` is the time in
which it is made anew, their kernels being compiled.
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
FEW = 2  # sources of which the algebra checks the sums


def contenders(G, sources, algebra):
    """Return (algorithm, implementation, family, call)."""

    def searches():
        for source in sources:
            gl.bfs_levels(G, source)

    yield "bfs_levels", "graphla", "algebraic", searches
    yield (
        "all_pairs_shortest_paths", "native", "native",
        lambda: gl.native.all_pairs_shortest_paths(G, sources),
    )  # fmt: skip
    for home, name, family in ((gl.native, "native", "native"), (gl, "graphla", "algebraic")):
        if home is gl.native or algebra:
            yield (
                "betweenness_centrality", name, family,
                lambda home=home: home.betweenness_centrality(G, sources, batch=len(sources)),
            )  # fmt: skip


def prepare_s(G, algorithm, family):
    """Return the seconds in which a native on the device makes what it keeps of a graph."""
    if (family, G.engine) != ("native", "cuda"):
        return None
    prepare, H = import_module(f"graphla.native.cuda.{algorithm}").prepare, copy(G)

    def whole():
        prepare(H)
        measure.synchronise(G.engine)

    return round(measure.timed(whole)[0], 6)


def verified(G, sources):
    """Return for each algorithm whether results agree with the algebra's."""
    first, few = sources[0], sources[:FEW]
    native = gl.native.all_pairs_shortest_paths(G, sources)[0, :].new()
    scores, found = (
        home.betweenness_centrality(G, few).to_dense(fill_value=0) for home in (gl, gl.native)
    )
    gl.verify.bfs(G, first, gl.bfs_levels(G, first))
    return {
        "bfs_levels": True,
        "all_pairs_shortest_paths": bool(native.isequal(gl.sssp_distances(G, first))),
        "betweenness_centrality": bool(abs(found - scores).max() <= 1e-9 * abs(scores).max()),
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
    parser.add_argument("--algebra", action="store_true", help="betweenness by the algebra, too")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "cuda.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    suite = tomllib.loads((ROOT / "suite.toml").read_text())
    G = graph(suite, options.graph).to(options.engine)
    degree = G.out_degree.to_dense(fill_value=0)
    able = np.flatnonzero(device.to_host(degree) if G.engine == "cuda" else degree)
    rng = np.random.default_rng(suite["defaults"]["source_seed"])
    sources = rng.choice(able, options.sources, replace=False).tolist()
    field = list(contenders(G, sources, options.algebra))
    right = verified(G, sources)
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
            | {"prepare_s": taken, "trials_s": found, "median_s": measure.median(found)}
            | {"verified": right[algorithm], "error": None}
            for (algorithm, name, family, _), taken, found in zip(
                field, prepared, seconds, strict=True
            )
        ]
    )
    rows.to_jsonl(options.out)
    print(*describe(rows), sep="\n")
    for row in rows:
        told = f"{row['graph']:14} {row['algorithm']:44} {row['implementation']:14}"
        ratio = ratio_of(row, rows[0]).conclusion()
        print(told, times(row), ratio, row["verified"], flush=True)


if __name__ == "__main__":
    main()
