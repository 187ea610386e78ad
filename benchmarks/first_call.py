"""The first search of a process, with all imports; rows in results/first_call.jsonl.

    python benchmarks/first_call.py

A process that imports graphla and searches a graph of two edges alternates with one that computes
one product by python-graphblas alone. Wall and CPU seconds of the whole processes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from racing import add_max_wait

from graphla.comparison import measure
from graphla.comparison.quiet import guarded

ROWS = Path(__file__).parent / "results" / "first_call.jsonl"
PROCESSES = {
    "bfs": "import graphla as gl; gl.bfs(gl.Graph.from_edges([0, 1], [1, 2]), 0).level.nvals",
    "product": "import graphblas as gb; A = gb.Matrix.from_coo([0, 1], [1, 2], [1, 1], nrows=3, "
    "ncols=3); gb.Vector.from_coo([0], [1], size=3).vxm(A, gb.semiring.any_pair).new().nvals",
}


def run(code: str) -> tuple[float, float]:
    """Return the wall and the CPU seconds of a process."""
    start, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-c", code], check=True)
    wall, after = time.perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system
    return round(wall, 4), round(cpu - before.children_user - before.children_system, 4)


def main() -> None:
    """Append a row, and print its medians."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trials", type=int, default=7)
    add_max_wait(parser)
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in PROCESSES}
    with guarded(options.max_wait) as conditions:
        for trial in range(options.trials + 1):  # the first fills the file system's cache
            for name in list(PROCESSES)[:: 1 if trial % 2 else -1]:
                times[name].append(run(PROCESSES[name]))
    row = {
        "date": measure.now(), "commit": measure.commit(), "machine": measure.machine(),
        "versions": measure.versions([]),
    } | conditions  # fmt: skip
    for name, trials in times.items():
        wall, cpu = (list(column) for column in zip(*trials[1:], strict=True))
        row |= {f"{name}_s": wall, f"{name}_cpu_s": cpu}
        print(f"{name}: {median(wall):.2f} s, {median(cpu):.2f} s of CPU time")
    with ROWS.open("a") as file:
        file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
