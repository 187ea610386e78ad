"""Bits of a 64-bit word, counted and found by one instruction each.

The plain functions are what runs where Numba's compiler is switched off.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def ones(word: Any) -> int:
    """Return how many bits of an unsigned 64-bit word are set."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """Return the position, from 0, of the lowest bit that is set; word is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _ones(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@overload(ones, inline="always")
def _(word):
    return lambda word: _ones(word)  # type: ignore[call-arg]


@overload(lowest, inline="always")
def _(word):
    return lambda word: _lowest(word)  # type: ignore[call-arg]
