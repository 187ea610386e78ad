"""Every family of kernels a few times, each result checked: what a sanitizer can watch in a minute.

    python -m tests.cuda.sanitized products mxm      # some sections, or all of them
    compute-sanitizer --tool racecheck python -m tests.cuda.sanitized natives

A first run without the sanitizer fills the cache of compiled kernels. The tests beside this file
try many more cases, too many for racecheck, under which each takes a second.
"""

from __future__ import annotations

import itertools
import random
import sys

import graphblas as gb
import numpy as np

import graphla as gl
from graphla.comparison.registry import ALGORITHMS
from tests.cuda.both import MASKS, masked
from tests.cuda.drawn import equivalent, make, put

FORMS = ("sparse", "bitmap", "full", "unordered", "bits")
ROWS, COLUMNS = 150, 130


class Statements:
    """Statements on both engines, with masks, accumulators and forms in turn."""

    def __init__(self):
        self.turn = itertools.count()

    def object(self, shape, dtype, density=0.1):
        """Return a pair in the next form."""
        k = next(self.turn)
        return make(k, shape, dtype, FORMS[k % 5] if len(shape) == 1 else None, density)

    def run(self, formula, dtypes, shapes, out, shape, accum=None, density=0.1):
        """C<mask, accum, replace> = formula(operands), for every kind of mask."""
        operands = [self.object(s, t, density) for s, t in zip(shapes, dtypes, strict=True)]
        for mask, kind in enumerate(MASKS):
            C, M = self.object(shape, out), self.object(shape, "BOOL", 0.4)
            for side in (0, 1):
                left = C[side](
                    mask=masked(kind, M[side]),
                    accum=accum and getattr(gb.binary, accum),
                    replace=kind != "none" and mask % 2 == 0,
                )
                left << formula(*(x[side] for x in operands))
            check(*C, (*dtypes, out))


def check(ours, theirs, dtypes):
    """Compare as the tests do: to the last places of sums of floats."""

    class Case:
        pass

    case = Case()
    case.dtypes, case.out = dtypes, dtypes[-1]
    equivalent(case)(ours, theirs)


def products():
    """Matrix times vector, by pull and by push."""
    statements = Statements()
    A, u, w = (ROWS, COLUMNS), (COLUMNS,), (ROWS,)
    for name, dtype in (
        ("plus_times", "FP32"), ("min_plus", "INT32"), ("any_pair", "BOOL"), ("lor_land", "BOOL"),
        ("plus_pair", "INT64"), ("min_secondi", "INT64"), ("max_firstj", "INT32"),
        ("plus_first", "FP64"),
    ):  # fmt: skip
        op = getattr(gb.semiring, name)
        for accum, density in ((None, 0.1), ("plus", 0.02)):
            types = (dtype, dtype)
            statements.run(
                lambda A, u, op=op: A.mxv(u, op), types, (A, u), dtype, w, accum, density
            )
            statements.run(
                lambda u, A, op=op: u.vxm(A, op), types, (w, A), dtype, u, accum, density
            )


def mxm():
    """Matrix times matrix: hashed, by masks, dot products, packed bits, several vectors."""
    statements = Statements()
    for name, dtype in (
        ("plus_times", "FP64"), ("min_plus", "INT32"), ("any_pair", "BOOL"), ("plus_pair", "INT64"),
        ("lor_land", "BOOL"),
    ):  # fmt: skip
        op = getattr(gb.semiring, name)
        for density in (0.02, 0.3):
            statements.run(
                lambda A, B, op=op: A.mxm(B, op), (dtype, dtype),
                ((90, 80), (80, 70)), dtype, (90, 70), None, density,
            )  # fmt: skip
        statements.run(
            lambda A, B, op=op: A.T.mxm(B.T, op), (dtype, dtype),
            ((80, 9), (70, 80)), dtype, (9, 70), "plus" if dtype != "BOOL" else None,
        )  # fmt: skip


def elementwise():
    """apply, select, eWiseAdd, eWiseMult, eWiseUnion."""
    statements = Statements()
    for shape in ((400,), (70, 60)):
        for dtype in ("INT32", "FP64", "UINT8"):
            two, both = (dtype, dtype), (shape, shape)
            for formula in (
                lambda x, y: x.ewise_add(y, gb.binary.plus),
                lambda x, y: x.ewise_mult(y, gb.binary.max),
                lambda x, y: x.ewise_union(y, gb.binary.minus, 1, 2),
            ):
                statements.run(formula, two, both, dtype, shape, "plus")
            for formula in (
                lambda x: x.apply(gb.unary.ainv),
                lambda x: x.apply(gb.binary.times, right=2),
                lambda x: x.select("valuegt", 1),
            ):
                statements.run(formula, (dtype,), (shape,), dtype, shape)


def structure():
    """Reductions, transposes, extraction, assignment, Kronecker products, diagonals, build."""
    statements = Statements()
    shape, some = (70, 60), [3, 1, 4, 15, 9, 26]
    one = (("INT64",), (shape,), "INT64")
    for accum in (None, "plus"):
        statements.run(lambda A: A.T, *one, shape[::-1], accum)
        statements.run(lambda A: A.reduce_rowwise(gb.monoid.plus), *one, shape[:1], accum)
        statements.run(lambda A: A.reduce_columnwise(gb.monoid.min), *one, shape[1:], accum)
        statements.run(lambda A: A[some, 10:40], *one, (6, 30), accum)
        statements.run(
            lambda A, B: A.kronecker(B, gb.binary.times), ("INT64",) * 2, ((7, 6), (5, 8)),
            "INT64", (35, 48), accum,
        )  # fmt: skip
    for dtype in ("INT32", "FP64"):
        A, B = statements.object(shape, dtype), statements.object((6, 60), dtype)
        for side in (0, 1):
            A[side][some, :] << B[side]
            A[side][5:9, 2:30] = 3
        check(*A, (dtype,))
        a, b = (x.reduce_scalar(gb.monoid.plus).new().value for x in A)
        np.testing.assert_allclose(a, b)
        check(*(x.diag() for x in A), (dtype,))
        rng = np.random.default_rng(1)
        i, j = rng.integers(0, 50, (2, 3000))
        built = [
            M.from_coo(i, j, np.arange(3000), dtype, nrows=50, ncols=50, dup_op=gb.binary.plus)
            for M in (gl.cuda.Matrix, gb.Matrix)
        ]
        check(*built, (dtype,))
        for form in FORMS:
            put(built[0], form, random.Random(1))
            check(*built, (dtype,))


def graphs():
    """Return small graphs of different kinds."""
    generate, weights = gl.generate, {"seed": 1, "weights": (1, 255)}
    return {
        "kron9": generate.kronecker(9, edgefactor=16, **weights),
        "grid": generate.grid(24, 30, **weights),
        "urand8": generate.uniform(8, edgefactor=8, **weights),
    }


def digraphs():
    """Return small digraphs."""
    found = {"digraph": gl.generate.random_digraph(300, 3, seed=1)}
    return {**found, "dag": gl.generate.random_dag(400, 6, seed=1)}


def compared(implementations, **options):
    """Let compare() verify implementations of all algorithms."""
    for a in ALGORITHMS.values():
        given = digraphs() if a.name == "transitive_closure" else {**graphs(), **digraphs()}
        for name, G in given.items():
            if a.fits(G):
                report(gl.compare(a.name, {name: G}, implementations=implementations, **options))


def report(comparison):
    """Fail where a row says that something is wrong."""
    for row in comparison:
        assert not row["error"], row
        print(row["graph"], row["algorithm"], row["implementation"], row["skipped"], flush=True)


def algebra():
    """All algorithms of the algebra on the device."""
    compared(["graphla-cuda"], sources=1, trials=1)


def natives():
    """All kernels written by hand."""
    compared(["native-cuda"], sources=1, trials=1)


def variants():
    """The forms of the sources: searches, shortest paths, forests; beyond memory; with the CPU."""
    from graphla.comparison.variants import show
    from graphla.native.cuda.beyond_memory import bfs_beyond_memory

    for family in ("bfs", "sssp", "forest"):
        algorithm, names = show(family)
        for name, G in graphs().items():
            found = gl.compare(algorithm, {name: G}, sources=1, trials=1, implementations=names)
            report(found)
    G = graphs()["kron9"]
    H = G.to("cuda")
    want = gl.bfs_levels(H, 5)
    for most in (0, 2 * G.A.nvals, 1 << 30):  # half of them, all of them
        assert bfs_beyond_memory(H, 5, max_bytes=most).level.isequal(want)


def star():
    """The machine's slices, tables and algorithms, by its own tests' models."""
    import pytest

    files = ["test_slice.py", "test_table.py", "test_arcs.py", "algorithms"]
    code = pytest.main(["-q", "-x", "-p", "no:xdist", "-k", "cuda and not random",
                        *(f"tests/star/{f}" for f in files)])  # fmt: skip
    assert code == 0


def transforms():
    """Orders, forms and weights of graphs."""
    import pytest

    assert pytest.main(["-q", "-x", "-p", "no:xdist", "-k", "cuda", "tests/transform"]) == 0


SECTIONS = (
    products, mxm, elementwise, structure, algebra, natives, variants, star, transforms,
)  # fmt: skip


def main(names):
    """Run sections by name."""
    for section in SECTIONS:
        if not names or section.__name__ in names:
            section()
            print(section.__name__, "passed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
