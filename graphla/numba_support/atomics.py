"""Atomic updates of array elements, for kernels whose threads share an array.

Each is one LLVM instruction (`atomicrmw` or `cmpxchg`, monotonic: a claim on one
word, ordered against other memory by the barrier at the end of a parallel loop).
The plain functions are what runs where Numba's compiler is switched off, which is
always one thread.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array


def fetch_add(array: Any, i: int, value: Any) -> Any:
    """Add `value` to array[i] and return what was there."""
    old = array[i]
    array[i] = old + value
    return old


def fetch_or(array: Any, i: int, value: Any) -> Any:
    """Set the bits of `value` in array[i] and return what was there."""
    old = array[i]
    array[i] = old | value
    return old


def fetch_min(array: Any, i: int, value: Any) -> Any:
    """Lower array[i] to `value` where that is smaller and return what was there."""
    old = array[i]
    array[i] = min(old, value)
    return old


def compare_and_swap(array: Any, i: int, expected: Any, value: Any) -> bool:
    """Store `value` where array[i] equals `expected`, and return whether it did."""
    if array[i] != expected:
        return False
    array[i] = value
    return True


def pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    view = make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, view, [index], wraparound=False)


def _read_modify_write(signed: str, unsigned: str = "", real: str = "") -> Any:
    @intrinsic
    def instruction(typing: Any, array: Any, i: Any, value: Any) -> Any:
        kind = array.dtype
        operation = real if isinstance(kind, types.Float) else signed if kind.signed else unsigned

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = pointer(context, builder, signature.args[0], args[0], args[1])
            return builder.atomic_rmw(operation, place, args[2], "monotonic")

        return array.dtype(array, types.intp, array.dtype), generate

    return instruction


_add, _or = _read_modify_write("add", "add", "fadd"), _read_modify_write("or", "or")
_min = _read_modify_write("min", "umin", "fmin")


@intrinsic
def _swap(typing: Any, array: Any, i: Any, expected: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = pointer(context, builder, signature.args[0], args[0], args[1])
        pair = builder.cmpxchg(place, args[2], args[3], "monotonic", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


@overload(fetch_add, inline="always")
def _(array, i, value):
    return lambda array, i, value: _add(array, i, value)


@overload(fetch_or, inline="always")
def _(array, i, value):
    return lambda array, i, value: _or(array, i, value)


@overload(fetch_min, inline="always")
def _(array, i, value):
    return lambda array, i, value: _min(array, i, value)


@overload(compare_and_swap, inline="always")
def _(array, i, expected, value):
    return lambda array, i, expected, value: _swap(array, i, expected, value)  # type: ignore[call-arg]
