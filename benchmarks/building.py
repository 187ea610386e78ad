"""How fast graphs are generated, built from edges, read and written; rows in building.jsonl.

    python benchmarks/building.py --threads 2                      # all four operations
    GAP_PROGRAM=gapbs/bfs python benchmarks/building.py generate   # beside GAP's generator

- `generate`: `gl.generate.kronecker` and `uniform` with the finished Graph. GAP_PROGRAM names any
  kernel of the GAP Benchmark Suite: it prints the seconds of its generator and of its builder.
- `from_edges`: random endpoints; the peak memory, above the columns, over the bytes of the result.
- `read`: text files, uncompressed, from the page cache: the graph is written before.
- `write` and `read` of .npz and .parquet, beside numpy.save and numpy.load of the same bytes.

The graph of a read or built file is compared with the one that was written or built by SciPy.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from racing import add_max_wait

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.quiet import describe, guarded
from graphla.comparison.result import Comparison

HERE = Path(__file__).parent
OPERATIONS = ("generate", "from_edges", "read", "files")
TEXT = (".mtx", ".el", ".csv")
BINARY = (".npz", ".parquet")


class Cost:
    """Wall-clock and CPU seconds of the calls of one implementation."""

    def __init__(self):
        self.seconds, self.cpu_seconds = [], []

    def add(self, call):
        """Time a call and return its result."""
        measure.release_freed_memory()
        begin, cpu = time.perf_counter(), _cpu_seconds()
        result = call()
        self.seconds.append(round(time.perf_counter() - begin, 4))
        self.cpu_seconds.append(round(_cpu_seconds() - cpu, 3))
        return result

    def fields(self):
        """Return the fields of a row."""
        times = {"trials_s": self.seconds, "median_s": measure.median(self.seconds)}
        return times | {"cpu_s": self.cpu_seconds, "error": None}


def _cpu_seconds():
    """Return the CPU seconds of this process and of the programs that it has run."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def gap_seconds(option, scale, threads):
    """Return the seconds in which GAP generates and builds a graph, by its own clock."""
    done = subprocess.run(
        [os.environ["GAP_PROGRAM"], option, str(scale), "-k", "16", "-n", "1"],
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = dict(re.findall(r"(Generate|Build) Time: +([0-9.]+)", done.stdout))
    return float(found["Generate"]) + float(found["Build"])


def generate(options):
    """Yield rows of the generators, alternated with GAP's."""
    scale = options.scale
    for name, make, option in (
        ("kron", gl.generate.kronecker, "-g"),
        ("urand", gl.generate.uniform, "-u"),
    ):
        make(16, seed=1)  # compiles
        ours, theirs, prints = Cost(), Cost(), set()
        with guarded(options.max_wait) as conditions:
            for _ in range(options.trials):
                G = ours.add(lambda make=make: make(scale, seed=1))
                prints.add(measure.fingerprint(G))
                if "GAP_PROGRAM" in os.environ:
                    theirs.seconds.append(gap_seconds(option, scale, options.threads))
        valid = len(prints) == 1 and bool(G.is_symmetric) and G.nself_edges == 0
        sizes = {"graph": f"{name}{scale}", "n": G.n, "nvals": G.A.nvals}
        fields = {"algorithm": "generate"} | sizes | conditions
        yield fields | ours.fields() | {"implementation": "graphla", "verified": valid}
        if theirs.seconds:
            # GAP's process also searches the graph once: no CPU time of the two parts alone
            more = theirs.fields() | {"cpu_s": None, "implementation": "gap", "verified": None}
            yield fields | more


def from_edges(options):
    """Yield the row of a graph built from two columns of random endpoints."""
    count, n = options.edges, 1 << 24
    rng = np.random.default_rng(1)
    src, dst = (rng.integers(0, n, count) for _ in range(2))
    gl.Graph.from_edges(src[: 1 << 22], dst[: 1 << 22], n=n)  # compiles
    cost = Cost()
    with guarded(options.max_wait) as conditions:
        for _ in range(options.trials):
            G = None
            peak, G = measure.peak_above(
                lambda: cost.add(lambda: gl.Graph.from_edges(src, dst, n=n))
            )
    indptr, indices, _ = G.A.to_csr()
    expected = sp.coo_array((np.ones(count, bool), (src, dst)), (n, n)).tocsr()
    same = bool((expected.indptr == indptr).all() and (expected.indices == indices).all())
    result_bytes = 8 * (n + 1 + G.A.nvals)  # offsets and columns; all values are one
    yield {
        "algorithm": "from_edges",
        "graph": f"random:{count}",
        "n": n,
        "nvals": G.A.nvals,
        **conditions,
        **cost.fields(),
        "implementation": "graphla",
        "peak_bytes": peak,
        "result_bytes": result_bytes,
        "verified": same,
    }


def random_graph(edges, weights=None):
    """Return a directed graph with random edges, 16 for each vertex."""
    n, rng = edges // 16, np.random.default_rng(1)
    src, dst = (rng.integers(0, n, edges) for _ in range(2))
    weight = None if weights is None else rng.integers(1, weights, edges, dtype=np.int32)
    return gl.Graph.from_edges(src, dst, weight, n=n)


def timed_file(algorithm, path, G, conditions, cost, **more):
    """Return the row of a file; rates are in MB per second, of wall-clock and of CPU time."""
    size = path.stat().st_size
    rate, cpu_rate = (
        round(size / 1e6 / max(statistics.median(x), 0.001), 1)
        for x in (cost.seconds, cost.cpu_seconds)
    )
    sizes = {
        "n": G.n,
        "nvals": G.A.nvals,
        "file_bytes": size,
        "fingerprint": measure.fingerprint(G),
    }
    return {
        "algorithm": algorithm,
        "graph": f"random:{G.A.nvals}{path.suffix}",
        **sizes,
        **conditions,
        **cost.fields(),
        "mb_per_s": rate,
        "mb_per_cpu_s": cpu_rate,
        "implementation": "graphla",
        **more,
    }


def read(options):
    """Yield rows of text files."""
    G = random_graph(options.bytes // 16)
    for suffix in TEXT:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path, cost = Path(folder) / f"graph{suffix}", Cost()
            gl.write(path, G)
            small = path.with_stem("small")
            gl.write(small, random_graph(16_000))
            gl.read(small)  # compiles
            with guarded(options.max_wait) as conditions:
                for _ in range(options.trials):
                    found = cost.add(lambda path=path: gl.read(path))
            same = measure.fingerprint(found) == measure.fingerprint(G)
            yield timed_file("read", path, G, conditions, cost, verified=same)


def files(options):
    """Yield rows of binary files, alternated with NumPy's file of as many bytes."""
    G = random_graph(options.weighted_edges, weights=256)
    for suffix in BINARY:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path, plain = Path(folder) / f"graph{suffix}", Path(folder) / "plain.npy"
            small = path.with_stem("small")
            gl.write(small, random_graph(16_000, weights=256))
            gl.read(small)  # compiles
            costs = {name: Cost() for name in ("write", "read", "numpy.save", "numpy.load")}
            with guarded(options.max_wait) as conditions:
                for _ in range(options.trials):
                    costs["write"].add(lambda path=path: gl.write(path, G))
                    data = np.fromfile(path, np.uint8)
                    costs["numpy.save"].add(lambda data=data, plain=plain: np.save(plain, data))
                    del data
                    found = costs["read"].add(lambda path=path: gl.read(path))
                    costs["numpy.load"].add(lambda plain=plain: np.load(plain))
            same = measure.fingerprint(found) == measure.fingerprint(G)
            for name, cost in costs.items():
                implementation, _, operation = name.rpartition(".")
                operation = {"save": "write", "load": "read"}.get(operation, operation)
                row = timed_file(operation, path, G, conditions, cost, verified=same)
                yield row | (
                    {"implementation": "numpy", "verified": None} if implementation else {}
                )


def line_of(row):
    """Return one line for a row."""
    cpu = f"{statistics.median(row['cpu_s']):8.2f} CPU s" if row["cpu_s"] else " " * 14
    line = f"{row['algorithm']:10} {row['graph']:26} {row['implementation']:8}"
    line += f" {row['median_s']:8.2f} s {cpu}"
    if "mb_per_s" in row:
        line += f" {row['mb_per_s']:8.0f} MB/s {row['mb_per_cpu_s']:8.0f} MB per CPU second"
    if row.get("peak_bytes"):
        line += f"  peak {row['peak_bytes'] / row['result_bytes']:.2f} times the result"
    return line + ("  WRONG" if row["verified"] is False else "")


def main():
    """Measure the chosen operations and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("operations", nargs="*", help=", ".join(OPERATIONS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--scale", type=int, default=22, help="of generated graphs")
    parser.add_argument("--edges", type=int, default=10**8, help="of from_edges")
    parser.add_argument("--bytes", type=int, default=10**9, help="of text files, about")
    parser.add_argument("--weighted-edges", type=int, default=64_000_000, help="of binary files")
    parser.add_argument("--folder", type=Path, help="for files; the system's by default")
    add_max_wait(parser)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "building.jsonl")
    options = parser.parse_args()
    unknown = set(options.operations) - set(OPERATIONS)
    if unknown:
        parser.error(f"unknown operations {sorted(unknown)}; there are {', '.join(OPERATIONS)}")
    gl.set_threads(options.threads)
    stamp = {"commit": measure.commit(), "machine": measure.machine()}
    stamp |= {"versions": measure.versions(), "engine": "cpu", "family": "construction"}
    for operation in options.operations or OPERATIONS:
        for row in globals()[operation](options):
            rows = Comparison([stamp | {"date": measure.now()} | row])
            rows.to_jsonl(options.out)
            print(*describe(rows), line_of(row), sep="\n", flush=True)


if __name__ == "__main__":
    main()
