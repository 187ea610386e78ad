"""Numbers of shortest paths of any size: FP64 values with a common exponent for a band of vertices.

A count is m B^b with B = 2^1000 and m from 2^-800 to 2^800; b is 0 or more, and the count 1 is
m = 2^-800, b = 0. A *band* is the vertices with one b, as a Matrix or Vector of their m. Counts up
to 2^1600 are in band 0, so that most graphs have no other.

Sums of counts are sums of m within a band. A vertex that several bands reach belongs to the
highest: counts of the band below add 1 / B of their m, those of lower ones less than the rounding.

A share of dependencies that a vertex v gets from w is W(w) m(v), with W = (1 + dependency) / m, if
they are in one band, and W(w) / B m(v) if w is in the next band. From a higher one it is below
2^-1000 (1 + dependency) and counts as 0. Dependencies below 2^-200 have fewer digits than FP64.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from graphblas import binary, monoid
from graphblas.dtypes import FP64

FIRST, PEAK = 2.0**-800, 2.0**800
STEP_UP = 2.0**-1000  # 1 / B

plus, times = binary.plus[FP64], binary.times[FP64]


def assign_bands(counts: dict[int, Any]) -> float:
    """Move m above PEAK to the next band, and each vertex to the highest of its bands.

    Parameters
    ----------
    counts : dict
        A Matrix or Vector of m for each b, below 2^1023. They are changed; bands may be added.

    Returns
    -------
    float
        The largest m.
    """
    largest = 0.0
    for b in sorted(counts):
        band = counts[b]
        peak = band.reduce_scalar(monoid.max) if band.ndim == 2 else band.reduce(monoid.max)
        peak = peak.new().value or 0.0
        largest = max(largest, min(peak, PEAK))
        if peak > PEAK:
            above = counts.setdefault(b + 1, band.dup(clear=True))
            above(plus) << band.select(">", PEAK).new().apply(times, right=STEP_UP)
            band << band.select("<=", PEAK)
    for b, c in combinations(sorted(counts), 2):
        lower, higher = counts[b], counts[c]
        if c == b + 1:
            # without new(), SuiteSparse 9.4.5 may mix up the values of `lower`: docs/upstream.md
            higher(higher.S, plus) << lower.apply(times, right=STEP_UP).new()
        lower(~higher.S, replace=True) << lower
    return largest


def shares_for_band(shares: dict[int, Any], b: int) -> Any:
    """Return what vertices of band b multiply by their m: W of band b, and W / B of the next.

    Parameters
    ----------
    shares : dict
        W of each band, as Matrices or Vectors; of b or b + 1 at least.
    b : int
    """
    if b + 1 not in shares:
        return shares[b]
    scaled = shares[b + 1].apply(times, right=STEP_UP).new()
    return shares[b].ewise_add(scaled, plus).new() if b in shares else scaled
