"""Sums of a value of each rank, beside those of SuiteSparse."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graphla.ranks.collectives.reductions import UFUNCS, sum_of_values

NUMBERS = ["INT8", "UINT8", "INT32", "INT64", "UINT64", "FP32", "FP64"]
CASES = [(name, "BOOL") for name in ("lor", "land")] + [
    (name, dtype) for name in ("plus", "times", "min", "max") for dtype in NUMBERS
]


def values_of(name, dtype):
    """Return a strategy of arrays whose sums are the same in every order."""
    elements = None
    if dtype.kind == "f" and name in ("plus", "times"):
        elements = st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0, np.inf, np.nan])
    return arrays(dtype, st.integers(1, 9), elements=elements)


@pytest.mark.parametrize(("name", "dtype"), CASES)
@given(data=st.data())
def test_sum_is_that_of_suitesparse(name, dtype, data):
    """Integers wrap; NaN is left out by min and max."""
    monoid = getattr(gb.monoid, name)[dtype]
    values = data.draw(values_of(name, monoid.return_type.np_type))
    found = sum_of_values(values, monoid.return_type, monoid)
    expected = gb.Vector.from_dense(values, dtype=monoid.return_type).reduce(monoid).new().value
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, expected)


def test_every_ufunc_is_tested():
    assert set(UFUNCS) == {name for name, _ in CASES}


def test_other_monoids_are_suitesparse_s():
    values = np.array([6, 3, 7], np.uint8)
    found = sum_of_values(values, gb.dtypes.UINT8, gb.monoid.bxor["UINT8"])
    assert found == 6 ^ 3 ^ 7
