"""C<M> = A B on CSR arrays against SuiteSparse, by every method and every kernel."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphla.cuda.operations.spgemm import dispatch, dot, hash, masked
from graphla.cuda.operations.spgemm.dispatch import spgemm
from graphla.cuda.storage.csr import CSR
from graphla.errors import InvalidValue, OutOfDeviceMemory
from graphla.generate import kronecker
from tests.cuda.semirings import NATIVE, TEXT

DTYPES = {"FP32": "float32", "FP64": "float64", "INT64": "int64", "BOOL": "bool"}
drawn = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


def random(rng, nrows, ncols, nvals, dtype, *, iso=False):
    """A matrix with small integers as values, so that sums are exact."""
    M = gb.Matrix(dtype, nrows, ncols)
    if nrows and ncols and nvals:
        cell = rng.choice(nrows * ncols, min(nvals, nrows * ncols), replace=False)
        values = rng.integers(-1 if dtype == "BOOL" else 1, 5, len(cell)).clip(0)
        values = np.ones_like(values) if iso else values
        M.build(*np.divmod(cell, ncols), values.astype(DTYPES[dtype]))
    return M


def csr(M, device, *, iso=False, word=np.int32):
    indptr, indices, values = M.to_csr(dtype=M.dtype)
    arrays = (indptr.astype(word), indices.astype(word), values[:1] if iso else values)
    arrays = (device.xp.asarray(np.ascontiguousarray(x)) for x in arrays)
    return CSR(*arrays, M.ncols, iso)


def operands(device, A, B, M=None, *, iso=False, word=np.int32, method=None):
    """A, B and the mask as a call takes them."""
    named = {"mask": csr(M, device, word=word)} if M is not None else {}
    if method == "dot":
        named["transposed"] = csr(B.T.new(), device, iso=iso, word=word)
        return (csr(A, device, iso=iso, word=word), None), named
    return tuple(csr(X, device, iso=iso, word=word) for X in (A, B)), named


def check(device, A, B, name, dtype, *, mask=None, complement=False, **options):
    """Compare a product with SuiteSparse's."""
    text, zdtype, uses = TEXT[name, dtype]
    forms = {k: options.pop(k) for k in ("iso", "word") if k in options}
    pair, named = operands(device, A, B, mask, method=options.get("method"), **forms)
    options |= {"zdtype": zdtype, "uses": uses, "complement": complement}
    options["native"] = NATIVE.get((name, dtype), "")
    C = spgemm(*pair, text, **named, **options)
    indptr, indices, values = map(device.to_host, (C.indptr, C.indices, C.values))
    positional = gb.semiring.ss if name[-1] in "ij" else gb.semiring
    expected = A.mxm(B, getattr(positional, name)).new(
        mask=None if mask is None else ~mask.S if complement else mask.S
    )
    np.testing.assert_array_equal(indptr, expected.to_csr()[0])
    np.testing.assert_array_equal(indices, expected.to_csr()[1])
    assert values.dtype == zdtype
    if name == "any_secondi":  # some k with A(i, k) and B(k, j)
        a, b = (set(zip(*M.to_coo(values=False)[:2], strict=True)) for M in (A, B))
        rows = np.repeat(np.arange(A.nrows), np.diff(indptr))
        for i, j, k in zip(rows, indices, values, strict=True):
            assert (i, k) in a
            assert (k, j) in b
    else:
        np.testing.assert_array_equal(values, expected.to_csr()[2])


def options_of(case):
    return {"none": {}, "~S": {"complement": True}}.get(case, {"method": case})


CASES = ("none", "~S", "hash", "dot", "gustavson")
ISO = [(name, dtype, name in ("plus_times", "min_plus")) for name, dtype in TEXT]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "dtype", "isos"), ISO)
def test_random(gpu, name, dtype, isos, case):
    @drawn
    @given(st.integers(0, 1 << 31), st.tuples(*[st.integers(1, 40)] * 3), st.booleans())
    def run(seed, shape, iso):
        iso = iso and isos
        rng = np.random.default_rng(seed)
        m, n, k = shape
        A = random(rng, m, k, rng.integers(0, m * k + 1), dtype, iso=iso)
        B = random(rng, k, n, rng.integers(0, k * n + 1), dtype, iso=iso)
        if name[-1] in "ij" and any(X.nvals and X.ss.is_iso for X in (A, B)):
            return  # SuiteSparse 9.4.5 then gives one value for all positions
        M = None if case == "none" else random(rng, m, n, rng.integers(0, m * n + 1), "BOOL")
        options = (
            {"complement": True} if case == "~S" else {"method": case} if M is not None else {}
        )
        check(gpu, A, B, name, dtype, mask=M, iso=iso, **options)

    run()


@pytest.mark.parametrize("word", [np.int32, np.int64])
@pytest.mark.parametrize("case", ["none", "~S"])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 1536), (128, 128), (3, 20)])
def test_each_table(gpu, monkeypatch, sizes, case, word):
    monkeypatch.setattr(hash, "WARP_ENTRIES", sizes[0])
    monkeypatch.setattr(hash, "BLOCK_ENTRIES", sizes[1])
    rng = np.random.default_rng(1)
    A, B = random(rng, 60, 50, 400, "FP64"), random(rng, 50, 300, 2000, "FP64")
    M = random(rng, 60, 300, 2000, "BOOL") if case == "~S" else None
    options = {"mask": M, "complement": case == "~S", "word": word}
    check(gpu, A, B, "plus_times", "FP64", limit=100_000, **options)  # some rows at a time
    check(gpu, A, B, "plus_times", "FP64", limit=1, **options)  # one row at a time
    if case == "none":  # more columns than a table has bits
        check(gpu, A, spread(B, 1, 1 << 19), "plus_times", "FP64", word=word)


def spread(M, axis, size):
    """M with its rows or columns spread over `size`."""
    to = np.sort(np.random.default_rng(2).choice(size, M.shape[axis], replace=False))
    coo, shape = list(M.to_coo()), [M.nrows, M.ncols]
    coo[axis], shape[axis] = to[coo[axis]], size
    return gb.Matrix.from_coo(*coo, nrows=shape[0], ncols=shape[1])


KERNELS = {  # SHORT_ROW, FEW_DOTS, SEARCH
    "thin": (100, 4, 0),
    "search": (0, 1 << 20, 0),
    "wide": (0, 0, 1 << 20),
}


def set_thresholds(monkeypatch, which):
    """Let all rows take one of the kernels."""
    constants = ((dot, "SHORT_ROW"), (dot, "FEW_DOTS"), (masked, "SEARCH"))
    for (module, constant), value in zip(constants, KERNELS[which], strict=True):
        monkeypatch.setattr(module, constant, value)


@pytest.mark.parametrize("word", [np.int32, np.int64])
@pytest.mark.parametrize("which", KERNELS)
@pytest.mark.parametrize("name", ["plus_first", "min_plus", "any_secondi", "plus_pair"])
@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_each_masked_kernel(gpu, monkeypatch, method, name, which, word):
    set_thresholds(monkeypatch, which)
    rng = np.random.default_rng(1)
    A, B = random(rng, 20, 50, 300, "INT64"), random(rng, 50, 400, 9000, "INT64")
    M = random(rng, 20, 400, 3000, "BOOL")
    check(gpu, A, B, name, "INT64", mask=M, method=method, word=word)
    if method == "dot":  # columns on both sides of PREFIX
        A, B = spread(A, 1, 1 << 18), spread(B, 0, 1 << 18)
    else:
        B, M = spread(B, 1, 1 << 18), spread(M, 1, 1 << 18)
    check(gpu, A, B, name, "INT64", mask=M, method=method, word=word)


@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_long_rows(gpu, method):
    """Rows and masks of more than a piece, more than TAIL entries beyond PREFIX, RATIO met."""
    rng = np.random.default_rng(3)
    n = 1 << 18
    A = random(rng, 3, n, 9000, "INT64")
    B = random(rng, n, 5000, 40_000, "INT64")
    hub = np.arange(n)
    B(gb.binary.second) << gb.Matrix.from_coo(hub, np.full(n, 7), hub % 5, nrows=n, ncols=5000)
    M = random(rng, 3, 5000, 9000, "BOOL")
    for name in ("plus_first", "plus_pair"):
        check(gpu, A, B, name, "INT64", mask=M, method=method)
    A, B, M = random(rng, 3, 40, 90, "INT64"), random(rng, 40, n, 200_000, "INT64"), None
    M = random(rng, 3, n, 9000, "BOOL")
    check(gpu, A, B, "plus_first", "INT64", mask=M, method=method)


def test_huge_row(gpu):
    rng = np.random.default_rng(4)
    A, B = random(rng, 3, 400, 1200, "INT64"), random(rng, 400, 6000, 400_000, "INT64")
    check(gpu, A, B, "plus_pair", "INT64")
    check(
        gpu, A, B, "plus_first", "INT64", mask=random(rng, 3, 6000, 9000, "BOOL"), complement=True
    )


def test_many_products_of_few_entries(gpu):
    rng = np.random.default_rng(10)
    A, B = random(rng, 2, 9000, 17_000, "INT64"), random(rng, 9000, 3, 25_000, "INT64")
    check(gpu, A, B, "plus_first", "INT64")
    M = random(rng, 2, 3, 3, "BOOL")
    check(gpu, A, B, "min_plus", "INT64", mask=M, complement=True)


@pytest.mark.parametrize("name", ["plus_times", "min_plus"])
def test_one_entry_a_row(gpu, name):
    rng = np.random.default_rng(5)
    A = gb.Matrix.from_coo([0, 2, 3], [4, 1, 1], [1.0, 2.0, 3.0], "FP32", nrows=6, ncols=50)
    check(gpu, A, random(rng, 50, 300, 2000, "FP32"), name, "FP32")
    check(gpu, random(rng, 9, 6, 30, "FP32"), A, name, "FP32")


@pytest.mark.parametrize(
    "shape", [(0, 0, 0), (0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 30, 1), (30, 1, 30)]
)
@pytest.mark.parametrize("case", CASES)
def test_shapes_without_rows_or_columns(gpu, shape, case):
    rng = np.random.default_rng(6)
    m, n, k = shape
    A, B = random(rng, m, k, m * k // 2, "FP64"), random(rng, k, n, k * n // 2, "FP64")
    M = None if case == "none" else random(rng, m, n, m * n // 2, "BOOL")
    check(gpu, A, B, "plus_times", "FP64", mask=M, **options_of(case))


@pytest.mark.parametrize("method", ["dot", "gustavson", None])
def test_triangles(gpu, method):
    """C<L> = L plus.pair L' (dot) and L plus.pair L (Gustavson) count the same triangles."""
    rng = np.random.default_rng(7)
    A = random(rng, 60, 60, 1500, "INT64")
    A = A.ewise_add(A.T, gb.binary.plus).new()
    L = gb.select.tril(A, -1).new()
    count = gb.semiring.plus_pair(L @ L).new(mask=L.S).reduce_scalar().value
    text, zdtype, uses = TEXT["plus_pair", "INT64"]
    lower, upper = csr(L, gpu), csr(L.T.new(), gpu)
    pair = (lower, None if method == "dot" else lower)
    named = {"zdtype": zdtype, "uses": uses, "mask": lower, "method": method}
    named["transposed"] = lower if method == "dot" else upper
    C = spgemm(*pair, text, **named)
    assert C.values.sum() == count


@pytest.mark.parametrize("order", [1, -1])
def test_skewed_graph(gpu, order):
    """The rows of a Kronecker graph are of all kinds, more so by rising degree than by falling."""
    A = gb.select.offdiag(kronecker(scale=10, edgefactor=16, seed=1).A).new()
    A = A.apply(gb.unary.one["INT64"]).new()
    degree = A.reduce_rowwise("plus").new().to_dense(fill_value=0)
    by_degree = np.argsort(order * degree, kind="stable")
    L = gb.select.tril(A[by_degree, by_degree].new(), -1).new()
    for method in ("hash", "dot", "gustavson"):
        check(gpu, L, L, "plus_pair", "INT64", mask=L, method=method)
    check(gpu, L, L, "plus_pair", "INT64")


METHODS = {  # entries of A, B and the mask, and whether B' is cached
    "hash": (9, 20, 900, True),
    "dot": (900, 900, 5, True),
    "gustavson": (900, 900, 5, False),
}


@pytest.mark.parametrize("method", METHODS)
def test_method_that_reads_least_is_chosen(gpu, monkeypatch, method):
    *sizes, transpose = METHODS[method]
    A, B, M = (random(np.random.default_rng(s), 30, 30, s, "FP64") for s in sizes)
    chosen = []
    original = dispatch.choose_method
    monkeypatch.setattr(
        dispatch, "choose_method", lambda *args: chosen.append(original(*args)) or chosen[0]
    )
    extra = {"transposed": csr(B.T.new(), gpu)} if transpose else {}
    check(gpu, A, B, "plus_times", "FP64", mask=M, **extra)
    assert chosen == [method]


def test_result_that_does_not_fit_is_refused(gpu, monkeypatch):
    rng = np.random.default_rng(8)
    A = random(rng, 50, 50, 1000, "FP64")
    monkeypatch.setattr(gpu.active, "free", lambda: 1000)
    for options in ({}, {"mask": A}):
        with pytest.raises(OutOfDeviceMemory, match="1,000 are free") as refused:
            check(gpu, A, A, "plus_times", "FP64", **options)
        assert refused.value.needed > 1000


def test_missing_operands_are_named(gpu):
    A = csr(random(np.random.default_rng(9), 5, 5, 10, "FP64"), gpu)
    named = {"zdtype": "float64"}
    text = TEXT["plus_times", "FP64"][0]
    with pytest.raises(InvalidValue, match="B or its transpose"):
        spgemm(A, None, text, **named)
    with pytest.raises(InvalidValue, match="B by rows"):
        spgemm(A, None, text, transposed=A, **named)
    with pytest.raises(InvalidValue, match="transpose of B"):
        spgemm(A, A, text, mask=A, method="dot", **named)
