"""Random objects in every storage format, and random updates run on both engines.

A test passes a formula, such as ``lambda x, y: x.ewise_add(y, op)``. Its expression is assigned
to C on both engines, with a random mask, accumulator and `replace`; C may also be an operand or
the mask. Then operands, formats and scalars change and the same expressions are evaluated again.
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
from tests.cuda.object_pairs import MASKS, masked, same

INTEGERS = [f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
FLOATS = ["FP32", "FP64"]
SMALL = ["INT8", "UINT32", "FP64"]
REAL = [*INTEGERS, *FLOATS]
ALL = ["BOOL", *INTEGERS, *FLOATS]
ACCUMS = (None, "plus", "second", "min", "minus", "first")
FORMS = (None, "sparse", "bitmap", "full", "unordered", "bits")


def has_device():
    """Return whether there is a GPU."""
    try:
        return device.xp is not None
    except EngineUnavailable:
        return False


THOROUGH_ON_GPU = (pytest.mark.thorough, pytest.mark.gpu)
# Cases of runs without a GPU, where each compiles kernels with g++, and of those on one.
FEW, MANY = (10 if has_device() else 4), 150
EXAMPLES = settings(max_examples=12, phases=[Phase.explicit, Phase.generate])
DENSITIES = (0.0, 0.1, 0.4, 0.9, 1.0)


class Case(NamedTuple):
    """The parameters of a test, which decide which kernels run."""

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
    """Return `count` random cases in which all operators are about equally frequent.

    `ops` are names, or pairs of a name and the dtypes that the operator supports.
    """
    rng = random.Random(seed)
    chosen = []
    for _, op in zip(range(count), itertools.cycle(ops), strict=False):
        name, supported = op if isinstance(op, tuple) else (op, dtypes)
        first = rng.choice(supported)
        rest = [rng.choice([first, first, rng.choice(supported)]) for _ in range(operands - 1)]
        mask = rng.choice(MASKS)
        chosen.append(
            Case(
                name, (first, *rest), rng.choice([first, rng.choice(ALL)]), mask,
                rng.choice(ALL), rng.choice(ACCUMS), mask != "none" and rng.random() < 0.5,
            )
        )  # fmt: skip
    return chosen


def parametrize_cases(ops, **options):
    """Parametrise a test by a few cases, and by many that run on a GPU alone."""
    few = [pytest.param(c, id=str(c)) for c in cases(ops, FEW, 0, **options)]
    many = dict.fromkeys(cases(ops, MANY, 1, **options))
    many = [pytest.param(c, id=str(c), marks=THOROUGH_ON_GPU) for c in many]
    return pytest.mark.parametrize("case", few + many)


# ---- objects


def values(rng, dtype, count, extreme):
    """Return random small values; if `extreme`, the least and greatest of the dtype too."""
    t = gb.dtypes.lookup_dtype(dtype).np_type
    pool = [0, 1, 2, 3, 5] if t.kind in "ub" else [0, 1, 2, 3, 5, -1, -2]
    if t.kind == "f":
        pool += [0.5, -2.5]
        pool += [np.inf, -np.inf, np.nan, 1e20] if extreme else []
    elif extreme and t.kind != "b":
        pool += [np.iinfo(t).min, np.iinfo(t).max]
    return np.array(rng.choices(pool, k=count), t) if count else np.empty(0, t)


def make(seed, shape, dtype, form=None, density=0.4, extreme=False, iso=False):
    """Return a pair: the same random object on "cuda" and of python-graphblas."""
    rng = random.Random(seed)
    size = int(np.prod(shape))
    keys = np.array([k for k in range(size) if rng.random() < density], np.int64)
    iso = iso and keys.size and len(shape) == 2
    entries = values(rng, dtype, keys.size, extreme and not iso)
    entries = entries[0].item() if iso else entries
    coordinates = [np.asarray(x, np.int64) for x in np.unravel_index(keys, shape)] if size else [
        np.empty(0, np.int64) for _ in shape
    ]  # fmt: skip
    names = ("size",) if len(shape) == 1 else ("nrows", "ncols")
    sizes = dict(zip(names, shape, strict=True))
    ours = (Vector, Matrix)[len(shape) - 1].from_coo(*coordinates, entries, dtype, **sizes)
    theirs = (gb.Vector, gb.Matrix)[len(shape) - 1].from_coo(*coordinates, entries, dtype, **sizes)
    put(ours, form, rng)
    return ours, theirs


def put(x, form, rng):
    """Store one of our objects in a format of FORMS; "unordered" is a list of shuffled entries."""
    form = None if form == "bits" and x.ndim == 1 else form
    x.store(None if form == "unordered" else form)
    if form != "unordered" or (x.ndim == 2 and not x._is_flat):
        return
    keys, entries = to_sorted_list(x._flat(), x._positions).sorted_arrays()
    order = list(range(keys.size))
    rng.shuffle(order)
    xp, unused = device.xp, 3  # entries allocated behind the last one
    order = xp.asarray(np.array(order, np.int64))
    shuffled = Sparse.allocate(x._positions, keys.size + unused, x.dtype)
    shuffled.keys[: keys.size], shuffled.values[: keys.size] = keys[order], entries[order]
    shuffled._count = xp.full(1, keys.size, np.uint64)
    x._store = shuffled


# Strategies are made once: a new one is validated when it is drawn from, which takes longer than
# the draw.
FORM = st.sampled_from(FORMS)
CHANGE = st.sampled_from(("replace", "update", "element", "keep"))
SEED, DENSITY, FLAG = st.integers(0, 9999), st.sampled_from(DENSITIES), st.booleans()
CONTENT = st.tuples(SEED, FORM, DENSITY, FLAG, FLAG)


def objects(shape, dtype, plain=False):
    """Draw a pair in any storage format; `plain`: without extreme values."""

    def content(drawn):
        seed, form, density, extreme, iso = drawn
        return make(seed, shape, dtype, form, density, extreme and not plain, iso)

    return CONTENT.map(content)


def maybe_transposed(data, pair):
    """Return a pair, in some draws as transposed views of equal matrices."""
    if len(pair[0].shape) == 2 and data.draw(FLAG, "transposed view"):
        return tuple(x.T.new().T for x in pair)
    return pair


def scalar(value, dtype):
    """Return a pair of Scalars."""
    t = gb.dtypes.lookup_dtype(dtype).np_type.type
    return Scalar(dtype, t(value)), gb.Scalar.from_value(t(value), dtype)


# ---- updates


def update(data, case, formula, operands, shape, *, check=same, scalars=(), plain=False):
    """Run C<mask, accum, replace> = formula(operands) on both engines four times, and compare.

    Between runs the operands, the mask, the scalars and the format of C change. `operands` and
    `scalars` are pairs.
    """
    C = data.draw(objects(shape, case.out, plain), "C")
    # SuiteSparse 9.4.5 crashes at times if C is full and has a mask and an accumulator.
    C[1].ss.config["sparsity_control"] = {"sparse", "bitmap"}
    M = data.draw(objects(shape, case.mask_dtype), "mask")
    operands = list(operands)
    for k, x in enumerate(operands):
        if can_replace(x, shape, case.out) and data.draw(FLAG, f"C is operand {k}"):
            operands[k] = C
    # SuiteSparse takes -0.0 in a mask by value for true, unlike its own cast to BOOL.
    made_zeros = case.mask.endswith("V") and case.out in FLOATS
    alike = case.mask_dtype == case.out and not made_zeros
    if alike and data.draw(FLAG, "C is the mask"):
        M = C
    elif operands and can_replace(operands[0], shape, case.mask_dtype) and data.draw(FLAG):
        M = operands[0]
    accum = None if case.accum is None else getattr(gb.binary, case.accum)
    inputs = [x for x in (*operands, M) if x is not C]
    sides = [[pair[side] for pair in (*operands, *scalars)] for side in (0, 1)]
    try:
        expressions = [None, formula(*sides[1])]
    except KeyError:  # the operator does not support this combination of dtypes
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
    for x in inputs:
        same(*untransposed(x))
    before = C[1].dup()
    for again in range(3):
        for x in inputs:
            change(data, x, plain)
        if not again:
            check(C[0], before)  # C shares no memory with the operands
        for side in itertools.chain(*scalars):
            side.value = 2 + again
        put(C[0], data.draw(FORM, "form of C"), random.Random(again))
        run()
        check(*C)


def equivalent(case):
    """Return the check of a pair of results: exact, or with a tolerance for floats."""
    if not any(t in FLOATS for t in (*case.dtypes, case.out)):
        return same

    def check(ours, theirs):
        assert ours.dtype == theirs.dtype
        *our_indices, our_values = map(device.to_host, ours.to_coo())
        *their_indices, their_values = theirs.to_coo()
        for a, b in zip(our_indices, their_indices, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(our_values, their_values, rtol=1e-5)

    return check


def can_replace(x, shape, dtype):
    """Return whether a pair has this shape and dtype and is no transposed view."""
    return untransposed(x) is x and x[0].shape == tuple(shape) and x[0].dtype.name == dtype


def untransposed(pair):
    """Return the objects behind a pair of transposed views, or the pair itself."""
    return pair if hasattr(pair[0], "_storage_hint") else (pair[0].T, pair[1].T)


def change(data, pair, plain=False):
    """Give both objects of a pair other entries, in another format."""
    ours, theirs = untransposed(pair)
    new = data.draw(objects(tuple(theirs.shape), theirs.dtype.name, plain), "new entries")
    kind = data.draw(CHANGE, "change")
    if kind == "replace":
        ours << new[0]
        theirs << new[1]
        put(ours, data.draw(FORM), random.Random(2))
    elif kind == "update":
        ours(gb.binary.second) << new[0]
        theirs(gb.binary.second) << new[1]
    elif kind == "element" and all(theirs.shape):
        index = tuple(n - 1 for n in theirs.shape)
        index = index[0] if len(index) == 1 else index
        ours[index] = 1
        theirs[index] = 1
