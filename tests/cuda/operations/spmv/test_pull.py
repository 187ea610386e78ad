"""Products by pull: rows of each length, by threads and warps."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import csr
from tests.cuda.launching import launches
from tests.cuda.object_pairs import masked, same
from tests.cuda.random_updates import (
    make,
)
from tests.cuda.vector_forms import SIZES, host
from tests.cuda.warp_simulator import WarpSimulator


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("op", ["any_pair", "plus_pair"])
def test_a_pull_writes_all_bits(op, lanes, monkeypatch):
    """The output arrays start uninitialised; no bit is set beyond the last position."""
    if lanes:
        if device.name == "cuda" and not hasattr(device.active, "limit"):
            pytest.skip("tests the simulator, which a GPU replaces")
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


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("name", ["plus_times", "min_second"])
@pytest.mark.parametrize("length", [3, 20, 250])
def test_lanes_sum_a_row_together(warps, monkeypatch, name, form, length):
    """The number of lanes follows the row lengths; partial sums of split rows are added."""
    monkeypatch.setattr(csr, "LONG", 200)
    rng = np.random.default_rng(5)
    n, m = 100, 300
    lengths = rng.integers(0, length, n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(-9, 9, columns.size)
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, op = make(1, (m,), "INT32", form, 1.0 if form == "full" else 0.3), getattr(gb.semiring, name)
    mask = make(3, (n,), "INT32", "bitmap", 0.5)
    same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
    same(A[0].mxv(u[0], op).new(mask=~mask[0].S), A[1].mxv(u[1], op).new(mask=~mask[1].S))


def test_a_long_row_is_accumulated_once(warps, monkeypatch):
    """Rows at the limit of those that are cut, and somewhat longer ones."""
    monkeypatch.setattr(csr, "LONG", 40)
    lengths = np.array([39, 40, 41, 100, 3])
    rows, columns = np.repeat(np.arange(5), lengths), np.concatenate([*map(np.arange, lengths)])
    A = [M.from_coo(rows, columns, 2, nrows=5, ncols=100) for M in (matrix.Matrix, gb.Matrix)]
    u, w = make(1, (100,), "INT64", "full", 1.0), make(2, (5,), "INT64", "full", 1.0)
    for C, B, x in zip(w, A, u, strict=True):
        C(gb.binary.plus) << B.mxv(x, gb.semiring.plus_times)
    same(*w)


ENTRY = ["any_secondi", "any_second", "lor_land", "any_pair", "land_second"]


@pytest.mark.parametrize("kind", ["none", "S", "~S", "~V"])
@pytest.mark.parametrize("name", ENTRY)
@pytest.mark.parametrize("density", [0.004, 0.1, 1.0])
def test_rows_of_each_length(warps, name, kind, density):
    """One thread starts each row, a warp finishes long rows; C has old entries."""
    rng = np.random.default_rng(7)
    n, m = 700, 300
    lengths = rng.choice([0, 1, 2, 3, 9, 40, 290], n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, True
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    dtype = "BOOL" if name.startswith("l") else "INT32"
    u = make(1, (m,), dtype, "full" if density == 1 else "bitmap", density)
    mask = make(3, (n,), "INT32", "bitmap", 0.5)
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    for accum, replace in ((None, False), (None, kind != "none"), (gb.binary.second, False)):
        w = make(2, (n,), dtype, "bitmap", 0.3)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=accum, replace=replace) << B.mxv(x, op)
        assert w[0].nvals == w[1].nvals
        if name in ("any_secondi", "any_second"):
            same(*(C.apply(gb.unary.one).new() for C in w))
        else:
            same(*w)
        if name != "any_secondi" or kind != "none" or accum:
            continue
        keys, values = map(device.to_host, w[0].to_coo())
        there = set(zip(*(x.tolist() for x in arguments[:2]), strict=True))
        assert there.issuperset(zip(keys.tolist(), values.tolist(), strict=True))
