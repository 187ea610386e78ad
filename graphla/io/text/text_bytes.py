"""Read bytes and words of a text in Numba code by its address.

A text is a tuple (address, size). An array as an argument of inner functions would cost an atomic
update of its reference count at every call, which is more than the scan of a number. The array
must outlive the text.

The Python bodies run when Numba's compiler is disabled.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic, overload


@njit(cache=True, nogil=True)
def text_of(data: Any) -> Any:
    """Return the text in a contiguous array of uint8."""
    return np.uint64(data.ctypes.data), np.uint64(data.size)


def byte(text: Any, pos: int) -> Any:
    """Return the byte at a position in 0..size - 1."""
    return np.uint8(ctypes.c_uint8.from_address(int(text[0]) + int(pos)).value)


def word(text: Any, pos: int) -> Any:
    """Return eight bytes, the first one in the lowest bits; the last one is below the size."""
    return np.uint64(int.from_bytes(ctypes.string_at(int(text[0]) + int(pos), 8), "little"))


def _load(bits: int) -> Any:
    """Return an intrinsic that loads an unsigned little-endian integer from an address."""

    @intrinsic
    def load(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            value = builder.load(pointer, align=1)
            return builder.bswap(value) if bits > 8 and sys.byteorder == "big" else value

        return getattr(types, f"uint{bits}")(types.uint64), generate

    return load


_load_byte, _load_word = _load(8), _load(64)


@overload(byte, inline="always")
def _(text, pos):
    return lambda text, pos: _load_byte(text[0] + np.uint64(pos))


@overload(word, inline="always")
def _(text, pos):
    return lambda text, pos: _load_word(text[0] + np.uint64(pos))
