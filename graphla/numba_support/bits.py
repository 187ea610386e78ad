"""Bits of a word, counted and found by one instruction each.

The plain functions are what runs where Numba's compiler is switched off.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload


def popcount(word: Any) -> int:
    """Count the bits that are set."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """Return the number of the lowest bit that is set; the word is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _popcount(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, builder.ctpop(args[0]), signature.args[0], types.intp)

    return types.intp(word), generate


@intrinsic
def _lowest(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.cttz(args[0], context.get_constant(types.boolean, True))
        return context.cast(builder, zeros, signature.args[0], types.intp)

    return types.intp(word), generate


@overload(popcount, inline="always")
def _(word):
    return lambda word: _popcount(word)  # type: ignore[call-arg]


@overload(lowest, inline="always")
def _(word):
    return lambda word: _lowest(word)  # type: ignore[call-arg]
