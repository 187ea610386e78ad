"""Statements that damage memory are refused in tests, and no others."""

from __future__ import annotations

import graphblas as gb
import pytest

D, E = (gb.Vector.from_dense([1.0, 2.0, k]) for k in (3.0, 4.0))


def one_value():
    return gb.Vector.from_scalar(1.0, 3)


@pytest.mark.parametrize("name", ["ewise_add", "ewise_mult"])
def test_full_output_of_one_value_is_refused(name):
    with pytest.raises(AssertionError, match="into a full Vector of one value"):
        one_value() << getattr(D, name)(E, gb.binary.plus)
    with pytest.raises(AssertionError, match="into a full Vector of one value"):
        one_value() << gb.binary.plus(D | E)


def test_others_are_computed():
    C, accumulated, masked = one_value(), one_value(), one_value()
    C << D.ewise_add(E, gb.binary.plus).new()
    accumulated(gb.binary.plus) << D.ewise_add(E, gb.binary.plus)
    masked(D.S) << D.ewise_add(E, gb.binary.plus)
    assert C.to_dense().tolist() == masked.to_dense().tolist() == [2, 4, 7]
    assert accumulated.to_dense().tolist() == [3, 5, 8]
    C << C.ewise_mult(D, gb.binary.times)  # C has several values
    assert C.to_dense().tolist() == [2, 8, 21]
