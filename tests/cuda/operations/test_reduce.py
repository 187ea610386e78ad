"""Sums of rows, columns and all entries, inner products, isequal and isclose."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, Vector
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.device import device
from tests.cuda.launching import launches
from tests.cuda.object_pairs import same
from tests.cuda.operations import matrix_updates
from tests.cuda.operations.matrix_updates import FORMS, draw_matrix
from tests.cuda.random_updates import (
    ALL,
    EXAMPLES,
    FLOATS,
    INTEGERS,
    REAL,
    equivalent,
    make,
    maybe_transposed,
    objects,
    parametrize_cases,
    put,
    update,
)  # fmt: skip
from tests.cuda.vector_forms import DTYPES, SIZES, reference, some

MONOIDS = [
    ("plus", REAL), ("times", INTEGERS), ("min", REAL), ("max", REAL), ("lor", ["BOOL"]),
    ("land", ["BOOL"]), ("lxor", ["BOOL"]), ("lxnor", ["BOOL"]),
    ("bor", ["UINT8", "UINT32"]), ("band", ["UINT16"]),
]  # fmt: skip


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


def draw_shape(data):
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    size = st.integers(0, data.draw(st.sampled_from([4, 40])))
    return data.draw(st.one_of(st.tuples(size), st.tuples(size, size)), "shape")


def agree(got, want):
    """Both empty, or equal; NaN is NaN."""
    assert got.dtype == want.dtype
    assert (got.value is None) == (want.value is None)
    if want.value is not None:
        np.testing.assert_array_equal(got.value, want.value)
        assert type(got.value) is type(want.value)


@parametrize_cases(MONOIDS, operands=1)
@given(data=st.data())
@EXAMPLES
def test_rows_and_columns(case, data):
    n, m = data.draw(st.tuples(*[st.integers(0, 30)] * 2))
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    plain = case.out in FLOATS or case.dtypes[0] in FLOATS
    A = maybe_transposed(data, data.draw(objects((n, m), case.dtypes[0], plain)))
    op = getattr(gb.monoid, case.op)
    by_row = data.draw(st.booleans(), "by row")
    formula = (lambda A: A.reduce_rowwise(op)) if by_row else (lambda A: A.reduce_columnwise(op))
    update(data, case, formula, [A], (n if by_row else m,), check=equivalent(case), plain=plain)


@parametrize_cases(MONOIDS, operands=1)
@given(data=st.data())
@EXAMPLES
def test_all_entries(case, data):
    """By the monoid, or the binary operator or name of it; of another dtype; without entries."""
    shape = draw_shape(data)
    x = maybe_transposed(data, data.draw(objects(shape, case.dtypes[0], case.dtypes[0] in FLOATS)))
    op = data.draw(
        st.sampled_from([getattr(gb.monoid, case.op), getattr(gb.binary, case.op), case.op])
    )
    empty = data.draw(st.booleans(), "allow_empty")
    name = "reduce" if len(shape) == 1 else "reduce_scalar"
    got, want = (getattr(side, name)(op, allow_empty=empty) for side in x)
    agree(got.new(), want.new())
    if case.dtypes[0] not in FLOATS or case.out in FLOATS:
        agree(got.new(case.out), want.new(case.out))


@parametrize_cases(MONOIDS, operands=1)
@given(data=st.data())
@EXAMPLES
def test_all_entries_into_a_scalar_and_back(case, data):
    """v << A.reduce_scalar(op) puts the sum everywhere."""
    shape = draw_shape(data)
    x = data.draw(objects(shape, case.dtypes[0], True))
    op, name = getattr(gb.monoid, case.op), "reduce" if len(shape) == 1 else "reduce_scalar"
    v, w = make(1, shape, case.out)
    total = getattr(x[1], name)(op).new()
    if total.value is None:
        return
    v << getattr(x[0], name)(op)
    w << total
    same(v, w)


@given(data=st.data())
@EXAMPLES
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "plus_second", "lor_land"])
def test_inner(name, data):
    n = data.draw(st.integers(0, 40))
    dtypes = ["BOOL"] if name == "lor_land" else ["INT16", "FP64", "UINT64"]
    u, v = (data.draw(objects((n,), data.draw(st.sampled_from(dtypes)), True)) for _ in range(2))
    op = getattr(gb.semiring, name)
    expressions = [a.inner(b, op) for a, b in zip(u, v, strict=True)]
    agree(*(e.new() for e in expressions))
    agree(*(op(a @ b).new() for a, b in zip(u, v, strict=True)))
    put(u[0], data.draw(st.sampled_from(["sparse", "bitmap", "unordered"])), np.random)
    agree(*(e.new() for e in expressions))


@pytest.mark.parametrize("name", ["firsti", "firstj", "secondi", "secondj", "firstj1"])
@pytest.mark.parametrize("form", ["sparse", "bitmap"])
def test_inner_of_positions(name, form):
    """The left vector is a row, and the right one a column."""
    u, v = (make(k, (9,), "INT32", density=0.7) for k in (7, 8))
    u[0].store(form)
    op = getattr(gb.semiring.ss, f"plus_{name}")
    agree(*(a.inner(b, op).new() for a, b in zip(u, v, strict=True)))


@pytest.mark.thorough
@given(data=st.data())
@EXAMPLES
def test_isequal(data):
    """The same entries in any form are equal; another value, position or shape is not."""
    shape = draw_shape(data)
    dtype = data.draw(st.sampled_from(["BOOL", "INT8", "FP32"]))
    x, y = data.draw(objects(shape, dtype, True))[0], data.draw(objects(shape, dtype, True))
    z = y[0].dup()
    z.store(data.draw(st.sampled_from([None, "bitmap", "sparse"])))
    assert y[0].isequal(z)
    assert y[0].isclose(z)
    assert not y[0].isequal(z.dup("FP64"), check_dtype=True)
    assert y[0].isequal(z.dup("FP64"))
    a, b = (tuple(map(np.ndarray.tolist, map(device.to_host, w.to_coo()))) for w in (x, y[0]))
    assert x.isequal(y[0]) == (a == b)
    if y[0].nvals:
        at = tuple(int(part[-1]) for part in y[0].to_coo()[:-1])
        del z[at if len(shape) == 2 else at[0]]
        assert not y[0].isequal(z)


def test_sums_of_many():
    """More entries than one pass of the blocks."""
    n = 1 << 20
    v = Vector.from_dense(device.xp.arange(n, dtype=np.int64))
    assert v.reduce("plus").value == n * (n - 1) // 2
    v[3] = 7 * n
    assert v.reduce("max").value == 7 * n
    del v[0]
    assert v.reduce("min").value == 1


@pytest.mark.parametrize("dtype", ALL)
def test_identities(dtype):
    """The sum of nothing is the identity where a value is asked for, as on the CPU."""
    t = gb.dtypes.lookup_dtype(dtype)
    names = ["lor", "land", "lxor"] if dtype == "BOOL" else ["plus", "times", "min", "max"]
    for name in names:
        op = getattr(gb.monoid, name)
        got = Vector(dtype, 5).reduce(op, allow_empty=False).new()
        agree(got, gb.Vector(t, 5).reduce(op, allow_empty=False).new())
        agree(Vector(dtype, 5).reduce(op).new(), gb.Vector(t, 5).reduce(op).new())


@pytest.mark.parametrize("values", [[], [2.5], [3, -1, 2]])
def test_sums_one_after_the_other(values):
    """All dtypes share one buffer for partial sums."""
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


@given(st.data())
@EXAMPLES
def test_sums_of_rows_and_columns(data):
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    A = draw_matrix(data)
    name = data.draw(st.sampled_from(["plus", "min", "max", "lor", "times", "any"]))
    dtypes = ["BOOL"] if name == "lor" else ["INT8", "UINT64", "FP32"]
    op = getattr(gb.monoid, name)[data.draw(st.sampled_from(dtypes))]
    rowwise = data.draw(st.booleans())

    def make(a):
        return a.reduce_rowwise(op) if rowwise else a.reduce_columnwise(op)

    if name == "any":
        got, want = (make(a).new() for a in A)
        assert got.to_coo()[0].tolist() == want.to_coo()[0].tolist()
        return
    want = make(A[1]).new()
    same(make(A[0]).new(), want)
    matrix_updates.update(data, make, A, want.shape, want.dtype.name)


@pytest.mark.parametrize("flat_rows", [0, 64])
@pytest.mark.parametrize("form", FORMS)
def test_long_rows(form, flat_rows):
    matrix.FLAT_ROWS = flat_rows
    n = 2500
    dense = np.arange(3 * n).reshape(3, n) % 7
    theirs = gb.Matrix.from_dense(dense, missing_value=3)
    ours = Matrix.from_dense(dense, missing_value=3)
    ours.store(form)
    for ones, others in ((ours, theirs), (ours.T, theirs.T)):
        same(ones.reduce_rowwise("plus").new(), others.reduce_rowwise("plus").new())
        same(ones.reduce_columnwise("max").new(), others.reduce_columnwise("max").new())
