"""Device memory ends at each allocation of a statement: nothing changes, the next call works."""

import gc
from contextlib import suppress

import numpy as np
import pytest
from graphblas import agg, binary, monoid, semiring

from graphla import cuda
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfMemory
from tests.cuda.simulator import Arrays, Exhausted, Simulator

SIZE = 9


class Failing(Arrays):
    """Arrays of which one allocation fails: number `fails_at`, counted from 0."""

    def __init__(self, simulator):
        super().__init__(simulator)
        self.count, self.fails_at = 0, None

    def made(self, function, shape, *args):
        if self.count == self.fails_at:
            error = Exhausted("out of memory")
            error._size = 8
            self.count += 1
            raise error
        self.count += 1
        return super().made(function, shape, *args)

    def empty_like(self, x):
        return self.empty(x.shape, x.dtype)


STATEMENTS = {
    "apply": lambda o: o.w << o.v.apply("ainv"),
    "masked": lambda o: o.w(o.m.V, binary.plus, replace=True) << o.v.apply("ainv"),
    "select": lambda o: o.w << o.v.select(">", 1),
    "union": lambda o: o.w << binary.minus(o.v | o.u),
    "intersection": lambda o: o.w(~o.m.S) << o.v.ewise_mult(o.u, "plus"),
    "sign": lambda o: o.w << o.v - o.u,
    "in place": lambda o: o.w.__iadd__(o.v),
    "matrix union": lambda o: o.C << o.A.ewise_add(o.B, monoid.max),
    "mxv": lambda o: o.w << semiring.min_plus(o.A @ o.v),
    "vxm": lambda o: o.w(o.m.S) << o.v.vxm(o.A, semiring.plus_times),
    "mxm": lambda o: o.C << o.A.mxm(o.B, semiring.plus_times),
    "masked mxm": lambda o: o.C(o.A.S) << o.A.mxm(o.B.T, semiring.plus_times),
    "reduce": lambda o: o.w << o.A.reduce_rowwise(monoid.plus),
    "mean": lambda o: o.w << o.A.reduce_columnwise(agg.mean),
    "extract": lambda o: o.w << o.v[np.arange(SIZE)[::-1]],
    "rows": lambda o: o.C << o.A[::-1, :],
    "assign": lambda o: o.w.__setitem__(slice(2, 5), 7),
    "matrix assign": lambda o: o.C.__setitem__((slice(2, 5), slice(None)), o.A[2:5, :].new()),
    "transpose": lambda o: o.C << o.A.T,
    "kronecker": lambda o: o.K << o.A.kronecker(o.A),
    "outer": lambda o: o.C << o.v.outer(o.u),
    "beside": lambda o: o.C << o.A + o.v,
    "power": lambda o: o.C << o.A.power(3),
    "reposition": lambda o: o.w << o.v.reposition(2),
    "diagonal": lambda o: o.C.setdiag(o.v),
    "build": lambda o: o.w.build([0, 3], [1, 2], clear=True),
    "resize": lambda o: o.w.resize(SIZE + 3),
    "new": lambda o: o.A.mxm(o.A, semiring.any_pair).new(),
    "dense": lambda o: o.v.to_dense(fill_value=0),
}


class Objects:
    def __init__(self, form):
        rng = np.random.default_rng(3)
        i, j = rng.permutation(SIZE)[:5], rng.permutation(SIZE)
        V, M = cuda.Vector.from_coo, cuda.Matrix.from_coo
        self.v, self.u = V(i, i + 1, size=SIZE), V(j[:4], j[:4] + 2, size=SIZE)
        self.w, self.m = V(j[:6], 3, size=SIZE), V(i, i % 2 == 0, size=SIZE)
        shape = {"nrows": SIZE, "ncols": SIZE}
        self.A, self.B = M(i, j[:5], i, **shape), M(j, j[::-1], j, **shape)
        self.C, self.K = M(j, j, 1, **shape), cuda.Matrix(int, SIZE**2, SIZE**2)
        for name in "vuwABC":
            getattr(self, name).store(form)

    def values(self):
        return [(x.shape, [a.tolist() for a in x.to_coo()]) for x in vars(self).values()]


@pytest.fixture
def failing():
    if not isinstance(device.active, Simulator):
        pytest.skip("allocations are counted in the simulator")
    device.active.xp = Failing(device.active)
    return device.active.xp


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["sparse", "bitmap"])
@pytest.mark.parametrize("name", STATEMENTS)
def test_every_allocation_fails_once(name, form, failing):
    statement, expected = STATEMENTS[name], Objects(form)
    statement(expected)
    number, failures = 0, 0
    while True:
        o = Objects(form)
        before = o.values()
        failing.count, failing.fails_at = 0, number
        try:
            statement(o)
        except OutOfMemory:
            failures += 1
            failing.fails_at = None
            assert o.values() == before
            statement(o)  # the next call works
            assert o.values() == expected.values()
        else:
            failing.fails_at = None
            if failing.count <= number:
                break
            assert o.values() == expected.values()  # the statement did without this buffer
        number += 1
    assert failures or failing.count == number


def test_nothing_stays_behind(failing):
    """The pool has as much after a failure as before it."""
    o = Objects("sparse")
    STATEMENTS["mxm"](o)
    cuda.clear_workspaces()
    gc.collect()
    used = cuda.memory().used
    for number in range(6):
        failing.count, failing.fails_at = 0, number
        with suppress(OutOfMemory):
            STATEMENTS["mxm"](o)
        failing.fails_at = None
        cuda.clear_workspaces()
        gc.collect()
        assert cuda.memory().used == used
