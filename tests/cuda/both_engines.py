"""Run the same line of Python on both engines: equal results, or errors of the same class."""

import math

import graphblas as gb
import numpy as np

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import GraphlaError

OPERATORS = ("binary", "indexunary", "monoid", "select", "semiring", "unary")
ERRORS = (TypeError, IndexError, ValueError)


def world(side):
    """Return the names that a line may use: objects of one engine (cuda or gb), and operators."""
    make = side.Vector.from_coo
    v, b = make([0, 1], [1, 2], "INT64", size=3), make([0, 1], [True, False], "BOOL", size=3)
    f, i8 = make([1, 2], [1.5, 2.5], "FP32", size=3), make([0, 2], [3, -4], "INT8", size=3)
    make, shape = side.Matrix.from_coo, {"nrows": 3, "ncols": 3}
    A = make([0, 1, 2], [1, 2, 0], [1, 2, 5], "INT64", **shape)
    B = make([0, 1], [1, 2], [True, False], "BOOL", **shape)
    F = make([0, 1, 2, 2], [1, 2, 0, 2], [1.5, 2, 5, 0.5], "FP64", **shape)
    s, half, yes = (
        side.Scalar.from_value(value, dtype)
        for value, dtype in ((1, "INT64"), (1.5, "FP64"), (True, "BOOL"))
    )
    names = {"v": v, "b": b, "f": f, "i8": i8, "A": A, "B": B, "F": F, "T": A.T}
    names |= {"s": s, "half": half, "yes": yes, "side": side, "np": np, "replace": gb.replace}
    return names | {name: getattr(gb, name) for name in OPERATORS}


def shown(x):
    """Return a result as plain Python values, which compare equal across engines."""
    if hasattr(x, "new"):
        x = x.new()
    if hasattr(x, "to_coo"):
        arrays = (device.to_host(a) if device.is_array(a) else a for a in x.to_coo())
        lists = [["nan" if a != a else a for a in array.tolist()] for array in arrays]
        return x.dtype.name, tuple(x.shape), lists
    if hasattr(x, "value"):
        return x.dtype.name, x.value
    return x


def outcome(line, side):
    """Return the value of an expression, `v`, `b`, `A` and `B` after a statement, or its error."""
    names = world(side)
    try:
        try:
            result = eval(line, names)
        except SyntaxError:
            result = exec(line, names)
        return [shown(names[name]) for name in "vbAB"] if result is None else shown(result)
    except Exception as error:
        if side is cuda and not isinstance(error, GraphlaError):
            raise
        if isinstance(error, KeyError):  # python-graphblas has no such operator for the dtype
            return TypeError
        return next(k for k in ERRORS if isinstance(error, k))


def nearly_equal(x, y):
    """Whether outcomes are equal but for the last bits of floats."""
    if isinstance(x, tuple | list):
        return len(x) == len(y) and all(map(nearly_equal, x, y))
    return x == y or (isinstance(x, float) and math.isclose(x, y, rel_tol=1e-6))


def agree(line, refused=None):
    """Check that a line has the same outcome on both engines; `refused`: whether it must fail."""
    ours, theirs = (outcome(line, side) for side in (cuda, gb))
    # A GPU's powers differ from the host's in the last bits.
    assert ours == theirs or ("**" in line and nearly_equal(ours, theirs)), line
    if refused is not None:
        assert (theirs in ERRORS) == refused, line
