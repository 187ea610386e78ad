"""Slices and words against Boolean arrays and Python's integers."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.runtime.device import device
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    EngineUnavailable,
    InvalidIndex,
    InvalidValue,
)
from graphla.star import Slice, Word
from tests.star.models import bits, drawn, pairs, same, sliced, value, worded

BITWISE = {
    operator.and_: np.logical_and,
    operator.or_: np.logical_or,
    operator.xor: np.logical_xor,
    operator.sub: lambda x, y: x & ~y,
}
IN_PLACE = {
    operator.and_: operator.iand,
    operator.or_: operator.ior,
    operator.xor: operator.ixor,
    operator.sub: operator.isub,
}


@pytest.mark.parametrize("make", [sliced, worded])
@drawn
@given(pair=pairs())
def test_bit_by_bit(engine, make, pair):
    x, y = pair
    for op, model in BITWISE.items():
        a, b = make(x, engine), make(y, engine)
        assert same(op(a, b), model(x, y))
        assert same(a, x)
        c = a
        a = IN_PLACE[op](a, b)
        assert a is c
        assert same(c, model(x, y))
    assert same(~make(x, engine), ~x)
    assert (make(x, engine) == make(y, engine)) == (x == y).all()
    assert (make(x, engine) != make(y, engine)) == (x != y).any()


@pytest.mark.parametrize("make", [sliced, worded])
@drawn
@given(x=bits())
def test_what_is_found(engine, make, x):
    a, ones = make(x, engine), (np.flatnonzero(x) + 1).tolist()
    assert int(a.count()) == len(ones)
    assert bool(a.some()) == bool(a) == bool(ones)
    first = ones[0] if ones else 0
    assert int(a.find()) == first
    assert same(a.first(), np.arange(1, x.size + 1) == first)
    assert same(a, x)
    assert a.positions().tolist() == ones
    steps = (ones + 20 * [0])[:20]
    assert [int(a.step()) for _ in steps] == steps
    assert int(a.count()) == max(0, len(ones) - 20)


@pytest.mark.parametrize("make", [sliced, worded])
@drawn
@given(x=bits(), data=st.data())
def test_single_bits_and_constants(engine, make, x, data):
    a = make(x, engine)
    i = data.draw(st.integers(1, x.size))
    assert a[i] is bool(x[i - 1])
    for bit in (True, False):
        a[i] = bit
        x[i - 1] = bit
        assert same(a, x)
    b = a.copy()
    assert same(b.set_all(), np.ones_like(x))
    assert same(b.clear(), np.zeros_like(x))
    assert same(a, x)
    assert same(a.convert(), x)
    assert type(a.convert()) is (Word if make is sliced else Slice)
    assert len(a) == x.size


def test_more_ones_than_16_bits_count(engine):
    assert int(Slice(40_000, engine=engine).set_all().count()) == 40_000


@drawn
@given(pair=pairs())
def test_words_are_numbers(engine, pair):
    x, y = pair
    a, b, p, q, n = worded(x, engine), worded(y, engine), value(x), value(y), x.size
    assert int(a) == p
    assert same(Word.from_integer(p, n, engine=engine), x)
    assert same(Word.from_string(a.to_string(), engine=engine), x)
    assert int(a.add(b)) == (p + q) % 2**n
    assert int(a.subt(b)) == (p - q) % 2**n
    assert same(a.add(b).subt(b), x)
    for ours, op in [
        (a.equal, operator.eq),
        (a.not_equal, operator.ne),
        (a.less, operator.lt),
        (a.less_equal, operator.le),
        (a.greater, operator.gt),
        (a.greater_equal, operator.ge),
    ]:
        assert bool(ours(b)) == op(p, q) == op(a, b)


@drawn
@given(x=bits(), data=st.data())
def test_trim_and_rep(engine, x, data):
    i = data.draw(st.integers(1, x.size))
    j = data.draw(st.integers(i, x.size))
    a = worded(x, engine)
    assert same(a.trim(i, j), x[i - 1 : j])
    v = data.draw(bits(j - i + 1))
    assert same(a.rep(i, j, worded(v, engine)), [*x[: i - 1], *v, *x[j:]])


def test_what_is_found_stays_on_the_device(cuda_device):
    """Chains of operations copy nothing to the host until a value is used."""
    x = Slice.from_numpy(np.arange(300) % 7 == 3, engine="cuda")
    reads = getattr(device, "reads", 0)
    count, found, left = x.count(), x.find(), x.first()
    x -= left
    again = x.step()
    assert getattr(device, "reads", 0) == reads
    assert [int(count), int(found), int(again)] == [43, 4, 11]


def test_nothing_is_there(engine):
    x = Slice(0, engine=engine)
    assert (int(x.count()), int(x.find()), bool(x), x.to_numpy().size) == (0, 0, False, 0)
    assert x == Slice(0, engine=engine).set_all()
    assert int(Word(0, engine=engine)) == 0


def test_refusals(engine):
    x, w = Slice(70, engine=engine), Word(70, engine=engine)
    for i in (0, 71, -1):
        with pytest.raises(InvalidIndex, match=f"position {i} is out of range 1..70"):
            x[i]
    with pytest.raises(DomainMismatch, match="position must be an integer, not str"):
        x["1"]
    with pytest.raises(DimensionMismatch, match="lengths 70 and 71 differ"):
        x & Slice(71, engine=engine)
    with pytest.raises(DomainMismatch, match="expected a Slice, not Word"):
        x | w
    with pytest.raises(InvalidIndex, match=r"positions 5..3 are in the wrong order"):
        w.trim(5, 3)
    with pytest.raises(DimensionMismatch, match=r"a word of 70 bits does not fit positions 1..3"):
        w.rep(1, 3, w)
    with pytest.raises(DomainMismatch, match="expected a Word"):
        w.rep(1, 70, x)
    with pytest.raises(DimensionMismatch, match="lengths 70 and 2 differ"):
        w.less(Word(2, engine=engine))
    for wrong in (8, -1):
        with pytest.raises(InvalidValue, match=f"{wrong} does not fit 3 bits"):
            Word.from_integer(wrong, 3, engine=engine)
    with pytest.raises(InvalidValue, match="is not a string of 0 and 1"):
        Word.from_string("012", engine=engine)
    with pytest.raises(InvalidValue, match="n=-1 is negative"):
        Slice(-1, engine=engine)
    with pytest.raises(DimensionMismatch, match="values have 2 dimensions, not 1"):
        Slice.from_numpy([[1]], engine=engine)


def test_engines_do_not_mix(cuda_device):
    with pytest.raises(EngineUnavailable, match="unknown engine 'tpu'"):
        Slice(3, engine="tpu")
    x = Slice.from_numpy([1, 0, 1])
    with pytest.raises(EngineMismatch, match="operands are on engines 'cpu' and 'cuda'"):
        x & x.to("cuda")
    assert x.to("cpu") is x
    assert x.to("cuda").to("cpu") == x
