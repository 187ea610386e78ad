"""Tables against Boolean arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import memory
from graphla.cuda.runtime.device import device
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    InvalidIndex,
    InvalidValue,
    OutOfDeviceMemory,
    OutOfMemory,
)
from graphla.star import Slice, Table, Word
from tests.star.models import bits, drawn, numbers, same, sliced, tabled, tables, worded


@drawn
@given(drawn_table=tables(70), data=st.data())
def test_rows_and_columns(engine, drawn_table, data):
    rows, x = drawn_table
    n, k = rows.shape
    T = tabled(rows, engine)
    assert same(T, rows)
    assert (T.n, T.bits, T.nbytes) == (n, k, 8 * k * -(-n // 64))
    i, j = data.draw(st.integers(1, n)), data.draw(st.integers(1, k))
    assert same(T.row(i), rows[i - 1])
    assert same(T.col(j), rows[:, j - 1])
    assert T[i, j] is bool(rows[i - 1, j - 1])
    w = data.draw(bits(k))
    T.set_row(i, worded(w, engine))
    rows[i - 1] = w
    assert same(T, rows)
    T.set_col(j, sliced(x, engine))
    rows[:, j - 1] = x
    assert same(T, rows)
    T[i, j] = not x[i - 1]
    rows[i - 1, j - 1] ^= True
    assert same(T, rows)


@drawn
@given(drawn_table=tables(130))
def test_transpose(engine, drawn_table):
    rows, _ = drawn_table
    assert same(tabled(rows, engine).transpose(), rows.T)


@drawn
@given(drawn_table=tables(64))
def test_integers(engine, drawn_table):
    rows, _ = drawn_table
    values = np.array(numbers(rows), np.uint64)
    T = Table.from_integers(values, rows.shape[1], engine=engine)
    assert same(T, rows)
    assert T._ops.to_host(T.to_integers()).tolist() == values.tolist()


def test_columns_and_fields_are_not_copies(engine):
    T = Table.from_integers([1, 2, 3], 4, engine=engine)
    column, whole = T.col(1), T.copy()
    column |= Slice.from_numpy([1, 0, 1], engine=engine)
    assert T.to_integers().tolist() == [9, 2, 11]
    assert T.columns(1, 2).to_integers().tolist() == [2, 0, 2]
    T.columns(3, 4).col(2).clear()
    assert T.to_integers().tolist() == [8, 2, 10]
    assert whole.to_integers().tolist() == [1, 2, 3]


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_from_graph(engine, kind):
    rng = np.random.default_rng(1)
    G = gl.Graph.from_edges(*rng.integers(0, 100, (2, 300)), n=100, kind=kind)
    dense = G.A.to_dense(fill_value=0) != 0
    assert same(Table.from_graph(G if engine == "cpu" else G.to("cuda")), dense)


def test_to_another_engine_and_back(cuda_device):
    T = Table.from_integers([1, 2, 3], 4)
    assert T.to("cpu") is T
    assert same(T.to("cuda").to("cpu"), T.to_numpy())
    assert T.to("cuda").engine == "cuda"


def test_nothing_is_there(engine):
    for n, k in [(0, 3), (3, 0), (0, 0)]:
        T = Table(n, k, engine=engine)
        assert T.to_numpy().shape == (n, k)
        assert T.transpose().to_numpy().shape == (k, n)
        assert T.to_integers().tolist() == n * [0]


def test_refusals(engine):
    T = Table(70, 3, engine=engine)
    for i in (0, 71):
        with pytest.raises(InvalidIndex, match=f"row {i} is out of range 1..70"):
            T.row(i)
    for j in (0, 4):
        with pytest.raises(InvalidIndex, match=f"column {j} is out of range 1..3"):
            T.col(j)
    with pytest.raises(InvalidIndex, match=r"positions 3..2 are in the wrong order"):
        T.columns(3, 2)
    with pytest.raises(DimensionMismatch, match="4 bits do not match the 3 columns of a table"):
        T.set_row(1, Word(4, engine=engine))
    with pytest.raises(DomainMismatch, match="expected a Word, not int"):
        T.set_row(1, 7)
    with pytest.raises(DimensionMismatch, match="lengths 70 and 69 differ"):
        T.set_col(1, Slice(69, engine=engine))
    for values, wrong in [([1, 8], 8), ([-1, 2], -1)]:
        with pytest.raises(InvalidValue, match=f"{wrong} does not fit 3 bits"):
            Table.from_integers(values, 3, engine=engine)
    with pytest.raises(DomainMismatch, match="values must be integers, not float64"):
        Table.from_integers([1.0], 3, engine=engine)
    with pytest.raises(InvalidValue, match="bits=65: an integer has at most 64"):
        Table.from_integers([1], 65, engine=engine)
    with pytest.raises(InvalidValue, match="rows of 65 bits do not fit 64-bit"):
        Table(1, 65, engine=engine).to_integers()
    with pytest.raises(DimensionMismatch, match="values have 1 dimensions, not 2"):
        Table.from_numpy([1], engine=engine)
    with pytest.raises(InvalidValue, match="bits=-1 is negative"):
        Table(1, -1, engine=engine)


def test_engines_do_not_mix(cuda_device):
    with pytest.raises(EngineMismatch):
        Table(3, 3).set_row(1, Word(3, engine="cuda"))


def test_a_table_too_large_is_refused(engine, monkeypatch):
    monkeypatch.setattr(memory, "available", lambda engine="cpu": 1 << 20)
    refusal = OutOfMemory if engine == "cpu" else OutOfDeviceMemory
    with pytest.raises(refusal, match="a table of 20,000 rows and 20,000 columns"):
        Table(20_000, 20_000, engine=engine)


def test_a_copy_that_does_not_fit_the_device_is_refused(cuda_device, monkeypatch):
    T = Table(20_000, 20, engine="cuda")
    if not hasattr(device.active, "limit"):
        pytest.skip("the limit of a real device is of all who use it")
    device.limit_memory(1000)
    for call in (T.copy, T.transpose, T.col(1).copy):
        with pytest.raises(OutOfDeviceMemory, match=r"(bits|columns) takes") as refused:
            call()
        assert refused.value.needed > refused.value.free == 1000
