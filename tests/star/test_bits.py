"""Positions and lengths of bits: what is accepted and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import DomainMismatch, EngineUnavailable, InvalidIndex, InvalidValue
from graphla.star import Slice, Word, on_cpu
from graphla.star.bits import check_integer, check_length, check_position, index_range, operations


def test_integers_of_any_type():
    assert check_integer(np.uint8(7), "x") == 7
    assert check_length(True) == 1
    for bad in (1.0, "1", None):
        with pytest.raises(DomainMismatch, match="x must be an integer, not"):
            check_integer(bad, "x")
    with pytest.raises(InvalidValue, match="rows=-1 is negative"):
        check_length(-1, "rows")


def test_positions_begin_at_1():
    assert [check_position(i, 3) for i in (1, 2, 3)] == [0, 1, 2]
    for i in (0, 4, -1):
        with pytest.raises(InvalidIndex, match=rf"vertex {i} is out of range 1\.\.3"):
            check_position(i, 3, "vertex")


def test_ranges():
    assert index_range(2, 5, 9) == (1, 4)
    assert index_range(9, 9, 9) == (8, 1)
    with pytest.raises(InvalidIndex, match=r"positions 5\.\.2 are in the wrong order"):
        index_range(5, 2, 9)


def test_engines():
    assert operations("cpu") is on_cpu
    for unknown in ("gpu", None, ["cpu"]):
        with pytest.raises(EngineUnavailable, match="expected cpu or cuda"):
            operations(unknown)


@pytest.mark.parametrize("make", [Slice, Word])
def test_initially_no_bit_is_set(make):
    bits = make(130)
    assert (bits.n, bits.engine, bits.words.size) == (130, "cpu", 3)
    assert not bits.words.any()
