"""The basic procedures against Python's integers, row by row."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import star
from graphla.cuda.runtime.kernel import launched
from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch, InvalidValue
from graphla.star import Slice, Table, Word, cpu_loops
from tests.star.models import (
    bits,
    drawn,
    numbers,
    same,
    sliced,
    tabled,
    tables,
    worded,
)

COMPARISONS = {
    star.match: operator.eq,
    star.unequal: operator.ne,
    star.less: operator.lt,
    star.less_equal: operator.le,
    star.greater: operator.gt,
    star.greater_equal: operator.ge,
}


def select(x, hits):
    return x & np.array(hits, bool)


@drawn
@given(drawn_table=tables(70), data=st.data())
def test_rows_against_a_word(engine, drawn_table, data):
    rows, x = drawn_table
    k = rows.shape[1]
    word = data.draw(st.sampled_from([rows[0], rows[-1], data.draw(bits(k))]))
    T, X, v, goal = (
        tabled(rows, engine),
        sliced(x, engine),
        worded(word, engine),
        numbers([word])[0],
    )
    for procedure, op in COMPARISONS.items():
        hits = [op(r, goal) for r in numbers(rows)]
        assert same(procedure(T, v, X), select(x, hits))
        assert same(procedure(T, goal), hits)
    assert same(X, x)


@drawn
@given(drawn_table=tables(70), data=st.data())
def test_rows_against_rows(engine, drawn_table, data):
    rows, x = drawn_table
    n = len(rows)
    other = np.roll(rows, 1, axis=0)
    other[data.draw(bits(n))] ^= True
    T, F, X = tabled(rows, engine), tabled(other, engine), sliced(x, engine)
    for procedure, op in COMPARISONS.items():
        hits = [op(a, b) for a, b in zip(numbers(rows), numbers(other), strict=True)]
        assert same(procedure(T, F, X), select(x, hits))


@drawn
@given(drawn_table=tables(140))
def test_extremes(engine, drawn_table):
    rows, x = drawn_table
    T, X, values = tabled(rows, engine), sliced(x, engine), numbers(rows)
    for procedure, best in [(star.minimum, min), (star.maximum, max)]:
        goal = best((v for v, chosen in zip(values, x, strict=True) if chosen), default=None)
        assert same(procedure(T, X), select(x, [v == goal for v in values]))
        assert same(procedure(T), [v == best(values) for v in values])


@pytest.mark.parametrize("procedure", [star.add, star.subtract])
@drawn
@given(drawn_table=tables(70), data=st.data())
def test_arithmetic(engine, procedure, drawn_table, data):
    rows, x = drawn_table
    n, k = rows.shape
    wide = data.draw(st.integers(1, 70))
    right = np.random.default_rng(wide).random((n, wide)) < 0.5
    width = max(k, wide) + data.draw(st.integers(0, 2))
    op = operator.add if procedure is star.add else operator.sub
    T, F, X = tabled(rows, engine), tabled(right, engine), sliced(x, engine)
    v, values = worded(right[0], engine), numbers(rows)
    for operand, others in [(F, numbers(right)), (v, numbers(right[:1]) * n), (int(v), None)]:
        found = procedure(T, operand, X, bits=width)
        others = others or [int(v)] * n
        model = [op(a, b) % 2**width * int(c) for a, b, c in zip(values, others, x, strict=True)]
        assert numbers(found.to_numpy()) == model
        assert found.bits == width
    out = tabled(right, engine)
    assert procedure(T, F, X, out=out) is out
    model = [
        op(a, b) % 2**wide if c else b for a, b, c in zip(values, numbers(right), x, strict=True)
    ]
    assert numbers(out.to_numpy()) == model
    procedure(T, T, X, out=T)
    model = [op(a, a) % 2**k if c else a for a, c in zip(values, x, strict=True)]
    assert numbers(T.to_numpy()) == model


def test_width_of_a_sum(engine):
    T = Table.from_integers([5, 2], 3, engine=engine)
    assert star.add(T, Word.from_integer(9, 4, engine=engine)).to_integers().tolist() == [14, 11]
    assert star.add(T, 3).to_integers().tolist() == [0, 5]
    assert star.subtract(T, 1, bits=2).to_integers().tolist() == [0, 1]


@drawn
@given(drawn_table=tables(70), data=st.data())
def test_merge(engine, drawn_table, data):
    rows, x = drawn_table
    k = rows.shape[1]
    other, word = np.roll(~rows, 1, axis=0), data.draw(bits(k))
    out = tabled(other, engine)
    assert star.merge(tabled(rows, engine), sliced(x, engine), out) is out
    assert same(out, np.where(x[:, None], rows, other))
    star.merge(worded(word, engine), sliced(~x, engine), out)
    assert same(out, np.where(x[:, None], rows, word))


@drawn
@given(drawn_table=tables(70), data=st.data())
def test_unite(engine, drawn_table, data):
    rows, x = drawn_table
    w = data.draw(bits(rows.shape[1]))
    T = tabled(rows, engine)
    assert star.unite(T, worded(w, engine), sliced(x, engine)) is T
    assert same(T, rows | x[:, None] & w)
    star.unite(T, worded(w, engine), T.col(1))
    assert same(T, (rows | x[:, None] & w) | (rows | x[:, None] & w)[:, :1] & w)


@pytest.mark.thorough
def test_many_rows(engine, monkeypatch):
    """More rows than one thread processes at a time."""
    monkeypatch.setattr(cpu_loops, "SMALL", 0)
    rng = np.random.default_rng(5)
    values = rng.integers(0, 1000, 100_003)
    T = Table.from_integers(values, 10, engine=engine)
    assert star.match(T, 77).positions().tolist() == (np.flatnonzero(values == 77) + 1).tolist()
    assert same(star.minimum(T), values == values.min())
    assert int(star.less(T, 500).count()) == (values < 500).sum()
    assert (T._ops.to_host(star.add(T, T, bits=11).to_integers()) == 2 * values).all()


def test_each_is_one_kernel(cuda_device):
    T, X = Table.from_integers(range(100), 7, engine="cuda"), Slice(100, engine="cuda").set_all()
    v = Word.from_integer(5, 7, engine="cuda")
    calls = [lambda f=f: f(T, v, X) for f in (*COMPARISONS, star.add, star.subtract)]
    calls += [lambda f=f: f(T, X) for f in (star.minimum, star.maximum)]
    calls += [lambda: star.merge(T, X, T.copy()), lambda: star.less(T, T, X)]
    for call in calls:
        names = []
        token = launched.set(names)
        call()
        launched.reset(token)
        assert len(names) == 1


def test_nothing_is_there(engine):
    T = Table(0, 3, engine=engine)
    assert int(star.match(T, 5).count()) == 0
    assert star.add(T, 1).n == star.minimum(T).n == 0
    F = Table(5, 0, engine=engine)
    assert int(star.match(F, 0).count()) == int(star.minimum(F).count()) == 5
    assert int(star.less(F, 0).count()) == 0


def test_refusals(engine):
    T, X = Table(70, 3, engine=engine), Slice(70, engine=engine)
    for procedure in (*COMPARISONS, star.add, star.subtract):
        with pytest.raises(DimensionMismatch, match="69 rows do not match the 70 rows of a table"):
            procedure(T, 1, Slice(69, engine=engine))
        with pytest.raises(DimensionMismatch, match="69 rows do not match the 70 rows of a table"):
            procedure(T, Table(69, 3, engine=engine), X)
        with pytest.raises(InvalidValue, match="8 does not fit 3 bits"):
            procedure(T, 8)
        with pytest.raises(DomainMismatch, match="the control slice is a Word, not a Slice"):
            procedure(T, 1, Word(70, engine=engine))
        with pytest.raises(DomainMismatch, match="expected a Table, not Slice"):
            procedure(X, 1)
        with pytest.raises(DomainMismatch, match="value must be an integer, not float"):
            procedure(T, 1.0)
    for procedure in COMPARISONS:
        with pytest.raises(DimensionMismatch, match="4 bits do not match the 3 columns of a table"):
            procedure(T, Word(4, engine=engine))
    with pytest.raises(InvalidValue, match="bits=3 is less than the 4 bits of an operand"):
        star.add(T, Word(4, engine=engine), bits=3)
    with pytest.raises(DimensionMismatch, match="out has 3 columns, not bits=4"):
        star.add(T, 1, bits=4, out=T)
    with pytest.raises(DimensionMismatch, match="4 bits do not match the 3 columns of a table"):
        star.merge(Table(70, 4, engine=engine), X, T)
    with pytest.raises(DimensionMismatch, match="4 bits do not match the 3 columns of a table"):
        star.unite(T, Word(4, engine=engine), X)
    with pytest.raises(DomainMismatch, match="expected a Word, not Slice"):
        star.unite(T, X, X)


def test_engines_do_not_mix(cuda_device):
    T = Table(3, 3)
    for other in (Word(3, engine="cuda"), T.to("cuda")):
        with pytest.raises(EngineMismatch):
            star.match(T, other)
    with pytest.raises(EngineMismatch):
        star.minimum(T, Slice(3, engine="cuda"))


@pytest.mark.parametrize("column", [1, 2, 3])
def test_the_control_slice_may_be_a_column_of_the_result(engine, column):
    values = np.arange(200) % 8
    chosen = values >> (3 - column) & 1 == 1
    T = Table.from_integers(values, 3).to(engine)
    assert star.add(T, 1, T.col(column), out=T) is T
    assert (T.to("cpu").to_integers() == np.where(chosen, values + 1, values) % 8).all()
    T = Table.from_integers(values, 3).to(engine)
    star.merge(Word.from_string("010", engine=engine), T.col(column), T)
    assert (T.to("cpu").to_integers() == np.where(chosen, 2, values)).all()


def test_an_operand_without_bits_is_0(engine):
    T = Table.from_integers([1, 2], 2).to(engine)
    assert star.add(T, Word(0, engine=engine)).to("cpu").to_integers().tolist() == [1, 2]


def test_what_is_no_slice_table_or_word_is_refused():
    T, X = Table(3, 3), Slice(3)
    for wrong in (
        lambda: star.merge(T, None, T),
        lambda: star.merge(X, X, T),
        lambda: star.unite(T, Word(3), None),
        lambda: star.add(T, 1, out=3),
        lambda: T.set_row(1, X),
        lambda: T.set_row(1, T),
        lambda: Table.from_graph(T),
    ):
        with pytest.raises(DomainMismatch):
            wrong()
    with pytest.raises(InvalidValue, match="not a string"):
        Word.from_string(3)
