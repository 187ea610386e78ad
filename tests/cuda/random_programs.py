"""Random programs of a few statements on both engines, whose objects must stay equal.

    python -m tests.cuda.random_programs --seconds 200 --processes 16 --seed 1 --out FILE

prints how many statements ran, how many cells (operation, mask, accumulator, replace, class of
dtype) they hit, and every difference with the seed of its program. Values are small integers, in
floats too, so that results do not depend on the order of sums: objects with large values, or NaN,
are made anew. Without a GPU the simulator takes its place.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import Counter
from pathlib import Path

import graphblas as gb
import numpy as np
from graphblas import binary, monoid, semiring, unary

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import EngineUnavailable
from tests.cuda.simulator import Simulator

SIZE = 7
LARGE = 250  # sums of SIZE products below this are exact in FP32
DTYPES = (
    "BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FP32",
    "FP64",
)  # fmt: skip
MASKS = ("none", "S", "V", "~S", "~V")
ACCUMULATORS = (None, "second", "min", "first", "max", "plus", "minus")
FORMS = {1: (None, "sparse", "bitmap"), 2: (None, "sparse", "bitmap")}
SEMIRINGS = ("any_pair", "min_first", "max_second", "plus_times", "min_plus", "plus_pair")
BINARY = ("first", "second", "min", "max", "plus", "minus", "times", "eq", "lt", "land")
SLICES = (slice(None), slice(1, 5), slice(None, None, 2), slice(5, 1, -1), [3, 0, 5], [2])


class Program:
    """Objects of both engines, and statements on them, drawn from a seed."""

    def __init__(self, seed, dtypes=DTYPES):
        self.seed, self.rng, self.dtypes = seed, np.random.default_rng(seed), dtypes
        self.vectors = [self.new(1) for _ in range(3)]
        self.matrices = [self.new(2) for _ in range(2)]
        self.lines = []

    def pick(self, options):
        """Draw one of several options."""
        return options[self.rng.integers(len(options))]

    def new(self, ndim):
        """Draw a pair of equal objects."""
        dtype, shape = self.pick(self.dtypes), (SIZE,) * ndim
        present = self.rng.random(shape) < self.pick((0.0, 0.3, 0.7, 1.0))
        values = self.rng.integers(0, 4, int(present.sum()))
        if dtype[0] in "IF":
            values = values - 1
        values = values.astype(gb.dtypes.lookup_dtype(dtype).np_type)
        keys = np.nonzero(present)
        sizes = {"size": SIZE} if ndim == 1 else {"nrows": SIZE, "ncols": SIZE}
        sides = (cuda, gb)
        names = ("Vector", "Matrix")
        pair = [getattr(s, names[ndim - 1]).from_coo(*keys, values, dtype, **sizes) for s in sides]
        pair[0].store(self.pick(FORMS[ndim]))
        return pair

    def run(self, statements):
        """Run statements; return the cells hit and a description of the first difference."""
        cells = Counter()
        for _ in range(statements):
            cell, error = self.statement()
            cells[cell] += 1
            if error:
                return cells, {"seed": self.seed, "lines": self.lines, "error": error}
        return cells, None

    def statement(self):
        """Run one statement on both engines; return its cell and what differs."""
        ndim = self.pick((1, 2))
        out = self.pick(self.vectors if ndim == 1 else self.matrices)
        name = self.pick(OPERATIONS[ndim])
        make = globals()[name](self)
        mask, accum = self.pick(MASKS), self.pick(ACCUMULATORS)
        if accum is not None and out[0].dtype.name == "BOOL":
            accum = self.pick((None, "second", "first", "lor"))
        of = self.pick(self.vectors if ndim == 1 else self.matrices)
        mask = comparable(mask, of[1])
        replace = mask != "none" and bool(self.rng.integers(2))
        region = self.pick(SLICES) if name == "fill" and self.rng.integers(2) else None
        self.lines.append([name, mask, accum, replace, out[0].dtype.name, repr(region), ndim])
        outcomes = []
        for side in (0, 1):
            try:
                update(out[side], make(side), masked(mask, of[side]), accum, replace, region)
                outcomes.append(None)
            except Exception as error:
                outcomes.append(f"{type(error).__name__}: {error}"[:300])
        kind = out[0].dtype.np_type.kind
        cell = f"{name}/{ndim} {mask} {accum is not None} {replace} {kind}"
        if (outcomes[0] is None) != (outcomes[1] is None):
            return cell, f"outcomes: {outcomes}"
        self.forms()
        error = difference(*out)
        self.renew(out)
        return cell, error

    def forms(self):
        """Sometimes keep an object in another form from now on."""
        if not self.rng.integers(4):
            ndim = self.pick((1, 2))
            self.pick(self.vectors if ndim == 1 else self.matrices)[0].store(self.pick(FORMS[ndim]))

    def renew(self, out):
        """Make objects anew whose values are large, or no numbers."""
        values = np.abs(out[1].to_coo()[-1].astype(float))
        if not np.all(values < LARGE):
            out[:] = self.new(out[1].ndim)


def comparable(kind, x):
    """Return the kind of a mask, by structure if x, of python-graphblas, has -0.0.

    SuiteSparse takes -0.0 in a mask by value for true, unlike its own cast to BOOL.
    """
    values = x.to_coo()[-1]
    return (
        kind.replace("V", "S") if np.any((values == 0) & np.signbit(values.astype(float))) else kind
    )


def masked(kind, x):
    """Return x as a mask of a kind, or None."""
    if kind == "none":
        return None
    mask = getattr(x, kind[-1])
    return ~mask if kind[0] == "~" else mask


def update(out, value, mask, accum, replace, region):
    """Compute out(mask, accum, replace) << value, or of a region of `out`."""
    target = out(mask=mask, accum=accum, replace=replace)
    if region is not None:
        target[region if out.ndim == 1 else (region, slice(None))] << value
    else:
        target << value


def difference(ours, theirs):
    """Describe how two objects differ; None if they are equal."""
    found = cuda.to_graphblas(ours)
    if found.isequal(theirs, check_dtype=True):
        return None
    (*i, x), (*j, y) = found.to_coo(), theirs.to_coo()
    if all(map(np.array_equal, i, j)) and np.array_equal(x, y, equal_nan=True):
        return None
    return f"{[a.tolist() for a in (*i, x)]} instead of {[a.tolist() for a in (*j, y)]}"


# ---- operations: each returns a function of the side, 0 for the device and 1 for the CPU


def operator_of(program, *pairs):
    names = BINARY
    if any(x[0].dtype.name == "BOOL" for x in pairs):
        names = ("first", "second", "land", "lor", "eq")
    return getattr(binary, program.pick(names))


def identity(p):
    x = p.pick(p.vectors)
    return lambda s: x[s]


def identity2(p):
    A, transposed = p.pick(p.matrices), p.rng.integers(2)
    return lambda s: A[s].T if transposed else A[s]


def fill(p):
    value = int(p.rng.integers(0, 3))
    return lambda s: value


def apply(p, x=None):
    x = x or p.pick(p.vectors)
    op = unary.lnot if x[0].dtype.name == "BOOL" else p.pick((unary.ainv, unary.abs, unary.one))
    return lambda s: x[s].apply(op)


def bind(p, x=None):
    x = x or p.pick(p.vectors)
    op, value, side = operator_of(p, x), int(p.rng.integers(0, 3)), p.pick(("left", "right"))
    value = bool(value) if x[0].dtype.name == "BOOL" else value
    return lambda s: x[s].apply(op, **{side: value})


def select(p, x=None):
    x = x or p.pick(p.vectors)
    name, thunk = p.pick(("==", "!=", "row<=")), int(p.rng.integers(0, 3))
    if name != "row<=":  # SuiteSparse 9.4.5 compares with 0 if the operator is of another dtype
        thunk = x[0].dtype.np_type.type(thunk)
    return lambda s: x[s].select(name, thunk)


def select_mask(p, x=None):
    x = x or p.pick(p.vectors)
    m, kind = p.pick(p.vectors if x[0].ndim == 1 else p.matrices), p.pick(MASKS[1:])
    kind = comparable(kind, m[1])
    return lambda s: x[s].select(masked(kind, m[s]))


def two(p, ndim):
    return [p.pick(p.vectors if ndim == 1 else p.matrices) for _ in range(2)]


def add(p, ndim=1):
    x, y = two(p, ndim)
    op, sign = operator_of(p, x, y), p.rng.integers(2)
    return lambda s: op(x[s] | y[s]) if sign else x[s].ewise_add(y[s], op)


def mult(p, ndim=1):
    x, y = two(p, ndim)
    op, sign = operator_of(p, x, y), p.rng.integers(2)
    return lambda s: op(x[s] & y[s]) if sign else x[s].ewise_mult(y[s], op)


def union(p, ndim=1):
    x, y = two(p, ndim)
    op = operator_of(p, x, y)
    return lambda s: x[s].ewise_union(y[s], op, True, False)


def semiring_of(p, *pairs):
    is_bool = any(x[0].dtype.name == "BOOL" for x in pairs)
    return getattr(semiring, p.pick(("any_pair", "lor_land") if is_bool else SEMIRINGS))


def product(p):
    A, v = p.pick(p.matrices), p.pick(p.vectors)
    op, form = semiring_of(p, A, v), p.rng.integers(4)
    return lambda s: (
        A[s].mxv(v[s], op), v[s].vxm(A[s], op), A[s].T.mxv(v[s], op), v[s].vxm(A[s].T, op)
    )[form]  # fmt: skip


def product2(p):
    A, B = two(p, 2)
    op, form = semiring_of(p, A, B), p.rng.integers(4)
    return lambda s: (
        A[s].mxm(B[s], op), A[s].T.mxm(B[s], op), A[s].mxm(B[s].T, op), A[s].T.mxm(B[s].T, op)
    )[form]  # fmt: skip


def reduce(p):
    A = p.pick(p.matrices)
    op = p.pick(
        (monoid.any, monoid.lor) if A[0].dtype.name == "BOOL" else (monoid.min, monoid.plus)
    )
    op = monoid.max if op is monoid.any and A[0].dtype.name != "BOOL" else op
    op = monoid.lor if op is monoid.any else op
    by_row = p.rng.integers(2)
    return lambda s: A[s].reduce_rowwise(op) if by_row else A[s].reduce_columnwise(op)


def count(p):
    A, by_row = p.pick(p.matrices), p.rng.integers(2)
    op = p.pick((gb.agg.count, gb.agg.exists, gb.agg.count_nonzero))
    op = gb.agg.count if A[0].dtype.name == "BOOL" else op
    return lambda s: A[s].reduce_rowwise(op) if by_row else A[s].reduce_columnwise(op)


def extract(p):
    v, keys = p.pick(p.vectors), p.rng.integers(0, SIZE, SIZE)
    A, row = p.pick(p.matrices), int(p.rng.integers(SIZE))
    form = p.rng.integers(3)
    return lambda s: (v[s][keys], A[s][row, :], A[s][:, row])[form]


def extract2(p):
    A, rows, columns = p.pick(p.matrices), *p.rng.integers(0, SIZE, (2, SIZE))
    return lambda s: A[s][rows, columns]


def moved(p):
    v, k = p.pick(p.vectors), int(p.rng.integers(-3, 4))
    return lambda s: v[s].reposition(k).new()  # python-graphblas assigns to the new region alone


def diagonal(p):
    A = p.pick(p.matrices)
    return lambda s: A[s].diag(0)


def diagonal2(p):
    v = p.pick(p.vectors)
    return lambda s: v[s].diag(0)


def outer(p):
    v, w = two(p, 1)
    op = operator_of(p, v, w)
    return lambda s: v[s].outer(w[s], op)


def beside(p):
    A, v = p.pick(p.matrices), p.pick(p.vectors)
    left = p.rng.integers(2)
    op = binary.second if "BOOL" in (A[0].dtype.name, v[0].dtype.name) else binary.plus
    return lambda s: op(v[s] | A[s]) if left else op(A[s] | v[s])


def scalar(p):
    v = p.pick(p.vectors)
    op = monoid.lor if v[0].dtype.name == "BOOL" else p.pick((monoid.plus, monoid.max))
    return lambda s: v[s].reduce(op).new()


def of_matrix(make):
    def of(p):
        return make(p, p.pick(p.matrices))

    return of


def of_matrices(make):
    return lambda p: make(p, 2)


apply2, bind2, select2, select_mask2 = map(of_matrix, (apply, bind, select, select_mask))
add2, mult2, union2 = map(of_matrices, (add, mult, union))
OPERATIONS = {
    1: ("identity", "fill", "apply", "bind", "select", "select_mask", "add", "mult", "union",
        "product", "reduce", "count", "extract", "moved", "diagonal", "scalar"),
    2: ("identity2", "fill", "apply2", "bind2", "select2", "select_mask2", "add2", "mult2",
        "union2", "product2", "extract2", "diagonal2", "outer", "beside", "scalar"),
}  # fmt: skip
# Without a mask nothing is replaced.
NUM_CELLS = sum(map(len, OPERATIONS.values())) * (2 * len(MASKS) - 1) * 2 * 4


def use_some_device():
    """Use the GPU, or the simulator where there is none."""
    try:
        device.xp
    except EngineUnavailable:
        device.active = Simulator()


def run(seed, seconds=None, statements=None, dtypes=DTYPES):
    """Run programs for some time, or of some statements together; return counts and differences."""
    gb.ss.config["nthreads"] = 1
    cells, differences, end = Counter(), [], time.monotonic() + (seconds or 0)
    while time.monotonic() < end if seconds else cells.total() < statements:
        seed += 1
        hit, found = Program(seed, dtypes).run(3 + seed % 6)
        cells += hit
        differences += [found] if found else []
    return cells, differences


def work(arguments):
    """Run programs in a process of their own."""
    use_some_device()
    return run(*arguments)


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    seeds = [(options.seed * 1000 + k) * 10**7 for k in range(options.processes)]
    tasks = [(seed, options.seconds) for seed in seeds]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        results = pool.map(work, tasks)
    cells = sum((found for found, _ in results), Counter())
    differences = [x for _, found in results for x in found]
    print(f"{cells.total():,} statements, {len(cells)} of {NUM_CELLS} cells, seeds {seeds}")
    print(f"{len(differences)} differences")
    for found in differences[:20]:
        print(json.dumps(found))
    if options.out:
        report = {"seeds": seeds, "cells": cells, "differences": differences}
        options.out.write_text(json.dumps(report))


if __name__ == "__main__":
    main()
