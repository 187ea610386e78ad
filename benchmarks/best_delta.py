"""The fastest delta of another library's delta-stepping, so that it is compared at its best."""

from __future__ import annotations

from functools import cache

import numpy as np

from graphla.comparison import measure

SMALLEST, FIRST, LARGEST = 4, 64, 4**7


def best_delta(G, search):
    """Return the delta with which `search(source, delta)` is fastest from two vertices.

    From the first delta it goes up, or else down, by powers of 4 until a step is slower; then half
    and twice the best one are tried.
    """
    sources = np.flatnonzero(np.diff(G.csr.indptr))[[0, -1]]

    @cache
    def seconds(delta):
        return sum(measure.timed(lambda s=s: search(int(s), delta))[0] for s in sources)

    search(int(sources[0]), FIRST)  # the first call may wait for memory
    best = FIRST
    while best < LARGEST and seconds(best * 4) < seconds(best):
        best *= 4
    if best == FIRST:
        while best > SMALLEST and seconds(best // 4) < seconds(best):
            best //= 4
    return min((best, best // 2, best * 2), key=seconds)
