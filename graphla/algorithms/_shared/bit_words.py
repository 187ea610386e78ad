"""Arithmetic on UINT64 Vectors whose values are sets of 64 bits."""

from __future__ import annotations

from typing import Any

from graphblas import binary, semiring
from graphblas.dtypes import INT64, UINT64

WORD_BITS = 64

bor, band, bxor, shift = (getattr(binary, op)[UINT64] for op in ("bor", "band", "bxor", "bshift"))
plus, minus, times = binary.plus[UINT64], binary.minus[UINT64], binary.times[UINT64]
bor_bor = semiring.bor_bor[UINT64]  # with a matrix of zeros: bor.first


def count_bits(words: Any) -> Any:
    """Count the set bits of each word by sums of neighbouring bit fields; INT64."""
    x = words.dup()
    y = x.apply(shift, right=-1).new()
    y << y.apply(band, right=0x5555555555555555)
    x << x.ewise_mult(y, minus)
    y << x.apply(shift, right=-2)
    y << y.apply(band, right=0x3333333333333333)
    x << x.apply(band, right=0x3333333333333333)
    x << x.ewise_mult(y, plus)
    y << x.apply(shift, right=-4)
    x << x.ewise_mult(y, plus)
    x << x.apply(band, right=0x0F0F0F0F0F0F0F0F)
    x << x.apply(times, right=0x0101010101010101)
    return x.apply(shift, right=-56).new(INT64)
