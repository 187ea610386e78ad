"""The time of a search with parents over that of one without, alternated call by call.

    python benchmarks/parents.py --graphs kron20,grid
    python benchmarks/parents.py --graphs kron22 --engine cuda --threads 16

Rows in the format of run.py, from some sources with edges, and from a vertex without: the shortest
search that there is, in which work on the whole matrix would show.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import numpy as np
from graphs import graph
from racing import add_max_wait, race, times

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.pairs import ratio_of
from graphla.comparison.quiet import describe
from graphla.comparison.result import Comparison
from graphla.core.engines import host_array

HERE = Path(__file__).parent
PAIRS = (  # implementation, where its functions are, with parents, without
    ("graphla", gl, "sssp", "sssp_distances"),
    ("native", gl.native, "sssp", "sssp_distances"),
    ("graphla", gl, "bfs", "bfs_levels"),
)


def sources_of(G, count):
    """Return sources with edges, the same in every run, and one without if there is one."""
    degree = host_array(G.out_degree.to_dense(fill_value=0))
    connected, isolated = np.flatnonzero(degree), np.flatnonzero(degree == 0)
    chosen = np.random.default_rng(7).choice(connected, min(count, connected.size), replace=False)
    return {"connected": chosen.tolist(), "isolated": isolated[:1].tolist()}


def verify(G, name, source, tree, lengths):
    """Check a tree, and that both functions have found the same levels or distances."""
    getattr(gl.verify, name)(G, source, *tree)
    return bool(tree[0].isequal(lengths))


def rows_of(G, sources, pair, options):
    """Return the rows of a function with parents and of that without."""
    implementation, home, *names = pair
    functions = [getattr(home, name) for name in names]
    taken = [[], []]
    for source in sources:
        field = [(options.engine, lambda f=f, s=source: f(G, s)) for f in functions]
        seconds, conditions = race(field, options.trials, options.max_wait)
        for trials, more in zip(taken, seconds, strict=True):
            trials += more
    valid = all(verify(G, names[0], s, *(f(G, s) for f in functions)) for s in sources)
    suffix = "-cuda" if options.engine == "cuda" else ""
    return [
        conditions
        | {"algorithm": name, "implementation": implementation + suffix, "sources": sources}
        | {"family": "native" if home is gl.native else "algebraic", "engine": options.engine}
        | {"trials_s": trials, "median_s": measure.median(trials), "verified": valid, "error": None}
        for name, trials in zip(names, taken, strict=True)
    ]


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", default="kron20,urand20,grid", help="of suite.toml, by commas")
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--sources", type=int, default=4)
    parser.add_argument("--trials", type=int, default=5, help="from each source")
    parser.add_argument("--threads", type=int, default=2)
    add_max_wait(parser)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "parents.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    suite = tomllib.loads((HERE / "suite.toml").read_text())
    stamp = {"commit": measure.commit(), "machine": measure.machine()}
    stamp["versions"] = measure.versions()
    for name in options.graphs.split(","):
        G = graph(suite, name).to(options.engine)
        G.cache("AT", "out_degree", "in_degree", "max_out_degree", "is_symmetric")
        about = stamp | {"graph": name, "n": G.n, "nvals": G.A.nvals}
        for kind, sources in sources_of(G, options.sources).items():
            for pair in PAIRS if sources else ():
                fields = about | {"from": kind, "date": measure.now()}
                rows = Comparison([fields | row for row in rows_of(G, sources, pair, options)])
                rows.to_jsonl(options.out)
                tree, without = rows
                ratio = ratio_of(tree, without)
                print(*describe([tree]), sep="\n")
                line = f"{name:12} {tree['algorithm']:5} {tree['implementation']:12} {kind:9}"
                print(line, times(tree), f"{ratio.median:6.2f} of {without['algorithm']}",
                      "" if tree["verified"] else "WRONG", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
