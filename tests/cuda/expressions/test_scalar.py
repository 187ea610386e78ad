"""Scalar: values, dtypes and emptiness as python-graphblas's, and where its value lives."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda import Scalar, Vector
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, InvalidValue
from tests.cuda.object_pairs import same
from tests.cuda.random_updates import ALL, make


@pytest.mark.parametrize("dtype", ALL)
def test_values(dtype):
    for value in (0, 1, 3, None):
        s, theirs = Scalar.from_value(value, dtype), gb.Scalar.from_value(value, dtype)
        assert (s.value, s.dtype, s.nvals) == (theirs.value, theirs.dtype, theirs.nvals)
        assert type(s.value) is type(theirs.value)
        assert s.is_empty == theirs.is_empty == (value is None)
        assert s.get(7) == theirs.get(7)
        assert bool(s) == bool(theirs)
        if value is not None:
            assert int(s) == int(theirs)
            assert float(s) == float(theirs)
            assert s == theirs.value
            for other in ("INT8", "FP64", "BOOL"):
                assert s.new(other).value == theirs.dup(other).value
                assert s.new(other).dtype == other


def test_a_change_of_value():
    s = Scalar("INT8", 3)
    copy = s.dup()
    s.value = 5
    assert (s.value, copy.value) == (5, 3)
    s.value = None
    assert s.is_empty
    assert repr(s) == "<Scalar: INT8, None>"


def test_a_refused_value_leaves_the_one_before():
    s = Vector.from_coo([0, 1], [3, 4], "INT8", size=2).reduce("plus").new()
    for wrong, error in ((300, InvalidValue), ("x", DomainMismatch)):
        with pytest.raises(error):
            s.value = wrong
    assert s.value == 7


def test_a_sum_stays_on_the_device_until_it_is_read(monkeypatch):
    """It is read once, even if the operand changes later."""
    v = Vector.from_coo([0, 3], [2, 5])
    reads = []
    for name in ("read_scalar", "read_words", "wait_for"):
        read = getattr(device.active, name, None)
        if read is not None:
            monkeypatch.setattr(
                device.active,
                name,
                lambda *x, read=read: reads.append(1) or read(*x),
                raising=False,
            )
    total = v.reduce("plus").new()
    assert not reads
    v << 1
    assert total.value == 7
    count = len(reads)
    assert 1 <= count <= 2
    assert total.value == 7
    assert len(reads) == count


@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT64", "FP32"])
def test_scalars_as_operands(dtype):
    """On the left and on the right, of another dtype, changed between two runs, empty."""
    (v, w), (s, t) = make(1, (9,), dtype), (Scalar("INT16", 2), gb.Scalar.from_value(2, "INT16"))
    for op in (gb.binary.plus, gb.binary.first, gb.binary.lt):
        if dtype == "BOOL" and op is gb.binary.plus:
            continue
        for mine, his in (
            (v.apply(op, right=s), w.apply(op, right=t)),
            (v.apply(op, left=s), w.apply(op, left=t)),
        ):
            a, b = mine.new(), his.new()
            same(a, b)
            s.value = t.value = 3
            a << mine
            b << his
            same(a, b)
    v(v.S) << s
    w(w.S) << t
    same(v, w)


def test_what_is_no_scalar_is_refused():
    v = Vector.from_coo([0], [1])
    for wrong in ("x", object(), [1]):
        with pytest.raises(DomainMismatch):
            v.apply("plus", right=wrong)
    with pytest.raises(InvalidValue, match="empty Scalar"):
        v.apply("plus", right=Scalar("INT8")).new()
    with pytest.raises((TypeError, ValueError)):
        Scalar("INT8", "x")


def test_an_empty_scalar_empties_what_it_is_assigned_to():
    """v << empty, as on the CPU, has no entries; with an accumulator nothing changes."""
    for accum in (None, gb.binary.plus):
        (v, w) = make(1, (9,), "INT32", density=0.9)
        v(accum=accum) << Scalar("INT32")
        w(accum=accum) << gb.Scalar("INT32")
        same(v, w)


def test_numpy_scalars():
    (v, w) = make(1, (9,), "INT8")
    for value in (np.int64(3), np.float32(0.5), np.bool_(True), np.uint8(200)):
        same(v.apply("plus", right=value).new(), w.apply("plus", right=value).new())
        v << value
        w << value
        same(v, w)
