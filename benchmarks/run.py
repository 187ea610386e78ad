"""Measure the algebraic algorithms, beside a peer where one is named.

    python benchmarks/run.py --graphs kron18 --algorithms bfs,sssp
    python benchmarks/run.py --peer lagraph_peer        # a module that has class Peer

Every trial of every implementation of one algorithm alternates in one process;
see README.md for the protocol and for what a peer module offers.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import tomllib
from pathlib import Path

import measure
import numpy as np
from graphblas import unary

import graphla as gl
from graphla.errors import InvalidValue

HERE = Path(__file__).parent
BFS_LIKE = ("bfs", "bfs_levels", "sssp", "sssp_distances")


def sources_of(G, count, seed):
    """Return `count` distinct vertices with an edge, the same for every implementation."""
    able = np.flatnonzero(G.out_degree.to_dense())
    return np.random.default_rng(seed).choice(able, count, replace=False).tolist()


def pattern_of(G):
    """Return the graph without its weights, as algorithms on structure alone are given it."""
    return gl.Graph(G.A.apply(unary.one["BOOL"]).new(), kind=G.kind, copy=False)


def prepare(algorithm, G):
    """Compute, outside every timing, what the algorithm keeps on the graph."""
    names = ["AT", "out_degree", "in_degree", "max_out_degree", "is_symmetric", "nself_edges"]
    if algorithm.startswith("sssp"):
        names += ["min_weight", "max_weight", "mean_weight", "has_nan"]
    if algorithm == "minimum_spanning_forest":
        names += ["has_nan", "ranks"]
    seconds, _ = measure.timed(lambda: G.cache(*names))
    return seconds


def calls(algorithm, G, trials):
    """Return one zero-argument call of ours for each trial."""
    function = getattr(gl, algorithm)
    if algorithm in (*BFS_LIKE, "betweenness_centrality"):
        return [lambda s=s: function(G, s) for s in trials]
    if algorithm == "pagerank":
        return [lambda: function(G, dtype="FP32") for _ in trials]
    return [lambda: function(G) for _ in trials]


def verified(algorithm, G, source, result):
    """Return True where verify.py accepts the result, None where it cannot judge; else raise."""
    try:
        verify(algorithm, G, source, result)
    except InvalidValue as beyond:
        print(f"not verified: {beyond}")
        return None
    return True


def verify(algorithm, G, source, result):
    """Give the result to its function of verify.py."""
    check = getattr(gl.verify, algorithm.removesuffix("_levels").removesuffix("_distances"), None)
    check = gl.verify.pagerank if algorithm.startswith("pagerank") else check
    if algorithm == "bfs":
        check(G, source, level=result.level, parent=result.parent)
    elif algorithm == "bfs_levels":
        check(G, source, level=result)
    elif algorithm == "sssp":
        check(G, source, result.distance, result.parent)
    elif algorithm in ("sssp_distances", "betweenness_centrality"):
        check(G, source, result)
    elif algorithm.startswith("pagerank"):
        check(G, result.rank, dangling=algorithm == "pagerank")
    else:
        check(G, result)


def measure_one(algorithm, name, G, peer, defaults):
    """Measure one algorithm on one graph: rows of ours and of the peer, alternated."""
    weighted = algorithm.startswith(("sssp", "minimum"))
    G = G if weighted or not G.weighted else pattern_of(G)
    before = prepare(algorithm, G)
    count, seed = defaults["pairs"], defaults["source_seed"]
    trials = sources_of(G, count, seed)
    if algorithm == "betweenness_centrality":
        flat = sources_of(G, 4 * count, seed)
        trials = [flat[4 * k : 4 * k + 4] for k in range(count)]
    ours = calls(algorithm, G, trials)
    theirs = peer.calls(algorithm, G, trials) if peer else None

    result = ours[0]()
    ok = verified(algorithm, G, trials[0], result)
    del result
    peak = measure.peak_above(ours[0])
    if theirs:
        peer_peak = measure.peak_above(theirs[0])
    mine, other = [], []
    for k in range(count):
        gc.collect()  # not inside a timing
        seconds, result = measure.timed(ours[k])
        mine.append(seconds)
        del result
        if theirs:
            seconds, result = measure.timed(theirs[k])
            other.append(seconds)
            if hasattr(result, "free"):
                result.free()
    common = {
        "machine": measure.machine(defaults["threads"]),
        "versions": measure.versions(),
        "algorithm": algorithm,
        "engine": "cpu",
        "graph": name,
        "fingerprint": measure.fingerprint(G),
        "n": G.n,
        "nvals": G.A.nvals,
    }
    rows = [
        measure.row(
            trials=mine, **common, implementation="graphla", family="algebraic",
            prepare_s=round(before, 6), peak_bytes=peak, verified=ok,
            gteps=round(G.nedges / (sum(mine) / count) / 1e9, 6) if algorithm in BFS_LIKE else None,
        )
    ]  # fmt: skip
    if theirs:
        rows[0]["ratio"] = {"to": peer.name, **measure.ratio(mine, other)}
        rows.append(
            measure.row(
                trials=other, **common, implementation=peer.name, family="peer",
                prepare_s=None, peak_bytes=peer_peak, verified=None,
                gteps=round(G.nedges / (sum(other) / count) / 1e9, 6)
                if algorithm in BFS_LIKE else None,
            )
        )  # fmt: skip
    return rows


def report(rows):
    """Print one line for a measurement."""
    ours = rows[0]
    line = f"{ours['graph']:14} {ours['algorithm']:24} {ours['median_s'] * 1e3:10.2f} ms"
    if len(rows) > 1:
        r = ours["ratio"]
        line += f"  {rows[1]['implementation']} {rows[1]['median_s'] * 1e3:10.2f} ms"
        line += f"  ratio {r['median']:.2f} {r['quartiles']}"
    print(line, f" peak {ours['peak_bytes'] / 1e6:.0f} MB", flush=True)


def main():
    """Run what the command line names of suite.toml and append the rows."""
    suite = tomllib.loads((HERE / "suite.toml").read_text())
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", default="", help="comma-separated; default: all of the suite")
    parser.add_argument("--algorithms", default="", help="comma-separated; default: all")
    parser.add_argument("--peer", default="", help="module with a class Peer")
    parser.add_argument("--out", default=str(HERE / "results" / "cpu.jsonl"))
    parser.add_argument("--dry", action="store_true", help="print, but keep no rows")
    options = parser.parse_args()
    wanted = [a for a in options.algorithms.split(",") if a] or list(suite["algorithms"])
    named = [g for g in options.graphs.split(",") if g] or list(suite["graphs"])
    gl.set_threads(suite["defaults"]["threads"])
    peer = importlib.import_module(options.peer).Peer() if options.peer else None
    for name in named:
        todo = [a for a in wanted if options.algorithms or name in suite["algorithms"][a]]
        if not todo:
            continue
        spec = dict(suite["graphs"][name])
        G = getattr(gl.generate, spec.pop("make"))(*spec.pop("args"), **spec)
        for algorithm in todo:
            usable = peer if peer and algorithm in peer.algorithms else None
            rows = measure_one(algorithm, name, G, usable, suite["defaults"])
            report(rows)
            if not options.dry:
                measure.append(Path(options.out), rows)


if __name__ == "__main__":
    main()
