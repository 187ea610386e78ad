"""Random programs of a few statements on both engines, whose objects must stay equal.

    python -m tests.cuda.random_programs --seconds 200 --processes 16 --seed 1 --out FILE

ends after so many seconds, or so many `--statements`, and prints how many ran, which cells
(operation, mask, accumulator, replace, class of the output's dtype) they hit, and every difference
with the seed of its program. Values are small integers, in floats too, so that results do not
depend on the order of sums: objects with large values, or NaN, are made anew. Without a GPU the
simulator takes its place.

Compiling a kernel takes as long as tens of statements, and each operator with dtypes of its own
needs kernels of its own. So programs share a `Vocabulary` of operators and dtypes, which changes
after PROGRAMS programs. The processes of a run have the same ones, and share their compiled kernels
on disk. Statement after statement aims at the next cell of one sequence, in which each process
begins elsewhere: all are hit before one is hit again. A program follows from its seed, which is
SEEDS times the number of the run and of the process, plus the number of the program.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import time
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import graphblas as gb
import numpy as np
from graphblas import binary, monoid, semiring, unary
from graphblas.exceptions import GraphblasException

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import EngineUnavailable, GraphlaError
from tests.cuda.simulator import Simulator

SIZE = 7
LARGE = 250  # sums of SIZE products below this are exact in FP32
DTYPES = (
    "BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FP32",
    "FP64",
)  # fmt: skip
MASKS = ("none", "S", "V", "~S", "~V")
ACCUMULATORS = ("second", "min", "first", "max", "plus", "minus")
FORMS = {1: (None, "sparse", "bitmap"), 2: (None, "sparse", "bitmap")}
SEMIRINGS = ("any_pair", "min_first", "max_second", "plus_times", "min_plus", "plus_pair")
BINARY = ("first", "second", "min", "max", "plus", "minus", "times", "eq", "lt", "land")
SLICES = (slice(None), slice(1, 5), slice(None, None, 2), slice(5, 1, -1), [3, 0, 5], [2])


SEEDS = 10**7  # of the programs of one process
PROCESSES = 1000  # numbers of processes in a run
PROGRAMS = 4000  # of a process with one vocabulary
LENGTH = 6  # statements of a program
REFUSALS = (GraphblasException, GraphlaError)  # of either engine; other errors are differences
GOLDEN_RATIO = (5**0.5 - 1) / 2  # its multiples, modulo 1, are evenly spread, however many


class Cell(NamedTuple):
    """What statements are counted by; `kind` is NumPy's letter for the class of a dtype."""

    name: str
    ndim: int
    mask: str
    accumulates: bool
    replace: bool
    kind: str

    def __str__(self):
        name, ndim, mask, accumulates, replace, kind = self
        return f"{name}/{ndim} {mask} {accumulates} {replace} {kind}"


class Vocabulary:
    """One dtype of each class, and one choice, drawn once, wherever kernels depend on a choice."""

    def __init__(self, number, dtypes=DTYPES):
        self.number, self.chosen, self.dtypes = number, {}, {}
        for kind in "biuf":
            alike = [t for t in dtypes if gb.dtypes.lookup_dtype(t).np_type.kind == kind]
            if alike:
                self.dtypes[kind] = self.choose(alike, kind)
        self.kinds = tuple(self.dtypes)

    def choose(self, options, *key):
        """Return one of several options, always the same for a key."""
        if key not in self.chosen:
            rng = np.random.default_rng([*self.number, zlib.crc32(repr(key).encode())])
            self.chosen[key] = rng.integers(1 << 30)
        return options[self.chosen[key] % len(options)]


@cache
def vocabulary(seed, dtypes):
    """Return the vocabulary of the program with a seed."""
    run, number = seed // SEEDS // PROCESSES, seed % SEEDS // PROGRAMS
    return Vocabulary((run, number), dtypes)


@cache
def cells(kinds):
    """Return all cells of outputs of some classes, in a random order that is always the same."""
    found = [
        Cell(name, ndim, mask, accumulates, replace, kind)
        for ndim, names in OPERATIONS.items()
        for name in names
        for mask in MASKS
        for accumulates in (False, True)
        for replace in ((False, True) if mask != "none" else (False,))
        for kind in kinds
    ]
    return [found[k] for k in np.random.default_rng(0).permutation(len(found))]


class Program:
    """Objects of both engines, and statements on them, drawn from a seed."""

    def __init__(self, seed, dtypes=DTYPES):
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.vocabulary, self.lines = vocabulary(seed, tuple(dtypes)), []
        self.objects = {}  # number of dimensions, class -> two pairs
        self.cell = None

    def pick(self, options):
        """Draw one of several options."""
        return options[self.rng.integers(len(options))]

    def choose(self, options, *key):
        """Return the vocabulary's choice for the cell, whatever its mask."""
        name, ndim, _, accumulates, _, kind = self.cell
        return self.vocabulary.choose(options, name, ndim, accumulates, kind, *key)

    def object(self, ndim, kind):
        """Return one of the two pairs of equal objects of a class of dtypes."""
        pairs = self.objects.get((ndim, kind))
        if pairs is None:
            pairs = self.objects[ndim, kind] = [self.new(ndim, kind) for _ in range(2)]
        return self.pick(pairs)

    def operand(self, ndim, *key):
        """Return a pair of the class that the vocabulary has for an operand."""
        return self.object(ndim, self.choose(self.vocabulary.kinds, "operand", ndim, *key))

    def new(self, ndim, kind):
        """Draw a pair of equal objects."""
        dtype, shape = self.vocabulary.dtypes[kind], (SIZE,) * ndim
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

    def targets(self, count):
        """Return the cells of the statements."""
        sequence = cells(self.vocabulary.kinds)
        process, number = self.seed // SEEDS % PROCESSES, self.seed % SEEDS
        first = int(process * GOLDEN_RATIO * len(sequence)) + number * LENGTH
        return [sequence[k % len(sequence)] for k in range(first, first + count)]

    def run(self, statements=LENGTH):
        """Run statements; return the cells hit and a description of the first difference.

        A statement that both engines refuse is counted as such, and hits no cell.
        """
        hit = Counter()
        for cell in self.targets(statements):
            self.cell = cell
            refused, error = self.statement()
            hit["refused" if refused else str(cell)] += 1
            if error:
                return hit, {"seed": self.seed, "lines": self.lines, "error": error}
        return hit, None

    def statement(self):
        """Run one statement on both engines; return whether both refuse it, and what differs."""
        name, ndim, mask, accumulates, replace, kind = self.cell
        out = self.object(ndim, kind)
        make = globals()[name](self)
        names = ACCUMULATORS if kind != "b" else ("second", "first", "lor")
        accum = self.choose(names, "accumulator") if accumulates else None
        of = self.mask_of(ndim, mask)
        region = self.pick(SLICES) if name == "fill" and self.rng.integers(2) else None
        self.lines.append([name, mask, accum, replace, out[0].dtype.name, repr(region), ndim])
        outcomes = []
        for side in (0, 1):
            try:
                update(out[side], make(side), masked(mask, of[side]), accum, replace, region)
                outcomes.append(None)
            except Exception as error:
                outcomes.append(error)
        kinds = [outcome and type(outcome).__name__ for outcome in outcomes]
        if kinds[0] != kinds[1] or not all(isinstance(x, REFUSALS) for x in outcomes if x):
            return False, f"outcomes: {outcomes!r}"[:600]
        self.forms()
        error = difference(*out)
        self.renew(out, kind)
        return outcomes[0] is not None, error

    def mask_of(self, ndim, mask):
        """Return a pair that can be a mask of a kind; new values are no -0.0."""
        of = self.operand(ndim, "mask")
        if comparable(mask, of[1]) != mask:
            of[:] = self.new(ndim, of[1].dtype.np_type.kind)
        return of

    def forms(self):
        """Sometimes keep an object in another form from now on."""
        if not self.rng.integers(4):
            pairs = self.objects[self.pick(sorted(self.objects))]
            self.pick(pairs)[0].store(self.pick(FORMS[pairs[0][0].ndim]))

    def renew(self, out, kind):
        """Make objects anew whose values are large, or no numbers."""
        values = np.abs(out[1].to_coo()[-1].astype(float))
        if not np.all(values < LARGE):
            out[:] = self.new(out[1].ndim, kind)


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
    return getattr(binary, program.choose(names, "operator"))


def identity(p):
    x = p.operand(1)
    return lambda s: x[s]


def identity2(p):
    A, transposed = p.operand(2), p.rng.integers(2)
    return lambda s: A[s].T if transposed else A[s]


def fill(p):
    value = int(p.rng.integers(0, 3))
    return lambda s: value


def apply(p, x=None):
    x = x or p.operand(1)
    op = (
        unary.lnot
        if x[0].dtype.name == "BOOL"
        else p.choose((unary.ainv, unary.abs, unary.one), "operator")
    )
    return lambda s: x[s].apply(op)


def bind(p, x=None):
    x = x or p.operand(1)
    op, value, side = (
        operator_of(p, x),
        int(p.rng.integers(0, 3)),
        p.choose(("left", "right"), "side"),
    )
    value = bool(value) if x[0].dtype.name == "BOOL" else value
    return lambda s: x[s].apply(op, **{side: value})


def select(p, x=None):
    x = x or p.operand(1)
    name, thunk = p.choose(("==", "!=", "row<="), "operator"), int(p.rng.integers(0, 3))
    if name != "row<=":  # SuiteSparse 9.4.5 compares with 0 if the operator is of another dtype
        thunk = x[0].dtype.np_type.type(thunk)
    return lambda s: x[s].select(name, thunk)


def select_mask(p, x=None):
    x = x or p.operand(1)
    m, kind = p.operand(x[0].ndim, "chosen"), p.pick(MASKS[1:])
    kind = comparable(kind, m[1])
    return lambda s: x[s].select(masked(kind, m[s]))


def two(p, ndim):
    return [p.operand(ndim, side) for side in (0, 1)]


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
    return getattr(
        semiring, p.choose(("any_pair", "lor_land") if is_bool else SEMIRINGS, "semiring")
    )


def product(p):
    A, v = p.operand(2), p.operand(1)
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
    A = p.operand(2)
    is_bool = A[0].dtype.name == "BOOL"
    op = monoid.lor if is_bool else p.choose((monoid.min, monoid.plus, monoid.max), "operator")
    by_row = p.rng.integers(2)
    return lambda s: A[s].reduce_rowwise(op) if by_row else A[s].reduce_columnwise(op)


def count(p):
    A, by_row = p.operand(2), p.rng.integers(2)
    op = p.choose((gb.agg.count, gb.agg.exists, gb.agg.count_nonzero), "operator")
    op = gb.agg.count if A[0].dtype.name == "BOOL" else op
    return lambda s: A[s].reduce_rowwise(op) if by_row else A[s].reduce_columnwise(op)


def extract(p):
    v, keys = p.operand(1), p.rng.integers(0, SIZE, SIZE)
    A, row = p.operand(2), int(p.rng.integers(SIZE))
    form = p.rng.integers(3)
    return lambda s: (v[s][keys], A[s][row, :], A[s][:, row])[form]


def extract2(p):
    A, rows, columns = p.operand(2), *p.rng.integers(0, SIZE, (2, SIZE))
    return lambda s: A[s][rows, columns]


def moved(p):
    v, k = p.operand(1), int(p.rng.integers(-3, 4))
    return lambda s: v[s].reposition(k).new()  # python-graphblas assigns to the new region alone


def diagonal(p):
    A = p.operand(2)
    return lambda s: A[s].diag(0)


def diagonal2(p):
    v = p.operand(1)
    return lambda s: v[s].diag(0)


def outer(p):
    v, w = two(p, 1)
    op = operator_of(p, v, w)
    return lambda s: v[s].outer(w[s], op)


def beside(p):
    A, v = p.operand(2), p.operand(1)
    left = p.rng.integers(2)
    op = binary.second if "BOOL" in (A[0].dtype.name, v[0].dtype.name) else binary.plus
    return lambda s: op(v[s] | A[s]) if left else op(A[s] | v[s])


def scalar(p):
    v = p.operand(1)
    op = (
        monoid.lor if v[0].dtype.name == "BOOL" else p.choose((monoid.plus, monoid.max), "operator")
    )
    return lambda s: v[s].reduce(op).new()


def of_matrix(make):
    def of(p):
        return make(p, p.operand(2))

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


def use_some_device():
    """Use the GPU, or the simulator where there is none."""
    try:
        device.xp
    except EngineUnavailable:
        device.active = Simulator()


def run(seed, seconds=None, statements=None, dtypes=DTYPES):
    """Run programs up to a time, or a number of statements; return counts and differences."""
    gb.ss.config["nthreads"] = 1
    counts, differences = Counter(), []
    end, most = time.monotonic() + (seconds or math.inf), statements or math.inf
    while time.monotonic() < end and counts.total() < most:
        hit, found = Program(seed, dtypes).run()
        counts += hit
        differences += [found] if found else []
        seed += 1
    return counts, differences


def work(arguments):
    """Run programs in a process of their own."""
    use_some_device()
    return run(*arguments)


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--statements", type=int, help="of all processes, at most")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    seeds = [(options.seed * PROCESSES + k) * SEEDS for k in range(options.processes)]
    share = options.statements and -(-options.statements // options.processes)
    tasks = [(seed, options.seconds, share) for seed in seeds]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        results = pool.map(work, tasks)
    counts = sum((found for found, _ in results), Counter())
    differences = [x for _, found in results for x in found]
    refused = counts.pop("refused", 0)
    every = cells(tuple("biuf"))
    missed = [str(cell) for cell in every if str(cell) not in counts]
    print(
        f"{counts.total():,} statements, {refused:,} more that both engines refuse, seeds {seeds}"
    )
    print(f"{len(every) - len(missed):,} of {len(every):,} cells; missed: {missed[:20]}")
    print(f"{len(differences)} differences")
    for found in differences[:20]:
        print(json.dumps(found))
    if options.out:
        report = {"seeds": seeds, "cells": counts, "missed": missed, "differences": differences}
        options.out.write_text(json.dumps(report))


if __name__ == "__main__":
    main()
