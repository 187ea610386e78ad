"""Measure the STAR-machine and append the rows to results/star.jsonl.

    python benchmarks/star.py closure --engine cpu --sizes 1000,2000,3000,4000,5000
    python benchmarks/star.py operations --engine cuda --lengths 3,4,5,6,7,8
    python benchmarks/star.py bandwidth --engine cuda
    python benchmarks/star.py large --engine cuda --sizes 180000
    python benchmarks/star.py plot          # ../docs/star_operations.svg from the rows

A trial is the wall-clock time from the call to the synchronised result. For short operations it is
the mean of many calls in a row with one synchronisation. Closures overwrite a copy that is made
before the clock starts, and are compared with `gl.transitive_closure`; of a large closure some
rows are compared with a search. The K40's figures are from the paper: Snytnikova,
Nepomniaschaya 2016.
"""

# ruff: noqa: B023
from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from racing import add_max_wait

import graphla as gl
from graphla import star
from graphla.comparison import measure
from graphla.comparison.pairs import NOISY, quartiles, too_noisy
from graphla.comparison.quiet import guarded
from graphla.star import Slice, Table, Word, algorithms

HERE = Path(__file__).parent
ROWS = HERE / "results" / "star.jsonl"
K40_ADAPTED = {1000: 0.003, 2000: 0.027, 3000: 0.093, 4000: 0.236, 5000: 0.372}
K40_COLUMNS = {1000: 4.827, 2000: 11.161, 3000: 23.363, 4000: 42.661, 5000: 64.454}
FORMS = ("warshall_columns", "warshall_adapted", "warshall_blocked")
GIGABIT = 10**9
COLUMNS = 32  # of the tables in `operations` and `bandwidth`


def seconds(call, engine, calls=1):
    """Return the mean time of some calls in a row with one synchronisation at the end."""
    measure.synchronise(engine)
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    measure.synchronise(engine)
    return (time.perf_counter() - begin) / calls


def trials(call, engine, count=7, budget=0.12):
    """Return trials of a short operation, each of as many calls as fit the budget in seconds."""
    call()
    calls = max(1, min(200, int(budget / count / max(seconds(call, engine), 1e-7))))
    return [round(seconds(call, engine, calls), 9) for _ in range(count)]


class RowWriter:
    """Appends rows with the fields that all rows of a run share, and prints them."""

    def __init__(self, engine, commit, out):
        self.out = out
        self.stamp = {
            "date": measure.now(), "commit": commit or measure.commit(),
            "machine": measure.machine(), "versions": measure.versions(),
            "family": "associative", "engine": engine,
        }  # fmt: skip

    def add(self, algorithm, times, conditions, **more):
        median = round(statistics.median(times), 9)
        row = self.stamp | conditions | {"algorithm": algorithm, "trials_s": times}
        row |= {"median_s": median} | more
        if self.out:
            with self.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
        details = {k: v for k, v in more.items() if k not in ("fingerprint", "verified")}
        checked = "" if more.get("verified") is not False else "  WRONG"
        low, _, high = quartiles(times)
        if too_noisy(low, high, conditions["foreign_cpu_share"]):
            details = NOISY
        shares = f"load {conditions['load']}, other processes {conditions['foreign_cpu_share']}"
        time_of = f"{min(times) * 1e6:14.2f} us at least, median {median * 1e6:14.2f} us"
        print(f"{algorithm:20} {time_of}  {details}{checked}  ({shares})", flush=True)


def closure(options, rows):
    """Time the forms of Warshall's closure on random digraphs of degree 8."""
    for n in options.sizes:
        G = gl.generate.random_digraph(n, 8, seed=1)
        T = Table.from_graph(G.to(options.engine))
        model = Table.from_numpy(gl.transitive_closure(G).to_dense(fill_value=False))
        for form in options.forms:
            close, taken = getattr(algorithms, form), []
            close(T)  # compiles
            with guarded(options.max_wait) as conditions:
                for _ in range(options.trials):
                    C = T.copy()
                    time_of_one = seconds(lambda: close(C, overwrite=True), options.engine)
                    taken.append(round(time_of_one, 7))
            k40 = (K40_COLUMNS if form == "warshall_columns" else K40_ADAPTED).get(n)
            rows.add(
                "transitive_closure", taken, conditions, implementation=form,
                graph=f"digraph{n}-8", n=n, nvals=G.A.nvals, fingerprint=measure.fingerprint(G),
                bytes=T.nbytes, k40_s=k40, ratio=k40 and round(k40 / statistics.median(taken), 1),
                verified=bool((C.to("cpu").data == model.data).all()),
            )  # fmt: skip


def large(options, rows):
    """Time one closure of a table that is as large as the memory of a smaller device."""
    for n in options.sizes:
        G = gl.generate.random_digraph(n, 2, seed=1)
        T = Table.from_graph(G.to(options.engine))
        with guarded(options.max_wait) as conditions:
            close = lambda: algorithms.warshall_blocked(T, overwrite=True)  # noqa: E731
            taken = [seconds(close, options.engine)]
        correct, sources = True, G.csr.indices[::10_000][:16]
        for v in map(int, sources):  # has an incoming edge; bit v says whether it is on a cycle
            reached = gl.bfs_levels(G, v).to_dense(fill_value=-1) > 0
            row = T.row(v + 1).to_numpy()
            row[v] = reached[v]
            correct &= bool((row == reached).all())
        paper_bytes = 8 * (n * (-(-n // 64) + 1) + 1)
        rows.add(
            "transitive_closure", taken, conditions, implementation="warshall_blocked",
            graph=f"digraph{n}-2", n=n, nvals=G.A.nvals, bytes=T.nbytes,
            bytes_of_the_source=paper_bytes, verified=correct,
        )  # fmt: skip


def operations(options, rows):
    """Time the basic operations and procedures for several lengths."""
    engine, rng = options.engine, np.random.default_rng(1)
    for power in options.lengths:
        n = 10**power
        x, y = (Slice.from_numpy(rng.random(n) < 0.5, engine=engine) for _ in range(2))
        sparse = Slice(n, engine=engine)
        sparse[n] = True
        T = Table.from_integers(rng.integers(0, 1 << COLUMNS, n), COLUMNS, engine=engine)
        w, v, i, out = x.convert(), T.row(1), n // 2, T.copy()
        calls = {
            "SET": lambda: out.col(1).set_all(),
            "AND": lambda: x & y,
            "NOT": lambda: ~x,
            "NUMB": lambda: x.count(),
            "FND": lambda: sparse.find(),
            "FRST": lambda: sparse.first(),
            "SOME": lambda: sparse.some(),
            "STEP": lambda: y.step(),
            "TRIM": lambda: w.trim(3, n - 3),
            "EQ": lambda: w.equal(w),
            "COL": lambda: T.col(2),
            "ROW read": lambda: T.row(i),
            "ROW write": lambda: T.set_row(i, v),
            "MATCH": lambda: star.match(T, v, x),
            "LESS": lambda: star.less(T, v, x),
            "MIN": lambda: star.minimum(T, x),
            "ADDV": lambda: star.add(T, v, x, out=out),
            "ADDC": lambda: star.add(T, out, x, out=out),
            "TMERGE": lambda: star.merge(T, x, out),
        }
        with guarded(options.max_wait) as conditions:
            taken = {name: trials(call, engine) for name, call in calls.items()}
        for name, times in taken.items():
            rows.add(name, times, conditions, length=n, columns=COLUMNS)


def bandwidth(options, rows):
    """Compare the bandwidth of operations on 10^9 bits with that of a copy."""
    engine = options.engine
    x, y = (Slice(GIGABIT, engine=engine).set_all() for _ in range(2))
    n = GIGABIT // COLUMNS
    T, v = Table(n, COLUMNS, engine=engine), Word(COLUMNS, engine=engine)
    X, size = Slice(n, engine=engine).set_all(), GIGABIT // 8
    with guarded(options.max_wait) as conditions:
        copied = trials(lambda: y.words.__setitem__(..., x.words), engine)
    rate = 2 * size / statistics.median(copied) / 1e9
    rows.add("copy", copied, conditions, length=GIGABIT, gb_per_s=round(rate, 1))
    for name, call, moved in [
        ("NUMB", lambda: x.count(), size),
        ("AND", lambda: x.__iand__(y), 3 * size),
        ("MATCH", lambda: star.match(T, v, X), size + 2 * size // COLUMNS),
        ("MATCH, random rows", None, size + 2 * size // COLUMNS),
    ]:
        if call is None:
            values = np.random.default_rng(1).integers(0, 1 << COLUMNS, n)
            R = Table.from_integers(values, COLUMNS, engine=engine)
            w = R.row(n)
            call = lambda R=R, w=w: star.match(R, w, X)  # noqa: E731
        with guarded(options.max_wait) as conditions:
            taken = trials(call, engine)
        achieved = moved / statistics.median(taken) / 1e9
        rows.add(
            name, taken, conditions, length=GIGABIT, columns=COLUMNS, gb_per_s=round(achieved, 1),
            share_of_copy=round(achieved / rate, 3),
        )  # fmt: skip


def plot():
    """Plot time against length for each engine, from the rows."""
    import matplotlib.pyplot as plt

    shown = ["AND", "NUMB", "FND", "ROW read", "MATCH", "MIN", "ADDC"]
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    latest = {(r["engine"], r["algorithm"], r["length"]): r for r in rows if "length" in r}
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axis, engine in zip(axes, ("cpu", "cuda"), strict=True):
        for name in shown:
            points = sorted(
                (n, r["median_s"] * 1e6)
                for (e, a, n), r in latest.items()
                if (e, a) == (engine, name) and n <= 10**8
            )
            if points:
                axis.loglog(*zip(*points, strict=True), marker=".", label=name)
        axis.set(title=engine, xlabel="rows", ylabel="microseconds" if engine == "cpu" else "")
    axes[0].legend(fontsize=7, ncols=2, loc="upper left")
    figure.tight_layout()
    plt.rcParams["svg.hashsalt"] = "star"
    figure.savefig(HERE.parent / "docs" / "star_operations.svg", metadata={"Date": None})


def numbers(text):
    """Return a comma-separated list of integers."""
    return [int(x) for x in text.split(",")]


def main():
    """Run one part and append its rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=["closure", "operations", "bandwidth", "large", "plot"])
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--sizes", type=numbers, default=sorted(K40_ADAPTED))
    parser.add_argument("--lengths", type=numbers, default=[3, 4, 5, 6, 7, 8], help="powers of 10")
    parser.add_argument("--forms", type=lambda text: text.split(","), default=FORMS)
    parser.add_argument("--trials", type=int, default=5)
    add_max_wait(parser)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--commit", help="the measured commit, if this is no checkout")
    parser.add_argument("--out", type=Path, default=ROWS)
    parser.add_argument("--dry", action="store_true", help="print, but append no rows")
    options = parser.parse_args()
    if options.part == "plot":
        return plot()
    gl.set_threads(options.threads)
    rows = RowWriter(options.engine, options.commit, None if options.dry else options.out)
    return globals()[options.part](options, rows)


if __name__ == "__main__":
    main()
