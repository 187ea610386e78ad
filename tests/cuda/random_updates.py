"""Objects in every form of storage, drawn from a seed, and updates run on both engines.

A test gives a formula, such as ``lambda x, y: x.ewise_add(y, op)``. It is shifted into C on
both engines, with any mask, accumulator and `replace`, C being an operand or the mask at
times; then operands, forms and scalars change and the same expressions are run again.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

import graphblas as gb
import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st

from graphla.cuda import Matrix, Scalar, Vector
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Sparse, to_sorted_list
from graphla.errors import DomainMismatch, EngineUnavailable
from tests.cuda.pairs import MASKS, masked, same

INTEGERS = [f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
FLOATS = ["FP32", "FP64"]
SMALL = ["INT8", "UINT32", "FP64"]
REAL = [*INTEGERS, *FLOATS]
ALL = ["BOOL", *INTEGERS, *FLOATS]
ACCUMS = (None, "plus", "second", "min", "minus", "first")
FORMS = (None, "sparse", "bitmap", "full", "unordered", "bits")


def has_device():
    """Whether there is a GPU; without one, most of a test's time goes into compiling kernels."""
    try:
        return device.xp is not None
    except EngineUnavailable:
        return False


FEW, MANY = (10 if has_device() else 4), 150  # cases of every day, and of slow runs on a GPU
EXAMPLES = settings(max_examples=12, phases=[Phase.explicit, Phase.generate])
DENSITIES = (0.0, 0.1, 0.4, 0.9, 1.0)


class Case(NamedTuple):
    """What decides which kernels run: all that a test is parametrised by."""

    op: str
    dtypes: tuple[str, ...]  # of the operands
    out: str
    mask: str
    mask_dtype: str
    accum: str | None
    replace: bool

    def __str__(self):
        x = "".join(f"-{part}" for part in (*self.dtypes, self.out, self.mask, self.mask_dtype))
        return f"{self.op}{x}-{self.accum}{'-replace' if self.replace else ''}"


def cases(ops, count, seed, operands=2, dtypes=ALL):
    """Return `count` random cases in which each operator stands about equally often.

    `ops` are names, or pairs of a name and the dtypes that it takes.
    """
    rng = random.Random(seed)
    found = []
    for _, op in zip(range(count), itertools.cycle(ops), strict=False):
        name, takes = op if isinstance(op, tuple) else (op, dtypes)
        first = rng.choice(takes)
        rest = [rng.choice([first, first, rng.choice(takes)]) for _ in range(operands - 1)]
        mask = rng.choice(MASKS)
        found.append(
            Case(
                name, (first, *rest), rng.choice([first, rng.choice(ALL)]), mask,
                rng.choice(ALL), rng.choice(ACCUMS), mask != "none" and rng.random() < 0.5,
            )
        )  # fmt: skip
    return found


def both_runs(ops, **options):
    """Parametrise by a few cases for every day, and by many that are slow."""
    few = [pytest.param(c, id=str(c)) for c in cases(ops, FEW, 0, **options)]
    many = dict.fromkeys(cases(ops, MANY, 1, **options))
    many = [pytest.param(c, id=str(c), marks=(pytest.mark.slow, pytest.mark.gpu)) for c in many]
    return pytest.mark.parametrize("case", few + many)


# ---- objects


def values(rng, dtype, count, extreme):
    """Small values, and if `extreme` those at the ends of the dtype."""
    t = gb.dtypes.lookup_dtype(dtype).np_type
    pool = [0, 1, 2, 3, 5] if t.kind in "ub" else [0, 1, 2, 3, 5, -1, -2]
    if t.kind == "f":
        pool += [0.5, -2.5]
        pool += [np.inf, -np.inf, np.nan, 1e20] if extreme else []
    elif extreme and t.kind != "b":
        pool += [np.iinfo(t).min, np.iinfo(t).max]
    return np.array(rng.choices(pool, k=count), t) if count else np.empty(0, t)


def make(seed, shape, dtype, form=None, density=0.4, extreme=False, iso=False):
    """Return the same object on both engines: (ours, python-graphblas's)."""
    rng = random.Random(seed)
    size = int(np.prod(shape))
    keys = np.array([k for k in range(size) if rng.random() < density], np.int64)
    iso = iso and keys.size and len(shape) == 2
    found = values(rng, dtype, keys.size, extreme and not iso)
    found = found[0].item() if iso else found
    coordinates = [np.asarray(x, np.int64) for x in np.unravel_index(keys, shape)] if size else [
        np.empty(0, np.int64) for _ in shape
    ]  # fmt: skip
    names = ("size",) if len(shape) == 1 else ("nrows", "ncols")
    more = dict(zip(names, shape, strict=True))
    ours = (Vector, Matrix)[len(shape) - 1].from_coo(*coordinates, found, dtype, **more)
    theirs = (gb.Vector, gb.Matrix)[len(shape) - 1].from_coo(*coordinates, found, dtype, **more)
    put(ours, form, rng)
    return ours, theirs


def put(x, form, rng):
    """Bring one of our objects into a form of storage."""
    form = None if form == "bits" and x.ndim == 1 else form
    x.store(None if form == "unordered" else form)
    if form != "unordered" or (x.ndim == 2 and not x._is_flat):
        return
    keys, found = to_sorted_list(x._flat(), x._positions).sorted_arrays()
    order = list(range(keys.size))
    rng.shuffle(order)
    xp, more = device.xp, 3  # room that holds nothing
    order = xp.asarray(np.array(order, np.int64))
    room = Sparse.allocate(x._positions, keys.size + more, x.dtype)
    room.keys[: keys.size], room.values[: keys.size] = keys[order], found[order]
    room._count = xp.full(1, keys.size, np.uint64)
    x._store = room


@st.composite
def objects(draw, shape, dtype, plain=False):
    """Draw a pair of a dtype in any form."""
    return make(
        draw(st.integers(0, 9999)), shape, dtype, draw(st.sampled_from(FORMS)),
        draw(st.sampled_from(DENSITIES)), not plain and draw(st.booleans()),
        draw(st.booleans()),
    )  # fmt: skip


def turned(data, pair):
    """Return a pair of matrices, transposed at times, as a view."""
    if len(pair[0].shape) == 2 and data.draw(st.booleans(), "transposed view"):
        return tuple(x.T.new().T for x in pair)
    return pair


def scalar(value, dtype):
    """Return a Scalar of both engines."""
    t = gb.dtypes.lookup_dtype(dtype).np_type.type
    return Scalar(dtype, t(value)), gb.Scalar.from_value(t(value), dtype)


# ---- updates


def update(data, case, formula, operands, shape, *, check=same, scalars=(), plain=False):
    """C<mask, accum, replace> = formula(operands) on both engines, twice, with changes between.

    `operands` and `scalars` are pairs.
    """
    C = data.draw(objects(shape, case.out, plain), "C")
    # Of a full one, with a mask and an accumulator, SuiteSparse 9.4.5 crashes at times.
    C[1].ss.config["sparsity_control"] = {"sparse", "bitmap"}
    M = data.draw(objects(shape, case.mask_dtype), "mask")
    operands = list(operands)
    for k, x in enumerate(operands):
        if could_be(x, shape, case.out) and data.draw(st.booleans(), f"C is operand {k}"):
            operands[k] = C
    if case.mask_dtype == case.out and data.draw(st.booleans(), "C is the mask"):
        M = C
    elif operands and could_be(operands[0], shape, case.mask_dtype) and data.draw(st.booleans()):
        M = operands[0]
    accum = None if case.accum is None else getattr(gb.binary, case.accum)
    kept = [x for x in (*operands, M) if x is not C]
    sides = [[pair[side] for pair in (*operands, *scalars)] for side in (0, 1)]
    try:
        expressions = [None, formula(*sides[1])]
    except KeyError:  # the operator does not take these dtypes together
        with pytest.raises(DomainMismatch):
            formula(*sides[0])
        return
    expressions[0] = formula(*sides[0])

    def run():
        for side in (0, 1):
            mask = masked(case.mask, M[side])
            C[side](mask=mask, accum=accum, replace=case.replace) << expressions[side]

    run()
    check(*C)
    for x in kept:
        same(*whole(x))
    before = C[1].dup()
    for again in range(3):
        for x in kept:
            change(data, x, plain)
        if not again:
            check(C[0], before)  # what C holds is its own
        for side in itertools.chain(*scalars):
            side.value = 2 + again
        put(C[0], data.draw(st.sampled_from(FORMS), "form of C"), random.Random(again))
        run()
        check(*C)


def equivalent(case):
    """Return the comparison of two results: bitwise, to the last places of sums of floats."""
    if not any(t in FLOATS for t in (*case.dtypes, case.out)):
        return same

    def check(ours, theirs):
        assert ours.dtype == theirs.dtype
        *places, got = map(device.to_host, ours.to_coo())
        *where, want = theirs.to_coo()
        for a, b in zip(places, where, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(got, want, rtol=1e-5)

    return check


def could_be(x, shape, dtype):
    """Whether an operand is of this shape and dtype, and no transposed view."""
    return whole(x) is x and x[0].shape == tuple(shape) and x[0].dtype.name == dtype


def whole(pair):
    """Return what a pair of transposed views shows; another pair as it is."""
    return pair if hasattr(pair[0], "_storage_hint") else (pair[0].T, pair[1].T)


def change(data, pair, plain=False):
    """Give an object other entries, in another form, on both engines."""
    ours, theirs = whole(pair)
    new = data.draw(objects(tuple(theirs.shape), theirs.dtype.name, plain), "new entries")
    how = data.draw(st.sampled_from(["replace", "update", "element", "keep"]), "change")
    if how == "replace":
        ours << new[0]
        theirs << new[1]
        put(ours, data.draw(st.sampled_from(FORMS)), random.Random(2))
    elif how == "update":
        ours(gb.binary.second) << new[0]
        theirs(gb.binary.second) << new[1]
    elif how == "element" and all(theirs.shape):
        at = tuple(n - 1 for n in theirs.shape)
        at = at[0] if len(at) == 1 else at
        ours[at] = 1
        theirs[at] = 1
