"""Values of all ranks, combined on every rank in the order of the ranks."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from graphla.errors import NotSupported

ORDERED = ("any", "min", "max")  # monoids for which a shift of all values shifts the result


def fold_values(communicator: Any, call: str, local: Any, monoid: Any) -> Any:
    """Return the sum, over a monoid, of a Scalar of each rank; empty ones are left out."""
    value = None if local.is_empty else local.dtype.np_type.type(local.value)
    values = communicator.gather_values(call, value)
    if not values:
        return gb.Scalar(local.dtype)
    column = gb.Vector.from_dense(np.array(values), dtype=local.dtype)
    total = column.reduce(monoid).new()
    return gb.Scalar.from_value(total.value, local.dtype)


def shifted(local: Any, shift: int | None, monoid: Any) -> Any:
    """Return a result whose values are indices, moved to where this rank's block begins.

    `local` is an expression or a Scalar of python-graphblas; without a shift it stays as it is.
    """
    if shift is None:
        return local
    if monoid.name.split("[")[0] not in ORDERED:
        raise NotSupported(f"a positional semiring over {monoid.name} of distributed objects")
    if not shift:
        return local
    if isinstance(local, gb.Scalar):
        return local if local.is_empty else gb.Scalar.from_value(local.value + shift, local.dtype)
    return local.new().apply(gb.binary.plus[monoid.return_type], right=shift)
