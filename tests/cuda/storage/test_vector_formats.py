"""Entries and values are set by one launch; the memory of a list is bounded by its entries."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas.dtypes import FP64

from graphla.cuda import Matrix, Vector
from graphla.cuda.device_arrays import vector_from_reordered
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidIndex
from tests.cuda.launching import launches
from tests.cuda.vector_forms import DTYPES, SIZES, host, kept_bytes, reference, some


def test_a_new_list_has_no_unused_capacity():
    n = 100_000
    A = Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1, nrows=n, ncols=n)
    u = Vector.from_coo([5], [1], size=n)
    pushed = u.vxm(A, gb.semiring.plus_times).new()
    x = Vector.from_dense(np.arange(n))
    picked = x.select("<", 3).new()
    w = Vector("INT64", n)
    w.store("sparse")
    w << x.select("<", 3)
    for found in (pushed, picked, w.apply("abs").new(), w.dup("INT32"), w.dup(mask=x.S), w.dup()):
        count = found.nvals
        assert count == (1 if found is pushed else 3)
        if found._store.form == "sparse":
            assert kept_bytes(found) <= 16 * count + 2048
        assert found.to_coo()[0].size == count


def test_an_uncounted_list_has_bounded_capacity():
    n = 1_000_000
    A = Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1, nrows=n, ncols=n)
    pushed = Vector.from_coo([5], [1], size=n).vxm(A, gb.semiring.plus_times).new()
    assert not pushed._store.is_counted
    assert kept_bytes(pushed) <= 4096
    assert [device.to_host(x).tolist() for x in pushed.to_coo()] == [[6], [1]]


def same(v, w):
    """Assert that entries, their number and dtype equal python-graphblas's; NaN is not allowed."""
    indices, values = w.to_coo()
    assert (v.dtype, v.nvals) == (w.dtype, w.nvals)
    assert host(v) == dict(zip(indices.tolist(), values.tolist(), strict=True))


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_entry(dtype, form):
    for n in SIZES:
        v = some(n, dtype, form)
        w = reference(v)
        for i, x in ((0, 7), (n // 2, -1.9), (-1, True), (n - 1, 300)):
            assert launches(lambda v=v, i=i, x=x: v.__setitem__(i, x)) == ["write_entry"]
            w[i] = x
        same(v, w)


@pytest.mark.parametrize("wish", [None, "sparse", "bitmap"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_first_entry(dtype, wish):
    for x in (3, -2.5, True):
        v, w = Vector(dtype, 40), gb.Vector(dtype, 40)
        v.store(wish)
        assert launches(lambda v=v, x=x: v.__setitem__(33, x)) == [
            "single_entry_bitmap" if wish == "bitmap" else "single_entry_list"
        ]
        w[33] = x
        same(v, w)
        v[33] = v[2] = 1
        w[33] = w[2] = 1
        same(v, w)


@pytest.mark.parametrize("i", [5, -6, 2**70])
def test_an_entry_outside(i):
    for form in ("sparse", "bitmap"):
        v = Vector("INT64", 5)
        v.store(form)
        with pytest.raises(InvalidIndex, match="of a dimension of 5"):
            v[i] = 1
        assert not v.nvals


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("to", DTYPES)
def test_a_copy_of_another_dtype(form, dtype, to):
    for n in SIZES:
        v, copies = some(n, dtype, form), []
        names = launches(lambda v=v, copies=copies: copies.append(v.dup(to, name="copy")))
        assert names == ([] if to == dtype and form == "full" else ["convert_values"])
        same(copies[0], reference(v).dup(to))
        assert copies[0].name == "copy"
        before = host(v)
        copies[0][0] = 0
        assert host(v) == before


@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("x", [0, -3, 2.7, True])
def test_one_value_everywhere(form, dtype, x):
    for n in SIZES:
        v, w = some(n, dtype, form), gb.Vector(dtype, n)
        assert launches(lambda v=v: v << x) == ["fill_values"]
        w << x
        same(v, w)


def test_no_position():
    v = Vector("INT64", 0)
    for form in ("sparse", "bitmap"):
        v.store(form)
        v << 3
        assert (v.nvals, v.dup("FP64").nvals) == (0, 0)


def test_reordered_values_in_their_places():
    """Values are put in their places when they are first read, zero elsewhere."""
    values, order = (device.xp.asarray(x) for x in ([2.5, -1.0], np.array([3, 0], np.int32)))
    v = vector_from_reordered(values, order, FP64, 5)
    assert (v.size, v.nvals, v._store.form) == (5, 5, "full")
    assert device.to_host(v.to_dense()).tolist() == [-1.0, 0.0, 0.0, 2.5, 0.0]
    w = v.apply(gb.unary.abs).new()
    assert device.to_host(w.to_dense()).tolist() == [1.0, 0.0, 0.0, 2.5, 0.0]
