"""Software prefetch: start loading an array element that will be read soon."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from graphla.numba_support.atomics import element_pointer

READ, ALL_CACHE_LEVELS, DATA = 0, 3, 1  # the operands of llvm.prefetch


def prefetch(array: Any, i: int) -> None:
    """Prefetch array[i], 0 <= i <= size; do nothing when Numba's compiler is disabled."""


@intrinsic
def _prefetch(typing: Any, array: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = element_pointer(context, builder, signature.args[0], args[0], args[1])
        address = builder.bitcast(address, ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        llvm_type = ir.FunctionType(ir.VoidType(), [address.type, i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], llvm_type)
        options = [ir.Constant(i32, x) for x in (READ, ALL_CACHE_LEVELS, DATA)]
        builder.call(function, [address, *options])
        return context.get_dummy_value()

    return types.none(array, types.intp), generate


@overload(prefetch, inline="always")
def _(array, i):
    return lambda array, i: _prefetch(array, i)  # type: ignore[call-arg]
