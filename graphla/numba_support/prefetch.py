"""Ask for an array element that will be read soon, without waiting for it."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from graphla.numba_support.atomics import pointer

READ, KEEP, DATA = 0, 3, 1


def prefetch(array: Any, i: int) -> None:
    """Bring array[i] near, where i is an index or the size; without the compiler, do nothing."""


@intrinsic
def _prefetch(typing: Any, array: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = pointer(context, builder, signature.args[0], args[0], args[1])
        place = builder.bitcast(place, ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, *[ir.IntType(32)] * 3])
        call = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(call, [place, *(ir.Constant(ir.IntType(32), x) for x in (READ, KEEP, DATA))])
        return context.get_dummy_value()

    return types.none(array, types.intp), generate


@overload(prefetch, inline="always")
def _(array, i):
    return lambda array, i: _prefetch(array, i)  # type: ignore[call-arg]
