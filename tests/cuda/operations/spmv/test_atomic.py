"""Products that add with atomics to the columns of a matrix of few entries."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda.objects import matrix, vector
from tests.cuda.object_pairs import same
from tests.cuda.random_updates import (
    make,
)


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("name", ["min_first", "plus_times", "max_firsti", "times_second"])
def test_a_map_needs_no_transpose(name, form):
    """One entry a row at most: sums into columns, many of which have none."""
    rng = np.random.default_rng(5)
    n, m = 500, 70
    rows = np.flatnonzero(rng.random(n) < 0.9)
    arguments = rows, rng.integers(0, m // 2, rows.size), rng.integers(0, 99, rows.size)
    A = [M.from_coo(*arguments, "INT32", nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, w = make(1, (n,), "INT32", form, 0.5), make(2, (m,), "INT64", "bitmap", 0.5)
    if form == "full":
        u = [
            V.from_dense(np.arange(n, dtype=np.int32)[::-1].copy())
            for V in (vector.Vector, gb.Vector)
        ]
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    got, want = (x.vxm(B, op).new() for x, B in zip(u, A, strict=True))
    same(got, want)
    same(A[0].T.mxv(u[0], op).new(), A[1].T.mxv(u[1], op).new())
    assert A[0]._store._transposed is None
    for B, x, C in zip(A, u, w, strict=True):
        C(~C.V, gb.binary.plus) << x.vxm(B, op)
    same(*w)
