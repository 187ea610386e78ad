"""Run every family of kernels a few times, with checked results, for compute-sanitizer.

    python -m tests.cuda.sanitized products mxm      # some sections; without names all
    compute-sanitizer --tool racecheck python -m tests.cuda.sanitized natives:bfs,sssp many

Run a section without the sanitizer first: this fills the cache of compiled kernels. The tests in
this folder run many more cases, too many for racecheck, under which each takes about a second.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from types import SimpleNamespace
from unittest.mock import patch

import graphblas as gb
import numpy as np

import graphla as gl
from graphla.cuda.storage import csr, sliced_ell
from graphla.native.cuda import bfs_cluster
from tests.cuda.callers.test_algorithms import (
    ALGORITHMS,
    FLOATS,
    SOURCES,
    SYMMETRIC,
    equal,
    fetched,
)
from tests.cuda.object_pairs import MASKS, masked
from tests.cuda.random_updates import equivalent, make, put
from tests.cuda.sanitized_star import star
from tests.cuda.storage.test_split_list import check as check_split
from tests.transform.decoding import check_form
from tests.transform.orders_and_forms import FORMS, ORDERS
from tests.transform.test_numbering import check_order

STORED = ("sparse", "bitmap", "full", "unordered", "bits")
ROWS, COLUMNS = 150, 130


class Statements:
    """Runs statements on both engines, cycling through masks and storage formats."""

    def __init__(self):
        self.turn = itertools.count()

    def object(self, shape, dtype, density=0.1):
        """Return a pair in the next storage format."""
        k = next(self.turn)
        return make(k, shape, dtype, STORED[k % 5] if len(shape) == 1 else None, density)

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
    """Compare as the tests do: exactly, or with a tolerance for floats."""
    equivalent(SimpleNamespace(dtypes=dtypes, out=dtypes[-1]))(ours, theirs)


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


def slices():
    """Matrix times a full vector in the sliced ELL format, which large skewed matrices have."""
    thresholds = {"MIN_ENTRIES": 1, "MIN_SHARE": 0.0, "MIN_SKEW": 0.0, "RELABEL_GAIN": 0.0}
    thresholds |= {"BREAK_EVEN": 1, "COUNT_STEP": 1}
    sizes = {"MAX_BLOCK_COLUMNS": 40, "PIECE": 9, "TASKS": 5, "PART": 500}
    for name, value in (thresholds | sizes).items():
        setattr(sliced_ell, name, value)
    statements = Statements()
    for name, dtype in (("plus_times", "FP32"), ("min_plus", "INT32"), ("max_second", "FP64")):
        op = getattr(gb.semiring, name)
        A, values = statements.object((ROWS, COLUMNS), dtype), np.arange(COLUMNS) % 7
        u = [V.from_dense(values.astype(A[1].dtype.np_type)) for V in (gl.cuda.Vector, gb.Vector)]
        for kind, accum in itertools.product(MASKS, (None, gb.binary.plus)):
            C, M = statements.object((ROWS,), dtype), statements.object((ROWS,), "BOOL", 0.4)
            for side in (0, 1):
                C[side](mask=masked(kind, M[side]), accum=accum) << A[side].mxv(u[side], op)
            check(*C, (dtype, dtype))
        assert any(
            isinstance(form, sliced_ell.SlicedForm) for form in A[0]._csr()._sliced.forms.values()
        )


def mxm():
    """Matrix times matrix: by hash tables, masks, dot products, bit matrices, several vectors."""
    statements = Statements()
    for name, dtype in (
        ("plus_times", "FP64"), ("min_plus", "INT32"), ("any_pair", "BOOL")
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
    for shape, types in (((400,), ("INT32", "FP64")), ((70, 60), ("UINT8",))):
        for dtype in types:
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
    """Reductions, transposes, extraction, assignment, Kronecker, diagonals, build, split lists."""
    keys = np.random.default_rng(1).permutation(9000)[:5000].tolist()
    for counted in (True, False):
        check_split(keys, [0, 10, 10, 4000, 9000], counted=counted)
    statements = Statements()
    shape, some = (70, 60), [3, 1, 4, 15, 9, 26]
    one = (("INT64",), (shape,), "INT64")
    for accum in (None, "plus"):
        statements.run(lambda A: A.T, *one, shape[::-1], accum)
        with patch.object(csr, "PART", 50):
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
        for form in STORED:
            put(built[0], form, random.Random(1))
            check(*built, (dtype,))


def graphs():
    """Return {name: graph} of small graphs of different kinds."""
    generate, weights = gl.generate, {"seed": 1, "weights": (1, 255)}
    return {
        "kron": generate.kronecker(9, edgefactor=16, **weights),
        "grid": generate.grid(9, 30, **weights),
        "digraph": generate.random_digraph(300, 3, seed=1),
    }


def algorithms(module, some=()):
    """Run algorithms of a module on the device and compare with the algebra on the CPU."""
    for name in some or ALGORITHMS:
        function = getattr(module, name, None)
        for kind, G in graphs().items():
            if function is None or (name in SYMMETRIC and kind == "digraph"):
                continue
            arguments = (7,) if name in SOURCES else ()
            arguments = ([7, 0, 5],) if name == "betweenness_centrality" else arguments
            result = function(G.to("cuda"), *arguments)
            equal(fetched(result), getattr(gl, name)(G, *arguments), 1e-6 if name in FLOATS else 0)
            print(kind, name, flush=True)


def algebra(*some):
    """The algebraic algorithms, all or those named."""
    algorithms(gl, some)


def natives(*some):
    """The native algorithms, all or those named."""
    algorithms(gl.native, some)


def many():
    """Distances from many sources at once."""
    G = graphs()["kron"]
    result = gl.native.all_pairs_shortest_paths(G.to("cuda"), range(64))
    equal(fetched(result), gl.native.all_pairs_shortest_paths(G, range(64)), 0)


def variants(*families):
    """The variants from papers: searches, shortest paths, forests; search beyond device memory."""
    from graphla.native import cuda
    from graphla.native.cuda.papers.beyond_memory import bfs_beyond_memory

    for G in graphs().values():
        H, max_bytes = G.to("cuda"), 2 * G.A.nvals  # half of the neighbours fit
        wanted = {
            "bfs": lambda G: gl.bfs_levels(G, 7),
            "sssp": lambda G: gl.sssp_distances(G, 7),
            "forest": gl.minimum_spanning_forest,
        }
        for family in families or wanted:
            if family == "forest" and not G.is_symmetric:
                continue
            for name, function in getattr(cuda, f"{family}_variants").items():
                result = function(H) if family == "forest" else function(H, 7)
                equal(fetched(result), wanted[family](G), 0)
                print(name, flush=True)
            if family == "bfs":
                result = bfs_beyond_memory(H, 7, max_bytes=max_bytes)
                equal(fetched(result).level, wanted[family](G), 0)


def transforms():
    """Vertex orders and storage forms of graphs."""
    for kind, G in graphs().items():
        H = G.to("cuda")
        for name in FORMS:
            check_form(H, name)
        for name in ORDERS:
            check_order(H, name)
        print(kind, flush=True)


SECTIONS = (
    products, slices, mxm, elementwise, structure, algebra, natives, many, variants, star,
    transforms,
)  # fmt: skip


def limit_clusters(blocks):
    """Limit clusters to so many blocks of 64 threads; with 0 none are launched."""
    if not blocks:
        bfs_cluster.CLUSTERS = math.inf  # a compute capability that no device has
    bfs_cluster.SIZES, bfs_cluster.BLOCK, bfs_cluster.EDGES = (blocks,), 64, 256 * blocks


def main(names):
    """Run sections by name; "natives:bfs,sssp" runs a part of one.

    "--clusters=N" launches clusters of N small blocks, "--clusters=0" none.
    """
    for option in [name for name in names if name.startswith("--clusters=")]:
        names.remove(option)
        limit_clusters(int(option.split("=")[1]))
    asked = dict([*name.split(":"), ""][:2] for name in names)
    for section in SECTIONS:
        if not names or section.__name__ in asked:
            section(*filter(None, asked.get(section.__name__, "").split(",")))
            print(section.__name__, "passed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
