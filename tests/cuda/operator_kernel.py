"""One kernel that contains many operators, run on extreme and random values."""

import itertools
from pathlib import Path

import numpy as np
from graphblas import dtypes

from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel_text import paste, text
from tests.cuda import nvrtc

INTEGERS = [f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
NAMES = ["BOOL", *INTEGERS, "FP32", "FP64"]
DTYPES = [getattr(dtypes, name) for name in NAMES]
KERNEL = Path(__file__).with_suffix(".cu").read_text()
EXACT = {"sqrt", "ceil", "floor", "round", "trunc", "signum", "abs", "identity", "ainv", "minv"}
EXACT |= {"frexpx", "frexpe", "one", "lnot", ""}
INEXACT = {"pow", "numpy.float_power", "atan2", "hypot", "numpy.hypot"}


def values(dtype, count=40):
    """Return extreme and random values of a dtype."""
    t, random = dtype.np_type, np.random.default_rng(7)
    if t.kind == "b":
        return np.array([False, True])
    if t.kind == "f":
        info = np.finfo(t)
        edge = [0, 1, 2, 3, 0.5, 1.5, 2.5, np.inf, info.max, info.tiny, info.smallest_subnormal]
        edge = [*edge, 1e-3, 31.5, 2.0**31, 2.0**63, 7, info.eps]
        edge = np.array([*edge, *(-x for x in edge), np.nan], t)
        return np.concatenate([edge, random.normal(0, 10, count).astype(t)])
    low, high = np.iinfo(t).min, np.iinfo(t).max
    edge = {low, low + 1, -2, -1, 0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, high - 1, high}
    edge = np.array(sorted(x for x in edge if low <= x <= high), t)
    return np.concatenate([edge, random.integers(low, high, count, t), np.arange(10, dtype=t)])


def pairs(dtype):
    """Return all pairs of :func:`values` as two arrays."""
    x = values(dtype)
    x = x[len(x) % 2 :]  # an even number: INDEXED reads them as a matrix of two columns
    return tuple(np.array(side, x.dtype) for side in zip(*itertools.product(x, x), strict=True))


def source(dtype, ops, before=""):
    """Return the source of the kernel of these operators; `before` is text put before them."""
    structs = "".join(make(op, f"Op{k}") for k, (_, make, op) in enumerate(ops))
    cases = " ".join(f"{macro}({k})" for k, (macro, _, _) in enumerate(ops))
    definitions = f"typedef {tables.ctype(dtype)} T;\n{structs}#define OPERATORS {cases}\n"
    seen = {"types.cuh"}
    return paste(text("types.cuh"), seen) + before + paste(definitions + KERNEL, seen)


def runner(dtype, ops, before=""):
    """Return a function of (x, y, k) that computes operator k on the device."""
    run, xp = device.compile(source(dtype, ops, before), "apply_operator", False), device.xp

    def compute(x, y, k):
        z = xp.empty(len(x), ops[k][2].return_type.np_type)
        run(len(x), 256, 0, (xp.asarray(x), xp.asarray(y), z, len(x), k))
        return device.to_host(z)

    return compute


def ulps(a, b):
    """Return the distance of floats in units in the last place."""
    with np.errstate(all="ignore"):
        return np.abs(a - b) / np.spacing(np.maximum(np.abs(a), np.abs(b)))


def agree(op, got, want, x, y):
    """Check equality: exact, but to 4 ulp (16 on a GPU) for transcendental functions."""
    assert got.dtype == want.dtype, op
    if got.dtype.kind != "f":
        bad = got != want
        if tables.name_of(op) == "pow":  # computed in FP64, whose last bit depends on the library
            bad &= np.abs(got.astype(np.longdouble) - want) > np.spacing(want.astype(float))
    else:
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        name = tables.name_of(op)
        if name not in ("min", "max"):  # 0.0 and -0.0 are both correct
            same &= (got != 0) | (np.signbit(got) == np.signbit(want))
        if (op.opclass == "UnaryOp" and name not in EXACT) or name in INEXACT:
            same |= ulps(got, want) <= (4 if device.multiprocessors == 1 else 16)
            with np.errstate(invalid="ignore"):  # lgamma has zeros: compare absolutely
                close = np.abs(got - want) <= 8 * np.finfo(got.dtype).eps
            same |= close & (name == "lgamma")
            same |= (np.abs(want) > 1e308) & np.isinf(got) & (name == "hypot")
        bad = ~same
    k = int(np.argmax(bad))
    assert not bad.any(), f"{op!r} of {x[k]!r}, {y[k]!r}: {got[k]!r}, not {want[k]!r}"


def compile_as_cuda(dtype, ops):
    """Compile the kernel of these operators by NVRTC."""
    nvrtc.compile(source(dtype, ops))
