"""``C(mask, accum, replace) << expression``: options, cached plans; failures leave C unchanged."""

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.core.masked_products import GUSTAVSON
from graphla.cuda import Matrix, Vector
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.errors import (
    DomainMismatch,
    EngineMismatch,
    InvalidValue,
    OutOfDeviceMemory,
)
from tests.cuda.both_engines import agree

OPTIONS = [
    "", "replace=True", "replace", "b.S, replace", "b.S, replace=True", "binary.plus, binary.minus",
    "binary.plus, accum=binary.minus", "b.S, b.S", "b.S, mask=b.S", "mask=None",
    "b.S, binary.plus", "binary.plus, b.S, replace", "mask=~b.V, accum='plus'", "accum=monoid.plus",
    "v", "3", "b.S, replace=0", "unary.abs", "accum=binary.plus['FP64']",
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
def test_the_options_of_an_update(options):
    agree(f"v({options}) << v.apply('ainv')")
    agree(f"v({options}) << 7")
    agree(f"v({options})[:] << 7")
    agree(f"v[:]({options}) << 7")
    agree(f"v[[2, 0, 1]]({options}) << v.apply('ainv')")
    if "b." not in options:
        agree(f"v[1]({options}) << 7")
        agree(f"A({options}) << A.apply('ainv')")
        agree(f"A[0, :]({options}) << v")


def test_replace_is_about_a_mask():
    for side in (Vector, gb.Vector):
        v = side.from_coo([0], [1], "INT64", size=3)
        with pytest.raises(TypeError, match="mask"):
            v(replace=True) << v.apply("abs")
        v(v.S, replace=True) << v.apply("abs")


def test_options_of_safe_products_are_taken():
    A = Matrix.from_coo([0, 1], [1, 2], [1, 1], nrows=3, ncols=3)
    u, w = Vector.from_coo([0], [1], size=3), Vector("INT64", 3)
    w << 7
    w(w.S, **GUSTAVSON) << u.vxm(A, gb.semiring.plus_times)
    assert [device.to_host(x).tolist() for x in w.to_coo()] == [[1], [1]]
    assert u.vxm(A, gb.semiring.plus_times).new(mask=w.S, **GUSTAVSON).nvals == 1


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        (lambda u: u, DomainMismatch),
        (lambda u: 3, DomainMismatch),
        (lambda u: gb.Vector.from_coo([0], [True], size=2).S, EngineMismatch),
    ],
)
def test_a_cached_plan_refuses_a_wrong_mask(mask, error):
    u, w = Vector.from_dense(np.ones(2)), Vector("FP64", 2)
    e = u.apply("abs")
    w << e
    w.clear()
    with pytest.raises(error):
        w(mask=mask(u)) << e
    assert w.nvals == 0


N = 100_000


def vectors():
    """An output with an entry, and operands whose results are large."""
    w = Vector.from_coo([3], [7], size=N)
    u, v = (Vector.from_coo(np.arange(k, N), np.arange(k, N)) for k in (0, 5))
    return w, u, v


UPDATES = {
    "apply": lambda w, u, v: w << u.apply("abs"),
    "ewise_add": lambda w, u, v: w << u.ewise_add(v, "min"),
    "ewise_mult": lambda w, u, v: w(u.S) << u.ewise_mult(v, "plus"),
    "select": lambda w, u, v: w(gb.binary.plus) << u.select(">", 3),
    "assign": lambda w, u, v: w(u.V, replace=True) << 1,
    "region": lambda w, u, v: w[5:] << v[5:].new(),
    "mxv": lambda w, u, v: w << DIAGONAL[0].mxv(u),
    "vxm": lambda w, u, v: w << u.vxm(DIAGONAL[0]),
    "mxm": lambda w, u, v: w << DIAGONAL[0].mxm(DIAGONAL[0]).new().diag(),
}
DIAGONAL = []


@pytest.mark.parametrize("name", UPDATES)
def test_the_output_keeps_its_value(name, small_memory_limit):
    w, u, v = vectors()
    DIAGONAL[:] = [v.diag(dtype="INT64")]
    small_memory_limit()
    with pytest.raises(OutOfDeviceMemory) as caught:
        UPDATES[name](w, u, v)
    assert caught.value.needed > 10_000
    assert caught.value.free <= 10_000
    cuda.set_memory_limit(None)
    assert [device.to_host(x).tolist() for x in w.to_coo()] == [[3], [7]]
    UPDATES[name](w, u, v)
    assert w.nvals > 1


def test_a_product_with_itself_keeps_its_value(small_memory_limit):
    """The output is read while it is written, so it gets other arrays."""
    A = Matrix.from_coo(np.arange(N), np.arange(N), 2, nrows=N, ncols=N)
    w = Vector.from_dense(np.ones(N))
    w << A.mxv(w)
    small_memory_limit()
    with pytest.raises(OutOfDeviceMemory):
        w << A.mxv(w)
    cuda.set_memory_limit(None)
    assert w.reduce().new().value == 2 * N
    w << A.mxv(w)
    assert w.reduce().new().value == 4 * N


def test_new_objects_and_scalars(small_memory_limit):
    _, u, v = vectors()
    small_memory_limit()
    for make in (
        lambda: u.apply("abs").new(),
        lambda: u.inner(v).new(),
        lambda: Matrix(int, N, N),
        lambda: v.to_dense(fill_value=0),
    ):
        with pytest.raises(OutOfDeviceMemory):
            make()


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (33_000, "could not allocate 33,000 bytes of device memory; "),
        (None, "the device has not enough memory; "),  # as CuPy's sorts
    ],
)
def test_a_message_says_what_is_known(size, text):
    def fail(A):
        error = device.out_of_memory("out of memory")
        if size is not None:
            error._size = size
        raise error

    with pytest.raises(OutOfDeviceMemory, match=text) as caught:
        translate_out_of_memory(fail)(None)
    assert str(caught.value).startswith(f"{fail.__qualname__}: ")
    assert (caught.value.needed, caught.value.is_total) == (size or 0, False)
    assert caught.value.free > 0


def test_any_other_interruption_leaves_the_output_whole(monkeypatch):
    w = Vector.from_coo([3], [7], size=9)

    def stop(*args):
        raise KeyboardInterrupt

    e = w.apply("abs")
    monkeypatch.setattr(type(e), "plan", lambda *args: stop)
    with pytest.raises(KeyboardInterrupt):
        w(w.S) << e
    assert w.get(3) == 7


VALUES = [
    "v.reduce()", "b.reduce(monoid.lor)", "A.reduce_scalar('max')", "v.inner(v)", "v[0]", "v[2]",
    "A[0, 1]", "A[0, 0]", "v @ v",
]  # fmt: skip


@pytest.mark.parametrize("x", VALUES)
def test_expressions_of_one_value(x):
    for call in ("new()", "dup()", "new('FP32')", "dup('INT8')", "dup(clear=True)"):
        agree(f"({x}).{call}", refused=False)
    agree(f"({x}).dup('FP32', clear=True)", refused=False)
    if "2]" not in x and "0]" not in x:  # there is a value
        agree(f"np.asarray({x}).dtype.name", refused=False)
    for call in ("new(mask=v.S)", "dup(mask=b.V)", "new('FP32', mask=v.S)"):
        for side in (cuda, gb):
            names = {"v": side.Vector(int, 3), "b": side.Vector(bool, 3)}
            names |= {"A": side.Matrix(int, 3, 3), "monoid": gb.monoid}
            with pytest.raises(InvalidValue if side is cuda else (TypeError, ValueError)):
                eval(f"({x}).{call}", names)


@pytest.mark.parametrize("x", ["v[[2, 0]]", "v.apply('abs')", "A.mxv(v)", "v | v", "A[1, :]"])
def test_expressions_of_many_values(x):
    for call in ("dup()", "dup('FP32')", "dup(clear=True)", "dup('INT8', clear=True)"):
        agree(f"binary.plus({x}).{call}" if "|" in x else f"({x}).{call}", refused=False)
    if "[[" not in x and "|" not in x:
        agree(f"({x}).dup(mask=b.V)", refused=False)
        agree(f"({x}).new('FP32', mask=~b.S)", refused=False)
