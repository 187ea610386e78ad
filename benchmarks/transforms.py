"""What each transform of a graph is worth to the kernels that it was made for; rows as run.py's.

    python benchmarks/transforms.py --scale 20                            # CPU
    python benchmarks/transforms.py --scale 22 --engine cuda --threads 16

A kernel runs on the graph as it is and on transformed ones in alternated runs; `ratio` is the
median of its pairs to the graph as it is. `prepare_s` is the transform. Searches start from
the same vertices, and a trial is the mean of them. A row is verified where the first one's
result passes graphla.verify and its own, brought back to the vertices as they were, is the same.
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
    """Whether each result is the first one's; ranks and sums to the rounding."""
    pairs = zip(answers, first, strict=True)
    return all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in pairs)


def measured(case, engine, trials, max_wait, count, stamp):
    """Return the rows of one case."""
    made, prepare, rows = {}, {}, []
    for name, make in case.runs.items():
        seconds, made[name] = measure.timed(make)
        prepare[name] = made[name].prepare_s or seconds
    calls = [(engine, run.call) for run in made.values()]
    seconds, conditions = race(calls, trials, max_wait)
    case.check()
    first = made[AS_IT_IS].answer()
    each = count if case.kernel.startswith(("bfs", "sssp")) else 1
    for (name, run), taken in zip(made.items(), seconds, strict=True):
        ratios = [a / b for a, b in zip(taken, seconds[0], strict=True)]
        rows.append(
            stamp
            | conditions
            | {"date": measure.now(), "algorithm": case.kernel, "graph": case.name}
            | {"n": case.graph.n, "nvals": int(case.graph.A.nvals), "implementation": name}
            | {"family": "native", "engine": engine, "prepare_s": round(prepare[name], 6)}
            | {"trials_s": [round(t / each, 9) for t in taken]}
            | {"median_s": measure.median([t / each for t in taken])}
            | {"ratio": round(statistics.median(ratios), 4)}
            | {"verified": name == AS_IT_IS or same(run.answer(), first), "error": None}
        )
    return Comparison(rows)


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--kernels", default="", help="a,b: those whose names begin so")
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
            told = f"{row['graph']:22} {row['algorithm']:24} {row['implementation']:46}"
            ratio = ratio_of(row, rows[0]).conclusion()
            print(
                told, times(row), ratio, f"{row['prepare_s']:8.2f} s", row["verified"], flush=True
            )
        gc.collect()


if __name__ == "__main__":
    main()
