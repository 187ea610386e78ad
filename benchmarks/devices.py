"""Algorithms on one GPU and on several of one machine, with the time in collectives.

    PYTHONPATH=. python benchmarks/devices.py --devices 2 --scales 24 26

First every algorithm on small graphs is compared with engine "cpu". Then Graph500's graph is made
on one GPU and, in pieces, on the ranks; each call is timed on both, one after the other, and the
result of the ranks is verified by that of the one: levels, labels and counts exactly, sums to
1e-9 (32 bits: 1e-4). What does not fit in --seconds is left out, and a table comes last.
"""

from __future__ import annotations

import argparse
import time
import traceback
from pathlib import Path

import numpy as np
from rank_calls import check_algorithms, fixed_costs, time_in_collectives, timed_calls

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.result import Comparison
from graphla.core.engines import host_array
from graphla.graph500 import kronecker, kronecker_on

HERE = Path(__file__).parent
PATH = 2000  # vertices of a path, whose search has as many levels
SEARCHES = {"bfs", "bfs_levels", "sssp_distances"}
CALLS = {  # label -> algorithm, options, weighted graph
    "bfs_levels": ("bfs_levels", {}, False),
    "bfs": ("bfs", {}, False),
    "pagerank FP64": ("pagerank", {"tol": 1e-4}, False),
    "pagerank FP32": ("pagerank", {"tol": 1e-4, "dtype": "FP32"}, False),
    "connected_components": ("connected_components", {}, False),
    "triangle_count": ("triangle_count", {}, False),
    "sssp_distances": ("sssp_distances", {}, True),
}


def arrays_of(result):
    """Return a result as arrays of the host and numbers."""
    if isinstance(result, tuple):
        return [arrays_of(x) for x in result]
    if hasattr(result, "to_dense"):
        return host_array(result.to_dense(fill_value=-1))
    return result


def is_equal(label, found, expected, G, source):
    """Whether the result of the ranks is right."""
    if label == "bfs":
        level, parent = found
        gl.verify.bfs(G, source, vector(level), vector(parent))
        return bool(np.array_equal(level, expected[0]))
    if label.startswith("pagerank"):
        rtol = 1e-4 if label.endswith("FP32") else 1e-9
        return found[1] == expected[1] and bool(
            np.allclose(found[0], expected[0], rtol=rtol, atol=0)
        )
    if label == "sssp_distances":
        return bool(np.allclose(found, expected, rtol=1e-5, atol=0))
    return bool(np.array_equal(found, expected))


def vector(values):
    """Return a Vector of the device of an array in which -1 is no entry."""
    indices = np.flatnonzero(values >= 0)
    return gl.cuda.Vector.from_coo(indices, values[indices], size=values.size)


class Table:
    """Rows of results, and the lines printed at the end."""

    def __init__(self, options):
        self.rows, self.lines, self.options = [], [], options
        self.stamp = {"commit": measure.commit(), "machine": measure.machine()}
        self.stamp["versions"] = measure.versions()

    def add(self, label, graph, G, devices, trials, verified, collectives=None, error=None):
        """Add a row."""
        median = measure.median(trials) if trials else None
        self.rows.append(
            self.stamp
            | {"date": measure.now(), "algorithm": label, "graph": graph, "n": G.n}
            | {"nedges": G.nedges, "implementation": "graphla-ranks" if devices > 1 else "graphla"}
            | {"family": "algebraic", "engine": "cuda", "devices": devices, "trials_s": trials}
            | {"median_s": median, "collectives": collectives, "verified": verified, "error": error}
        )

    def report(self):
        """Print a line for each pair of rows, and write the rows."""
        heading = f"{'graph':7} {'algorithm':22} {'1 GPU ms':>10} {'ranks ms':>10} {'ratio':>6}"
        print(f"\n{heading} ok    collectives")
        single = {}
        for row in self.rows:
            key = row["graph"], row["algorithm"]
            if row["devices"] == 1:
                single[key] = row
                continue
            one, many = single[key]["median_s"], row["median_s"]
            if row["error"]:
                print(f"{key[0]:7} {key[1]:22} {one * 1e3:10.3f} {row['error'][:100]}")
                continue
            line = f"{key[0]:7} {key[1]:22} {one * 1e3:10.3f} {many * 1e3:10.3f} {one / many:6.2f}"
            print(f"{line} {row['verified']!s:5}", short(row["collectives"]))
        for line in self.lines:
            print(line)
        Comparison(self.rows).to_jsonl(self.options.out)


def short(collectives):
    """Return the time in collectives in a few words."""
    if not collectives:
        return ""
    total, kinds = collectives
    parts = [f"{k.strip('_')} {count}x {s * 1e3:.2f} ms" for k, (count, s) in kinds.items()]
    return f"of {total * 1e3:.2f} ms: " + ", ".join(parts)


def measure_scale(scale, options, table, left):
    """Measure all calls on the graph of one scale."""
    name = f"kron{scale}"
    for weighted in (False, True):
        labels = [x for x in options.calls if CALLS[x][2] == weighted]
        if not labels or (weighted and scale > options.max_weighted) or left() < 60:
            continue
        with gl.ranks.start(engine="cuda", devices=options.devices) as ranks:
            begin = time.perf_counter()
            H = kronecker_on(ranks, scale, weighted=weighted)
            made = time.perf_counter() - begin
            begin = time.perf_counter()
            G = kronecker(scale, weighted=weighted, engine="cuda").graph()
            measure.synchronise("cuda")
            one = time.perf_counter() - begin
            table.lines.append(f"{name} made: {one:.2f} s on one GPU, {made:.2f} s on ranks: {H}")
            print(table.lines[-1], flush=True)
            if H.nedges != G.nedges:
                table.lines.append(f"UNEQUAL: {H.nedges} and {G.nedges} edges")
            gl.cuda.clear_workspaces()
            degree = host_array(G.out_degree.to_dense())
            source = int(np.flatnonzero(degree)[0])
            for label in labels:
                if left() < 30:
                    table.lines.append(f"{name} {label}: not run, no time left")
                    continue
                measure_call(label, name, G, H, source, options, table)
            G = None
            gl.cuda.clear_workspaces()


def measure_call(label, name, G, H, source, options, table):
    """Add the rows of one call."""
    algorithm, keywords, _ = CALLS[label]
    args = (source,) if algorithm in SEARCHES else ()
    try:
        trials, result = timed_calls(G, algorithm, args, keywords, options.trials)
    except Exception as error:
        table.lines.append(f"{name} {label} on one GPU: {type(error).__name__}: {error}"[:200])
        return
    table.add(label, name, G, 1, trials, None)
    expected = arrays_of(result)
    del result
    try:
        trials, result = H.run(timed_calls, algorithm, args, keywords, options.trials)
        found = arrays_of(result)
        del result
        verified = is_equal(label, found, expected, G, source)
        collectives = H.run(time_in_collectives, algorithm, args, keywords)
        table.add(label, name, G, options.devices, trials, verified, collectives)
    except Exception as error:
        traceback.print_exc()
        text = f"{type(error).__name__}: {error}"
        table.add(label, name, G, options.devices, [], False, error=text)
    print(label, name, table.rows[-1]["median_s"], table.rows[-1]["error"], flush=True)


def main():
    """Check, measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--scales", type=int, nargs="*", default=[24, 26])
    parser.add_argument("--max-weighted", type=int, default=26, help="largest scale with weights")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=500, help="for all of it")
    parser.add_argument("--check-seconds", type=float, default=120, help="for small graphs")
    parser.add_argument("--calls", nargs="*", default=list(CALLS))
    parser.add_argument("--out", type=Path, default=HERE / "results" / "devices.jsonl")
    options = parser.parse_args()
    end = time.perf_counter() + options.seconds

    def left():
        return end - time.perf_counter()

    def start():
        return gl.ranks.start(engine="cuda", devices=options.devices)

    table = Table(options)
    try:
        begin = time.perf_counter()
        equal, unequal, others = check_algorithms(start, options.check_seconds)
        spent = time.perf_counter() - begin
        line = f"{len(equal)} algorithms equal to engine cpu in {spent:.0f} s, {len(unequal)} not"
        table.lines.append(f"{line}, not run: {len(others)}")
        table.lines += [f"UNEQUAL {name}: {text}" for name, text in unequal.items()]
        print(*table.lines, sep="\n", flush=True)
        with start() as ranks:
            H = ranks.distribute(gl.generate.path(PATH))
            costs = H.run(fixed_costs)
            seconds, _ = H.run(timed_calls, "bfs_levels", (0,), {}, options.trials)
        level = measure.median(seconds) / PATH * 1e6
        table.lines.append(f"us issued, us done: {costs}; a level of a path: {level:.1f} us")
        print(table.lines[-1], flush=True)
        for scale in options.scales:
            try:
                measure_scale(scale, options, table, left)
            except Exception as error:
                traceback.print_exc()
                table.lines.append(f"kron{scale}: {type(error).__name__}: {error}"[:300])
    finally:
        table.report()


if __name__ == "__main__":
    main()
