"""Deterministic pseudo-random numbers in the algebra: a scrambling bijection of 64-bit words.

Source: P. Evensen, "Better, stronger mixer and a test procedure" (the mixer
moremur), 2019.
"""

from __future__ import annotations

from typing import Any

from graphblas import binary
from graphblas.dtypes import UINT64

plus, times = binary.plus[UINT64], binary.times[UINT64]
shift, xor = binary.bshift[UINT64], binary.bxor[UINT64]
GOLDEN = 0x1E3779B97F4A7C15  # any odd number: it keeps 0 from being mapped to 0


def mix(x: Any) -> Any:
    """Scramble every value of a UINT64 Vector or Matrix in place, and return it."""
    y = x.dup()
    x << y.apply(plus, right=GOLDEN)
    for bits, factor in ((27, 0x3C79AC492BA7B653), (33, 0x1C69B3F74AC4AE35), (27, 1)):
        y << x.apply(shift, right=-bits)
        y << x.ewise_mult(y, xor)
        x << y.apply(times, right=factor)
    return x
