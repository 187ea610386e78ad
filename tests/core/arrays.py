"""Dense arrays as graphs."""

from __future__ import annotations

import numpy as np


def dense(dtype, n=7, seed=0):
    """Return an n x n array with about a third non-zeros."""
    rng = np.random.default_rng(seed)
    return (rng.integers(1, 100, (n, n)) * (rng.random((n, n)) < 0.3)).astype(dtype)


def assert_holds(G, D):
    """The graph has the non-zeros of D as its edges."""
    assert G.A.dtype.np_type == D.dtype
    assert G.A.nvals == np.count_nonzero(D)
    np.testing.assert_array_equal(G.A.to_dense(fill_value=0), D)
    assert G.A.ss.is_iso or D.dtype != bool
    assert G.A.ss.orientation == "rowwise"
