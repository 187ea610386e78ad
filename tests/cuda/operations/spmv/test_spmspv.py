"""Products by push: rows of each length, and the bound of the result's length."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.objects import matrix
from graphla.cuda.operations.spmv import spmspv
from graphla.cuda.runtime.device import device
from tests.cuda.launching import launches
from tests.cuda.object_pairs import masked, same
from tests.cuda.random_updates import (
    make,
)
from tests.cuda.vector_forms import host


def test_steps_without_a_count_push_lists():
    """Without a count, the bound from the degrees selects the push of single edges."""
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


@pytest.mark.parametrize("few", [0.0, np.inf])
@pytest.mark.parametrize(
    ("name", "kind"), [("any_secondi", "~S"), ("any_pair", "V"), ("min_plus", "none")]
)
def test_pushed_rows_of_each_length(monkeypatch, warps, name, kind, few):
    """A warp shares short rows, all warps long ones; targets are claimed by words and by bits."""
    monkeypatch.setattr(spmspv, "BITMAP_EDGES", few)
    rng = np.random.default_rng(9)
    n, m = 90, 300
    lengths = rng.choice([0, 1, 2, 9, 40, 127, 128, 129, 290], n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(0, 9, columns.size)
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, mask = make(1, (n,), "INT64", "sparse", 0.2), make(3, (m,), "INT32", "bitmap", 0.5)
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    w = []
    for B, x, M in zip(A, u, mask, strict=True):
        w.append(type(x)("INT64", m))
        w[-1](mask=masked(kind, M), replace=kind != "none") << x.vxm(B, op)
    assert w[0].nvals == w[1].nvals
    if name != "any_secondi":
        same(*w)
        return
    same(*(C.apply(gb.unary.one).new() for C in w))
    keys, values = map(device.to_host, w[0].to_coo())
    there = set(zip(*(x.tolist() for x in arguments[:2]), strict=True))
    pushed = set(device.to_host(u[0].to_coo()[0]).tolist())
    assert there.issuperset(zip(values.tolist(), keys.tolist(), strict=True))
    assert pushed.issuperset(values.tolist())
