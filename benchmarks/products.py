"""Matrix times vector on both engines and by cuSPARSE; rows in the format of run.py.

    python benchmarks/products.py --scale 24 --threads 16

The graph is a Kronecker graph, with random labels and sorted by degree. A product is `w << A u`
with full vectors. Runs alternate. A row is verified if it agrees with SuiteSparse: min-plus
exactly, sums of FP32 to 1e-4. "launch" is the time of one small product from Python to the
launched kernel, in 100 calls without waiting, against the launch of an empty kernel by CuPy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from racing import add_max_wait, race, times

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.quiet import describe, guarded
from graphla.comparison.result import Comparison
from graphla.core.engines import host_array

HERE = Path(__file__).parent
OPERATORS = ("plus_times", "min_plus", "plus_second")
LAUNCHES = 100  # in one trial


def vectors(G):
    """Return a full vector of random values on G's engine, and one for the result."""
    values = np.random.default_rng(1).random(G.n, dtype=np.float32)
    u, w = (G.vector("FP32", G.n) for _ in range(2))
    u[:] = values
    w << 0.0
    return u, w


def algebra(G, op):
    """Return a function that computes w = A u, and one that returns the result."""
    u, w = vectors(G)
    product = G.A.mxv(u, op)
    return lambda: w << product, lambda: w.to_dense(fill_value=0)


def cusparse(G):
    """Return the same functions for cupyx, which supports plus-times only."""
    import cupy
    import cupyx.scipy.sparse as sparse

    indptr, indices, values = G.A.to_csr()
    A = sparse.csr_matrix((values, indices, indptr), shape=(G.n, G.n))
    u, result = vectors(G)[0].to_dense(), []
    return lambda: result.__setitem__(slice(None), [A @ u]), lambda: cupy.asarray(result[0])


def contenders(G, H, op):
    """Yield (implementation, family, engine, call, result) of a product."""
    yield "graphla", "algebraic", "cpu", *algebra(G, op)
    yield "graphla-cuda", "algebraic", "cuda", *algebra(H, op)
    if op == "plus_times":
        yield "cusparse", "peer", "cuda", *cusparse(H)


def verified(op, results):
    """Return for each result whether it agrees with the first."""
    first, *_ = results = [host_array(x) for x in results]
    if op == "min_plus":
        return [bool(np.array_equal(x, first)) for x in results]
    return [bool(np.allclose(x, first, rtol=1e-4)) for x in results]


def products(graph, H, trials, max_wait, stamp):
    """Return the rows of one graph."""
    H = H.astype("FP32")
    G = H.to("cpu")
    rows = []
    for op in OPERATORS:
        field = list(contenders(G, H, op))
        calls = [(engine, call) for *_, engine, call, _ in field]
        seconds, conditions = race(calls, trials, max_wait)
        correct = verified(op, [result() for *_, result in field])
        rows += [
            stamp
            | conditions
            | {"date": measure.now(), "algorithm": f"mxv {op}[FP32]", "graph": graph, "n": G.n}
            | {"nvals": G.A.nvals, "implementation": name, "family": family, "engine": engine}
            | {"trials_s": taken, "median_s": measure.median(taken), "verified": ok, "error": None}
            for (name, family, engine, *_), taken, ok in zip(field, seconds, correct, strict=True)
        ]
    return Comparison(rows)


def launches(trials, max_wait, stamp):
    """Return the rows of a small product and of a bare launch: seconds of one."""
    import cupy

    H = gl.generate.grid(16, 16).to("cuda")
    product, _ = algebra(H.astype("FP32"), "plus_second")
    empty = cupy.RawKernel((HERE / "nothing.cu").read_text(), "nothing")
    field = [
        ("graphla-cuda", "algebraic", lambda: [product() for _ in range(LAUNCHES)]),
        ("cupy", "peer", lambda: [empty((1,), (256,), ()) for _ in range(LAUNCHES)]),
    ]
    rows = []
    for name, family, call in field:
        call()
        seconds = []
        with guarded(max_wait) as conditions:
            for _ in range(trials):
                measure.synchronise("cuda")
                seconds.append(measure.quietly_timed(call, rehearsal=call)[0] / LAUNCHES)
        rows.append(
            stamp
            | conditions
            | {"date": measure.now(), "algorithm": "launch", "graph": "grid 16 x 16", "n": 256}
            | {"implementation": name, "family": family, "engine": "cuda", "trials_s": seconds}
            | {"median_s": measure.median(seconds), "verified": None, "error": None}
        )
    return Comparison(rows)


def main():
    """Measure and append the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=24)
    parser.add_argument("--trials", type=int, default=15)
    add_max_wait(parser)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "cuda.jsonl")
    options = parser.parse_args()
    gl.set_threads(options.threads)
    stamp = {"commit": measure.commit(), "machine": measure.machine()}
    stamp["versions"] = measure.versions()
    H = gl.graph500.kronecker(options.scale, weighted=True, engine="cuda").graph()
    name = f"graph500-{options.scale}"
    ordered = gl.transform.by_degree(H, cut=False).graph
    protocol = options.trials, options.max_wait, stamp
    for rows in (
        launches(*protocol),
        products(name, H, *protocol),
        products(f"{name} by degree", ordered, *protocol),
    ):
        rows.to_jsonl(options.out)
        print(*describe(rows), sep="\n")
        for row in rows:
            line = f"{row['graph']:26} {row['algorithm']:20} {row['implementation']:14}"
            print(line, times(row), row["verified"], flush=True)


if __name__ == "__main__":
    main()
