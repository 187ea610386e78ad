"""Statements that loops and their beginnings repeat take one launch, whatever is stored."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidIndex
from tests.cuda.launching import launches
from tests.cuda.warp_simulator import WarpSimulator

DTYPES = ("BOOL", "INT8", "UINT16", "INT64", "UINT64", "FP32", "FP64")
SIZES = (1, 31, 32, 33, 100)


def host(v):
    indices, values = (device.to_host(x).tolist() for x in v.to_coo())
    return dict(zip(indices, values, strict=True))


def reference(v):
    w = gb.Vector(v.dtype, v.size)
    for i, x in host(v).items():
        w[i] = x
    return w


def same(v, w):
    """Whether entries, their number and dtype are python-graphblas's; NaN is none."""
    indices, values = w.to_coo()
    assert (v.dtype, v.nvals) == (w.dtype, w.nvals)
    assert host(v) == dict(zip(indices.tolist(), values.tolist(), strict=True))


def some(n, dtype, form):
    v = Vector(dtype, n)
    if form == "full":
        v << 1
    for i in {0, n // 2, n - 1}:
        v[i] = 100 + i % 2
    v.store(form)
    return v


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
        assert names == ([] if to == dtype else ["convert_values"])
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


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("op", ["any_pair", "plus_pair"])
def test_a_pull_writes_all_bits(op, lanes, monkeypatch):
    """Into arrays of its own, about which nothing is known before: none is set behind the last."""
    if lanes:
        if device.name == "cuda" and not hasattr(device.active, "limit"):
            pytest.skip("there is a device")
        monkeypatch.setattr(device, "active", WarpSimulator())
    for n in SIZES:
        H = gl.Graph.from_edges(range(n), [0] * n, n=n).to("cuda").cache("AT")
        u, m = (Vector.from_coo([0], [1], size=n) for _ in range(2))
        u.store("bitmap")
        v = Vector("INT64", n)
        pull = H.A.mxv(u, gb.semiring.from_string(op)["INT64"])
        names = launches(lambda v=v, pull=pull: v << pull)
        assert set(names) <= {"spmv_pull", "spmv_pull_balanced", "reduce_row_pieces"}
        assert (v.nvals, host(v)) == (n, dict.fromkeys(range(n), 1))
        v(~m.S, replace=True) << H.A.mxv(v, gb.semiring.from_string(op)["INT64"])
        assert (v.nvals, host(v)) == (n - 1, dict.fromkeys(range(1, n), 1))


def test_steps_that_nobody_counts_push_lists():
    """As a step reaches so many entries at most, the edges of a few are pushed one by one."""
    n = 5000
    G = gl.generate.path(n).to("cuda").cache("AT", "out_degree")
    q = G.vector("INT32")
    q[n // 2] = 0
    step = q.vxm(G.A, gb.semiring.any_pair["INT32"])
    limits = []
    for _ in range(3):
        assert launches(lambda: q << step) == ["spmspv"]
        limits.append(q._store.max_nvals)
    assert limits == [2, 4, 8]
    assert q.nvals == len(host(q)) == 4
    small = Vector("INT32", n)
    small << q.select(">", 0)
    assert small._store.max_nvals == 4


@pytest.mark.parametrize("values", [[], [2.5], [3, -1, 2]])
def test_sums_one_after_the_other(values):
    """They share room for partial sums, of any dtype."""
    for dtype in DTYPES:
        size = 3000
        v = Vector.from_coo(range(len(values)), np.array(values), dtype, size=size)
        w = gb.Vector.from_coo(range(len(values)), np.array(values), dtype, size=size)
        for monoid in (gb.monoid.max, gb.monoid.min):
            sums = [v.reduce(monoid[dtype]).new() for _ in range(2)]
            want = w.reduce(monoid[dtype]).new().value
            assert [x.value for x in sums] == [want, want]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("other", DTYPES)
def test_full_vectors_are_compared_by_one_kernel(dtype, other):
    for n in SIZES:
        v, w, found = some(n, dtype, "full"), some(n, other, "full"), []
        assert launches(lambda v=v, w=w, found=found: found.append(v.isequal(w))) == [
            "inner_product"
        ]
        assert found == [reference(v).isequal(reference(w))]
        w[n - 1] = 0
        assert v.isequal(w) == w.isequal(v) == reference(v).isequal(reference(w))


def test_what_is_not_a_number_equals_nothing():
    v = Vector.from_dense(np.array([1.0, np.nan]))
    for w in (v, v.dup()):
        assert v.isequal(w) == reference(v).isequal(reference(w)) == False  # noqa: E712
    assert not v.dup().isequal(Vector("FP64", 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_of_a_full_vector_are_copied_alone(dtype):
    v, out = some(33, dtype, "full"), []
    assert launches(lambda: out.append(v.to_coo(indices=False))) == []
    indices, values = out[0]
    assert indices is None
    assert values.dtype == v.dtype.np_type
    assert device.to_host(values).tolist() == list(host(v).values())
    before = host(v)
    values[0] = 0
    assert host(v) == before
    assert v.to_coo(indices=False, values=False) == (None, None)


def test_values_along_a_full_vector_take_two_kernels():
    v = Vector.from_dense(np.array([2, 0, 1, -1]))
    keys, out = v.to_coo(indices=False)[1], []
    assert launches(lambda: out.append(v[keys].new())) == ["normalize_indices", "extract"]
    assert host(out[0]) == {0: 1, 1: 2, 2: 0, 3: -1}
    keys[2] = 4
    with pytest.raises(InvalidIndex, match="index 4 is out of range of a dimension of 4"):
        v[keys].new()
