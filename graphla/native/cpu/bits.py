"""Bits of a word, each by one instruction; the plain functions run without the compiler."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload


def lowest(word: Any) -> int:
    """Return the number of the lowest bit that is set in a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@intrinsic
def _count_trailing_zeros(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))  # 1: never called with 0
        return context.cast(builder, zeros, signature.args[0], types.intp)

    return types.intp(word), generate


@overload(lowest, inline="always")
def _(word):
    return lambda word: _count_trailing_zeros(word)  # type: ignore[call-arg]
