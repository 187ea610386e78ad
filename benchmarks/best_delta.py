"""The fastest delta of another library's delta-stepping, so that it is compared at its best."""

from __future__ import annotations

import numpy as np

from graphla.comparison import measure

GUESSES = [4**k for k in range(1, 8)]


def best_delta(G, search):
    """Return the delta with which `search(source, delta)` is fastest from two vertices.

    Powers of 4 are tried first, then half and twice the best of them.
    """
    sources = np.flatnonzero(np.diff(G.csr.indptr))[[0, -1]]

    def seconds(delta):
        return sum(measure.timed(lambda s=s: search(int(s), delta))[0] for s in sources)

    best = min(GUESSES, key=seconds)
    return min((best // 2, best, best * 2), key=seconds)
