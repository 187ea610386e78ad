"""Values of all ranks, combined on every rank in the order of the ranks."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from graphla.errors import NotSupported

ORDERED = ("any", "min", "max")  # monoids for which a shift of all values shifts the result
# The same monoids in NumPy, which takes a few microseconds for a value of each rank; on the host of
# a GPU, python-graphblas takes some 200, twice in an iteration of PageRank.
UFUNCS = {
    "plus": np.add, "times": np.multiply, "min": np.fmin, "max": np.fmax,
    "lor": np.logical_or, "land": np.logical_and,
}  # fmt: skip


def fold_values(communicator: Any, call: str, local: Any, monoid: Any) -> Any:
    """Return the sum, over a monoid, of a Scalar of each rank; empty ones are left out."""
    value = None if local.is_empty else local.dtype.np_type.type(local.value)
    values = communicator.gather_values(call, value)
    total = sum_of_values(values, local.dtype, monoid) if values.size else None
    return communicator.blocks.objects.Scalar.from_value(total, local.dtype)


def sum_of_values(values: Any, dtype: Any, monoid: Any) -> Any:
    """Return the sum of an array, not empty, over a monoid of its dtype."""
    ufunc = UFUNCS.get(monoid.name.split("[")[0])
    if ufunc is not None:
        with np.errstate(over="ignore", invalid="ignore"):
            return ufunc.reduce(values, dtype=values.dtype)
    return gb.Vector.from_dense(values, dtype=dtype).reduce(monoid).new().value


def shifted(local: Any, shift: int | None, monoid: Any) -> Any:
    """Return a result whose values are indices, moved to where this rank's block begins.

    `local` is an expression of the engine; without a shift it stays as it is.
    """
    if not _shifts(shift, monoid):
        return local
    return local.new().apply(gb.binary.plus[monoid.return_type], right=shift)


def shifted_scalar(local: Any, shift: int | None, monoid: Any) -> Any:
    """Return a Scalar whose value is an index, moved to where this rank's block begins."""
    if not _shifts(shift, monoid) or local.is_empty:
        return local
    return type(local).from_value(local.value + shift, local.dtype)


def _shifts(shift: int | None, monoid: Any) -> bool:
    """Whether results are to be moved; refuse a monoid of which they are no sums."""
    if shift is not None and monoid.name.split("[")[0] not in ORDERED:
        raise NotSupported(f"a positional semiring over {monoid.name} of distributed objects")
    return bool(shift)
