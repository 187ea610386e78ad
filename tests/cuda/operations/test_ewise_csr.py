"""Element-wise operations, masks, accumulators and replace, as SuiteSparse has them."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Matrix, Scalar
from graphla.cuda.objects import matrix
from graphla.cuda.operations import ewise_csr
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from tests.cuda.object_pairs import ACCUMS, DTYPES, MASKS, masked, objects, same, shapes
from tests.strategies import examples

draws = examples(30)
few = st.sampled_from(("BOOL", "INT32"))  # each is a kernel that the simulator compiles

OPERATIONS = {
    "identity": lambda A, B: A,
    "one": lambda A, B: A.apply(gb.unary.one),
    "ainv": lambda A, B: A.apply(gb.unary.ainv),
    "row": lambda A, B: A.apply(gb.indexunary.rowindex, 1),
    "right": lambda A, B: A.apply(gb.binary.plus, right=2),
    "left": lambda A, B: A.apply(gb.binary.minus, left=2),
    "tril": lambda A, B: A.select("tril", -1),
    "value": lambda A, B: A.select("==", 1),
    "add": lambda A, B: A.ewise_add(B, gb.binary.minus),
    "either": lambda A, B: A.ewise_add(B, gb.binary.max),
    "mult": lambda A, B: A.ewise_mult(B, gb.binary.minus),
    "pair": lambda A, B: A.ewise_mult(B, gb.binary.pair),
    "scalar": lambda A, B: 3,
}


@pytest.fixture(params=("rows", "flat"), autouse=True)
def form(request, monkeypatch):
    if request.param == "rows":
        monkeypatch.setattr(matrix, "FLAT_ROWS", 0)
    return request.param


def numeric(dtype, name):
    return "INT32" if dtype == "BOOL" and name in ("ainv", "left", "add", "mult") else dtype


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPERATIONS)
@draws
@given(data=st.data())
def test_update(name, data):
    shape = data.draw(shapes(8))
    dtype = numeric(data.draw(few), name)
    kind, replace = data.draw(st.sampled_from(MASKS)), data.draw(st.booleans())
    accum = data.draw(st.sampled_from(ACCUMS))
    cdtype = data.draw(st.sampled_from(("INT32", "FP64")))
    (A, a), (B, b) = data.draw(objects(shape, dtype)), data.draw(objects(shape, dtype))
    (M, m), (C, c) = data.draw(objects(shape, "INT32")), data.draw(objects(shape, cdtype))
    replace = replace and kind != "none"
    for x, y, mask, out in ((A, B, M, C), (a, b, m, c)):
        op = None if accum is None else getattr(gb.binary, accum)
        out(mask=masked(kind, mask), accum=op, replace=replace) << OPERATIONS[name](x, y)
    same(C, c)


@draws
@given(data=st.data())
def test_aliases(data):
    """The output is an operand and the mask, too."""
    (A, a), kind = (
        data.draw(objects(data.draw(shapes(8)), "INT32")),
        data.draw(st.sampled_from(MASKS)),
    )
    replace = kind != "none" and data.draw(st.booleans())
    for x in (A, a):
        x(mask=masked(kind, x), accum=gb.binary.plus, replace=replace) << x.ewise_mult(
            x, gb.binary.times
        )
    same(A, a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    args = [0, 1, 1, 2], [1, 0, 2, 2], [1, 0, 3, 1]
    A = Matrix.from_coo(*args, dtype, nrows=3, ncols=3)
    a = gb.Matrix.from_coo(*args, dtype, nrows=3, ncols=3)
    for x in (A, a):
        x(~x.V) << x.T.ewise_add(x, gb.binary.first)
    same(A, a)


def test_more_entries_than_a_row_or_a_word():
    rng = np.random.default_rng(0)
    args = [rng.integers(0, (300, 200), (3000, 2)).T for _ in range(3)]
    (A, a), (B, b), (M, m) = (
        [
            cls.from_coo(i, j, i % 7, nrows=300, ncols=200, dup_op=gb.binary.second)
            for cls in (Matrix, gb.Matrix)
        ]
        for i, j in args
    )
    for x, y, mask in ((A, B, M), (a, b, m)):
        x(~mask.V, gb.binary.plus) << x.ewise_add(y, gb.binary.minus)
        y(mask.S) << x.ewise_mult(y, gb.binary.times)
        mask << y.select("<=", 9)
    same(A, a)
    same(B, b)
    same(M, m)


@pytest.mark.parametrize("nvals", [1, 31, 32, 33, 64])
def test_flags_fill_words(nvals):
    """Also where the last entry is not selected."""
    k = np.arange(nvals)
    A, a = (cls.from_coo(k // 8, k % 8, k, nrows=9, ncols=8) for cls in (Matrix, gb.Matrix))
    for op, thunk in ((">", 4), ("<", nvals - 1), ("!=", nvals - 2)):
        same(A.select(op, thunk).new(), a.select(op, thunk).new())


def test_scalar_is_read_when_it_is_needed():
    A, s = Matrix.from_coo([0, 3], [1, 0], [1, 5]), Scalar(int, 1)
    sum_ = A.apply(gb.binary.plus, right=s)
    C = Matrix(int, 4, 2)
    update = C()
    for value in (1, 2, 3):
        s.value = value
        update << sum_
        assert device.to_host(C.to_coo()[2]).tolist() == [1 + value, 5 + value]


def test_structure_of_a_mask():
    A = Matrix.from_coo([0, 1, 4], [1, 0, 2], [1, 0, 3], nrows=5, ncols=3)
    assert ewise_csr.mask_structure(A.S).nvals == 3
    assert ewise_csr.mask_structure(~A.S).nvals == 3
    assert device.to_host(ewise_csr.mask_structure(A.V).positions()).tolist() == [1, 14]


class TestRowsAlone:
    """Further guarantees of the compressed sparse rows format."""

    @pytest.fixture(autouse=True)
    def _rows(self, form):
        if form == "flat":
            pytest.skip("about compressed sparse rows")

    def test_apply_shares_the_structure_and_iso_stays_iso(self):
        A = Matrix.from_coo([0, 1, 4], [1, 0, 2], 5)
        B = A.apply("ainv").new()
        assert B._store.indices is A._store.indices
        assert B._store.iso
        assert device.to_host(B._store.values).tolist() == [-5]
        assert not A.apply(gb.indexunary.rowindex).new()._store.iso

    def test_union_of_iso_matrices_is_iso_if_its_values_are_equal(self):
        A = Matrix.from_coo([0, 1, 4], [1, 0, 2], True, nrows=5, ncols=3)
        B = Matrix.from_coo([0, 2], [1, 1], True, nrows=5, ncols=3)
        assert A.ewise_add(B, "lor").new()._store.iso
        both = A.apply("+", 1).new().ewise_add(B, "plus").new()
        assert not both._store.iso
        assert device.to_host(both.to_coo()[2]).tolist() == [3, 2, 1, 2]

    def test_scalar_on_a_structure_shares_it(self):
        M = Matrix.from_coo([0, 1, 4], [1, 0, 2], [1, 2, 3])
        C = Matrix(int, *M.shape)
        C(M.S) << 7
        assert C._store.indices is M._store.indices
        assert C._store.iso

    def test_columns_of_64_bits(self):
        far, shape = 1 << 33, {"nrows": 5, "ncols": (1 << 33) + 1}
        for dup_op in (gb.binary.plus, gb.binary.second):
            (A, a), (B, b) = (
                [cls.from_coo(i, j, v, dup_op=dup_op, **shape) for cls in (Matrix, gb.Matrix)]
                for i, j, v in (
                    ([4, 0, 0, 4], [far, 1, far, far], [1, 2, 3, 4]),
                    ([2, 0, 4], [far, far, 0], [5, 6, 7]),
                )
            )
            for x, y in ((A, B), (a, b)):
                x(~y.S, gb.binary.plus) << x.ewise_add(y, gb.binary.minus)
                x << x.ewise_add(y, gb.binary.plus)
            same(A, a)

    def test_full_matrix_that_does_not_fit_is_refused(self):
        C = Matrix(bool, 1 << 20, 1 << 20)
        with pytest.raises(OutOfDeviceMemory, match="full Matrix"):
            C << True
        assert C.nvals == 0
