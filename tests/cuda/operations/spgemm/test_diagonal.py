"""Products by a diagonal matrix, which scale rows or columns."""

from __future__ import annotations

from operator import attrgetter

import graphblas as gb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.objects import matrix
from tests.cuda.object_pairs import same
from tests.cuda.random_updates import (
    EXAMPLES,
    objects,
)


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


SCALES = ["plus_times", "min_plus", "max_first", "any_le", "plus_pair", "ss.any_secondi"]
SCALES += ["ss.min_firstj"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", SCALES)
@given(data=st.data())
@EXAMPLES
def test_a_diagonal_matrix_scales(name, data):
    matrix.FLAT_ROWS = 0
    n, m = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 30))
    A, d = (
        data.draw(objects((n, m), "FP32")),
        data.draw(st.sampled_from(["dense", "sparse", "iso"])),
    )
    op = attrgetter(name)(gb.semiring)
    rows, columns = (data.draw(objects((k,), "FP32")) for k in (n, m))
    got, want = [], []
    for side, found in ((0, got), (1, want)):
        D, E = (v[side].dup() for v in (rows, columns))
        for v in (D, E):
            if d == "iso":
                v << 2.5
            elif d == "dense":
                v(~v.S) << 2.5
        found += [D.diag().mxm(A[side], op).new(), A[side].mxm(E.diag(), op).new()]
        found.append(D.diag().mxm(D.diag(), op).new())
    for x, y in zip(got, want, strict=True):
        same(x, y)
