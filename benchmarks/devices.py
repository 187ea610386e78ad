"""Algorithms on one GPU and on several of one machine, with the time in collectives.

    PYTHONPATH=. python benchmarks/devices.py --devices 2 --scales 24 26

First every algorithm on small graphs is compared with engine "cpu", for --check-seconds at most.
Then Graph500's graph of each scale is made on one GPU, the calls are timed, and it is released;
then it is made in pieces on the ranks, which run the same calls. A result of the ranks is verified
there, and by that of the one GPU: levels, labels and counts exactly, sums to 1e-9 (32 bits: 1e-4).
A graph beyond --max-single is made in pieces on one GPU, too, up to --max-alone. What does not fit
in --seconds is left out, and a table comes last. Each rank is bound to a core on which Python is
fast before a call is timed; a row says how long a loop in Python took there after the trials
(loop_us): some 115 us on a Xeon beside H200s; more if something else uses the physical core.
"""

from __future__ import annotations

import argparse
import time
import traceback
from pathlib import Path

import numpy as np
from racing import add_max_wait
from rank_calls import (
    check_algorithms,
    cpu_seconds,
    first_connected_vertex,
    fixed_costs,
    time_in_collectives,
    timed_on_block,
    timed_on_fast_cores,
    verified_search,
)

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.quiet import describe, guarded, without_cpu_time
from graphla.comparison.result import Comparison
from graphla.core.engines import host_array
from graphla.errors import GraphlaError
from graphla.graph500 import kronecker, kronecker_on

HERE = Path(__file__).parent
PATH = 2000  # vertices of a path, whose search has as many levels
SECONDS_OF_A_CALL = 10  # below which no further call begins
SECONDS_OF_A_SCALE = {False: 20, True: 50}  # the same of a graph, and of one beyond one GPU
GATHERS_A_MATRIX = {"triangle_count"}  # on each rank: left out beyond one GPU
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


def is_equal(label, found, expected):
    """Whether the result of the ranks is that of one GPU; parents may be others."""
    if label == "bfs":
        return bool(np.array_equal(found[0], expected[0]))
    if label.startswith("pagerank"):
        rtol = 1e-4 if label.endswith("FP32") else 1e-9
        close = np.allclose(found[0], expected[0], rtol=rtol, atol=0)
        return found[1] == expected[1] and bool(close)
    if label == "sssp_distances":
        return bool(np.allclose(found, expected, rtol=1e-5, atol=0))
    return bool(np.array_equal(found, expected))


class Run:
    """The rows of a run, the lines printed at the end, and how much time is left."""

    def __init__(self, options):
        self.options, self.rows, self.lines = options, [], []
        self.end = time.perf_counter() + options.seconds
        self.stamp = {"commit": measure.commit(), "machine": measure.machine()}
        self.stamp["versions"] = measure.versions()

    def has_time(self, seconds=SECONDS_OF_A_CALL):
        """Whether this many seconds are left."""
        return time.perf_counter() + seconds < self.end

    def say(self, line):
        """Print a line now, and at the end."""
        self.lines.append(line)
        print(line, flush=True)

    def add(self, label, graph, devices, trials, conditions, **fields):
        """Add a row."""
        median = measure.median(trials) if trials else None
        self.rows.append(
            self.stamp
            | {"date": measure.now(), "algorithm": label, "graph": graph}
            | {"implementation": "graphla-ranks" if devices > 1 else "graphla"}
            | {"family": "algebraic", "engine": "cuda", "devices": devices, "trials_s": trials}
            | {"median_s": median, "verified": None, "error": None, **fields}
            | conditions
        )
        print(label, graph, f"devices={devices}", median, fields.get("error"), flush=True)

    def report(self):
        """Print a line for each pair of rows, and write the rows."""
        heading = f"{'graph':7} {'algorithm':22} {'1 GPU ms':>10} {'ranks ms':>10} {'ratio':>6}"
        print(f"\n{heading} ok    collectives")
        pairs = {}
        for row in self.rows:
            pairs.setdefault((row["graph"], row["algorithm"]), {})[row["devices"] > 1] = row
        for (graph, label), rows in pairs.items():
            one, many = (rows.get(k, {}) for k in (False, True))
            times = one.get("median_s"), many.get("median_s")
            texts = ["-" if s is None else f"{s * 1e3:.3f}" for s in times]
            ratio = f"{times[0] / times[1]:.2f}" if all(times) else "-"
            line = f"{graph:7} {label:22} {texts[0]:>10} {texts[1]:>10} {ratio:>6}"
            error = one.get("error") or many.get("error")
            rest = error[:100] if error else short(many.get("collectives"))
            print(f"{line} {many.get('verified')!s:5} {rest}")
        print(*self.lines, *describe(self.rows), sep="\n")
        Comparison(self.rows).to_jsonl(self.options.out)


def short(collectives):
    """Return the time in collectives in a few words."""
    if not collectives:
        return ""
    total, kinds = collectives
    parts = [
        f"{k.strip('_')} {count}x {s * 1e3:.2f} ms {nbytes / 1e6:.1f} MB"
        for k, (count, s, nbytes) in kinds.items()
    ]
    return f"of {total * 1e3:.2f} ms: " + ", ".join(parts)


def text_of(error):
    """Return an error as one line."""
    return f"{type(error).__name__}: {error}"[:300].replace("\n", " ")


def on_one_device(run, name, scale, weighted, labels):
    """Time the calls on one GPU; return the results as arrays of the host."""
    options, expected = run.options, {}
    begin = time.perf_counter()
    G = kronecker(scale, weighted=weighted, engine="cuda").graph()
    measure.synchronise("cuda")
    run.say(f"{name} made on one GPU: {time.perf_counter() - begin:.2f} s: {G.nedges:,} edges")
    gl.cuda.clear_workspaces()
    source = first_connected_vertex(G)
    for label in (x for x in labels if run.has_time()):
        algorithm, keywords, _ = CALLS[label]
        args = (source,) if algorithm in SEARCHES else ()
        try:
            with guarded(options.max_wait) as conditions:
                timed = timed_on_fast_cores(G, algorithm, args, keywords, options.trials)
                trials, result, conditions["loop_us"] = timed
        except GraphlaError as error:
            run.add(label, name, 1, [], {}, n=G.n, nedges=G.nedges, error=text_of(error))
            continue
        run.add(label, name, 1, trials, conditions, n=G.n, nedges=G.nedges)
        expected[label] = arrays_of(result)
        del result
    return expected


def on_one_rank(run, name, scale, labels):
    """Time the calls on one GPU, on a graph that it can hold only if it is made in pieces."""
    options = run.options
    try:
        with gl.ranks.start(engine="cuda", devices=1) as ranks:
            H = kronecker_on(ranks, scale)
            source = H.run(first_connected_vertex)
            for label in (x for x in labels if run.has_time()):
                algorithm, keywords, _ = CALLS[label]
                args = (source,) if algorithm in SEARCHES else ()
                before = H.run(cpu_seconds)
                with guarded(options.max_wait) as conditions:
                    timed = H.run(timed_on_block, algorithm, args, keywords, options.trials)
                    trials, conditions["loop_us"] = timed
                conditions = without_cpu_time(conditions, H.run(cpu_seconds) - before)
                run.add(label, name, 1, trials, conditions, n=H.n, nedges=H.nedges)
    except Exception as error:  # out of memory, in this process or in that of the rank
        run.say(f"{name} on one GPU: {text_of(error)}")


def on_ranks(run, name, scale, weighted, labels, expected):
    """Time the calls on the ranks and verify their results."""
    options = run.options
    with gl.ranks.start(engine="cuda", devices=options.devices) as ranks:
        begin = time.perf_counter()
        H = kronecker_on(ranks, scale, weighted=weighted)
        run.say(f"{name} made on ranks: {time.perf_counter() - begin:.2f} s: {H}")
        source, size = H.run(first_connected_vertex), {"n": H.n, "nedges": H.nedges}
        for label in (x for x in labels if run.has_time()):
            algorithm, keywords, _ = CALLS[label]
            args, verified = (source,) if algorithm in SEARCHES else (), None
            try:
                before = H.run(cpu_seconds)
                call = algorithm, args, keywords, options.trials
                with guarded(options.max_wait) as conditions:
                    trials, result, conditions["loop_us"] = H.run(timed_on_fast_cores, *call)
                conditions = without_cpu_time(conditions, H.run(cpu_seconds) - before)
                if label in expected:
                    verified = is_equal(label, arrays_of(result), expected[label])
                del result
                collectives = H.run(time_in_collectives, algorithm, args, keywords)
            except Exception as error:
                traceback.print_exc()
                run.add(label, name, options.devices, [], {}, **size, error=text_of(error))
                if ranks.error is not None:
                    return
                continue
            facts = {"verified": verified, "collectives": collectives}
            run.add(label, name, options.devices, trials, conditions, **size, **facts)
        if not weighted and run.has_time():
            try:
                seconds = H.run(verified_search, source)
                run.say(f"{name}: bfs of the ranks verified there in {seconds:.2f} s")
            except Exception as error:
                run.say(f"{name}: bfs is not verified on the ranks: {text_of(error)}")


def measure_scale(run, scale):
    """Measure all calls on the graph of one scale, on one GPU first, which is released then."""
    name, is_beyond_one = f"kron{scale}", scale > run.options.max_single
    for weighted in (False, True):
        labels = [x for x in run.options.calls if CALLS[x][2] == weighted]
        if is_beyond_one:
            labels = [x for x in labels if x not in GATHERS_A_MATRIX]
        if not labels or (weighted and scale > run.options.max_weighted):
            continue
        if not run.has_time(SECONDS_OF_A_SCALE[is_beyond_one]):
            run.say(f"{name}: no time left")
            continue
        expected = {}
        if not is_beyond_one:
            try:
                expected = on_one_device(run, name, scale, weighted, labels)
            except GraphlaError as error:
                run.say(f"{name} on one GPU: {text_of(error)}")
            gl.cuda.clear_workspaces()
        elif scale <= run.options.max_alone:
            on_one_rank(run, name, scale, labels)
        try:
            on_ranks(run, name, scale, weighted, labels, expected)
        except Exception as error:
            traceback.print_exc()
            run.say(f"{name} on ranks: {text_of(error)}")


def main():
    """Check, measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--scales", type=int, nargs="*", default=[24, 26])
    parser.add_argument("--max-weighted", type=int, default=26, help="largest scale with weights")
    parser.add_argument("--max-single", type=int, default=26, help="largest scale on one GPU")
    parser.add_argument("--max-alone", type=int, default=28, help="the same, made in pieces")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=500, help="for all of it")
    parser.add_argument("--check-seconds", type=float, default=120, help="for small graphs")
    parser.add_argument("--calls", nargs="*", choices=CALLS, default=list(CALLS))
    parser.add_argument("--out", type=Path, default=HERE / "results" / "devices.jsonl")
    add_max_wait(parser)
    options = parser.parse_args()

    def start():
        return gl.ranks.start(engine="cuda", devices=options.devices)

    run = Run(options)
    try:
        if options.check_seconds:
            begin = time.perf_counter()
            equal, unequal, others = check_algorithms(start, options.check_seconds)
            spent = time.perf_counter() - begin
            line = f"{len(equal)} algorithms equal to engine cpu in {spent:.0f} s"
            run.say(f"{line}, {len(unequal)} not, not run: {len(others)}")
            for name, text in unequal.items():
                run.say(f"UNEQUAL {name}: {text}")
        with start() as ranks:
            H = ranks.distribute(gl.generate.path(PATH))
            with guarded(options.max_wait):
                costs = H.run(fixed_costs)
                seconds, *_ = H.run(timed_on_fast_cores, "bfs_levels", (0,), {}, options.trials)
        level = measure.median(seconds) / PATH * 1e6
        run.say(f"us issued, us done: {costs}; a level of a path: {level:.1f} us")
        for scale in options.scales:
            measure_scale(run, scale)
    finally:
        run.report()


if __name__ == "__main__":
    main()
