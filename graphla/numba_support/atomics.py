"""Atomic reads and updates of array elements, for kernels whose threads share an array.

Each compiles to one LLVM instruction: `load`, `atomicrmw` or `cmpxchg`, with monotonic ordering. An
update is atomic on its own element only; other memory is ordered by the barrier at the end of
a parallel loop, or by :func:`fence`. The Python bodies run when Numba's compiler is disabled
(NUMBA_DISABLE_JIT), which implies a single thread.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array


def load(array: Any, i: Any) -> Any:
    """Return array[i], read anew at each call: for a loop that waits until another thread stores.

    ``fetch_add(array, i, 0)`` would take the cache line away from the thread that is to store.
    """
    return array[i]


def fetch_add(array: Any, i: int, value: Any) -> Any:
    """Add `value` to array[i] and return the old value."""
    old = array[i]
    array[i] = old + value
    return old


def fetch_or(array: Any, i: int, value: Any) -> Any:
    """Set the bits of `value` in array[i] and return the old value."""
    old = array[i]
    array[i] = old | value
    return old


def fetch_min(array: Any, i: int, value: Any) -> Any:
    """Set array[i] to min(array[i], value) and return the old value."""
    old = array[i]
    array[i] = min(old, value)
    return old


def compare_and_swap(array: Any, i: int, expected: Any, value: Any) -> bool:
    """Store `value` if array[i] equals `expected`; return whether it was stored."""
    if array[i] != expected:
        return False
    array[i] = value
    return True


def fence() -> None:
    """Order the reads and writes before this call before those after it.

    A thread that writes data, calls `fence` and then updates a flag atomically makes the data
    visible to threads that read the flag atomically and call `fence` before they read the data.
    """


def element_pointer(context: Any, builder: Any, array_type: Any, array: Any, i: Any) -> Any:
    """Return the address of array[i] as an LLVM value, without a bounds check."""
    view = make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, view, [i], wraparound=False)


def _read_modify_write(signed: str, unsigned: str = "", real: str = "") -> Any:
    """Return an intrinsic for `atomicrmw`; its operation depends on the array's dtype."""

    @intrinsic
    def instruction(typing: Any, array: Any, i: Any, value: Any) -> Any:
        dtype = array.dtype
        if isinstance(dtype, types.Float):
            operation = real
        else:
            operation = signed if dtype.signed else unsigned

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = element_pointer(context, builder, signature.args[0], args[0], args[1])
            return builder.atomic_rmw(operation, address, args[2], "monotonic")

        return dtype(array, types.intp, dtype), generate

    return instruction


_add, _or = _read_modify_write("add", "add", "fadd"), _read_modify_write("or", "or")
_min = _read_modify_write("min", "umin", "fmin")


@intrinsic
def _load(typing: Any, array: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = element_pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.load_atomic(address, "monotonic", array.dtype.bitwidth // 8)

    return array.dtype(array, types.intp), generate


@intrinsic
def _swap(typing: Any, array: Any, i: Any, expected: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = element_pointer(context, builder, signature.args[0], args[0], args[1])
        old_and_success = builder.cmpxchg(address, args[2], args[3], "monotonic", "monotonic")
        return builder.extract_value(old_and_success, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


@intrinsic
def _fence(typing: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return types.none(), generate


@overload(fence, inline="always")
def _():
    return lambda: _fence()  # type: ignore[call-arg]


@overload(load, inline="always")
def _(array, i):
    return lambda array, i: _load(array, i)  # type: ignore[call-arg]


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
