"""Effect of each transform of a graph on the kernels it is made for; rows in the format of run.py.

    python benchmarks/transforms.py --scale 20                            # CPU
    python benchmarks/transforms.py --scale 22 --engine cuda --threads 16

A kernel runs alternately on the original and on transformed graphs; `ratio` is the median of the
paired ratios to the original graph. `prepare_s` is the time of the transform. Searches start from
the same vertices, and a trial is the mean over them. A row is verified if the result on the
original graph passes graphla.verify and its own result, mapped back, is the same.
"""

from __future__ import annotations

import argparse
import gc
import statistics
from pathlib import Path

import numpy as np
from racing import add_max_wait, race, times
from transform_cases import AS_IT_IS, cpu, cuda

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.pairs import ratio_of
from graphla.comparison.quiet import describe
from graphla.comparison.result import Comparison

HERE = Path(__file__).parent


def same(answers, first):
    """Return whether all results agree with those on the original graph, up to rounding."""
    pairs = zip(answers, first, strict=True)
    return all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in pairs)


def measured(case, engine, trials, max_wait, count, stamp):
    """Return the rows of one case."""
    runs, prepare, rows = {}, {}, []
    for name, make in case.runs.items():
        seconds, runs[name] = measure.timed(make)
        prepare[name] = runs[name].prepare_s or seconds
    calls = [(engine, run.call) for run in runs.values()]
    seconds, conditions = race(calls, trials, max_wait)
    case.check()
    first = runs[AS_IT_IS].answer()
    searches = count if case.kernel.startswith(("bfs", "sssp")) else 1
    for (name, run), taken in zip(runs.items(), seconds, strict=True):
        ratios = [a / b for a, b in zip(taken, seconds[0], strict=True)]
        rows.append(
            stamp
            | conditions
            | {"date": measure.now(), "algorithm": case.kernel, "graph": case.name}
            | {"n": case.graph.n, "nvals": int(case.graph.A.nvals), "implementation": name}
            | {"family": "native", "engine": engine, "prepare_s": round(prepare[name], 6)}
            | {"trials_s": [round(t / searches, 9) for t in taken]}
            | {"median_s": measure.median([t / searches for t in taken])}
            | {"ratio": round(statistics.median(ratios), 4)}
            | {"verified": name == AS_IT_IS or same(run.answer(), first), "error": None}
        )
    return Comparison(rows)


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--kernels", default="", help="a,b: prefixes of names")
    parser.add_argument("--trials", type=int, default=5)
    add_max_wait(parser)
    parser.add_argument("--sources", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "transforms.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    stamp = {"commit": measure.commit(), "machine": measure.machine()}
    stamp["versions"] = measure.versions()
    cases = (cpu if options.engine == "cpu" else cuda)(options.scale, options.sources)
    for case in cases:
        if not case.kernel.startswith(tuple(options.kernels.split(","))):
            continue
        try:
            protocol = options.engine, options.trials, options.max_wait
            rows = measured(case, *protocol, options.sources, stamp)
        except Exception as error:
            print(f"{case.name} {case.kernel}: {type(error).__name__}: {error}", flush=True)
            continue
        rows.to_jsonl(options.out)
        print(*describe(rows), sep="\n")
        for row in rows:
            line = f"{row['graph']:22} {row['algorithm']:24} {row['implementation']:46}"
            ratio = ratio_of(row, rows[0]).conclusion()
            print(
                line, times(row), ratio, f"{row['prepare_s']:8.2f} s", row["verified"], flush=True
            )
        gc.collect()


if __name__ == "__main__":
    main()
