"""Population count and lowest set bit of a word, one instruction each; reads of packed numbers.

The Python bodies run when Numba's compiler is disabled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.core import types
from numba.extending import intrinsic, overload


def popcount(word: Any) -> int:
    """Return the number of set bits."""
    return int(word).bit_count()


def lowest(word: Any) -> int:
    """Return the index of the lowest set bit; the word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _popcount(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, builder.ctpop(args[0]), signature.args[0], types.intp)

    return types.intp(word), generate


@intrinsic
def _lowest(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        trailing_zeros = builder.cttz(args[0], context.get_constant(types.boolean, True))
        return context.cast(builder, trailing_zeros, signature.args[0], types.intp)

    return types.intp(word), generate


@overload(popcount, inline="always")
def _(word):
    return lambda word: _popcount(word)  # type: ignore[call-arg]


@overload(lowest, inline="always")
def _(word):
    return lambda word: _lowest(word)  # type: ignore[call-arg]


@njit(cache=True, inline="always")
def read_packed(words, bit, mask):
    """Return the number that begins at a bit of 32-bit words; it may cross into the next word."""
    w = bit >> 5
    two_words = np.uint64(words[w]) | np.uint64(words[w + 1]) << np.uint64(32)
    return np.int64(two_words >> np.uint64(bit & 31) & mask)
