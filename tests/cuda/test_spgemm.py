"""C<M> = A B on CSR arrays against SuiteSparse, by every method."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphla.cuda.operations import spgemm_hash, spgemm_masked
from graphla.cuda.operations.csr import CSRArrays
from graphla.cuda.operations.spgemm import spgemm
from tests.cuda.semirings import TEXT

DTYPES = {"FP32": "float32", "FP64": "float64", "INT64": "int64", "BOOL": "bool"}
fixture = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


def random(rng, nrows, ncols, nvals, dtype, *, iso=False):
    """A matrix with small integers as values, so that sums are exact."""
    M = gb.Matrix(dtype, nrows, ncols)
    if nrows and ncols and nvals:
        cell = rng.choice(nrows * ncols, min(nvals, nrows * ncols), replace=False)
        values = rng.integers(-1 if dtype == "BOOL" else 1, 5, len(cell)).clip(0)
        values = np.ones_like(values) if iso else values
        M.build(*np.divmod(cell, ncols), values.astype(DTYPES[dtype]))
    return M


def csr(M, device, *, iso=False):
    indptr, indices, values = M.to_csr(dtype=M.dtype)
    values = values[:1] if iso else values
    indices = indices.astype(np.int32 if M.ncols < 1 << 31 else np.int64)
    arrays = (indptr.astype(np.int32), indices, values)
    return CSRArrays(*map(device.xp.asarray, arrays))


def check(device, A, B, name, dtype, *, mask=None, complement=False, iso=False, **options):
    text, zdtype, uses = TEXT[name, dtype]
    method = options.get("method")
    C = spgemm(
        csr(A, device, iso=iso),
        None if method == "dot" else csr(B, device, iso=iso),
        text,
        zdtype=zdtype,
        uses=uses,
        mask=csr(mask, device)[:2] if mask is not None else None,
        complement=complement,
        transposed=csr(B.T.new(), device, iso=iso) if method == "dot" else None,
        nrows=A.nrows,
        ncols=B.ncols,
        inner=A.ncols,
        **options,
    )
    got = [device.to_host(x) for x in C]
    expected = A.mxm(B, getattr(gb.semiring, name)).new(
        mask=None if mask is None else ~mask.S if complement else mask.S
    )
    indptr, indices, values = expected.to_csr()
    np.testing.assert_array_equal(got[0], indptr)
    np.testing.assert_array_equal(got[1], indices)
    assert got[2].dtype == zdtype
    if name == "any_secondi":  # some k with A(i, k) and B(k, j)
        a, b = (set(zip(*M.to_coo(values=False)[:2], strict=True)) for M in (A, B))
        rows = np.repeat(np.arange(A.nrows), np.diff(indptr.astype(int)))
        for i, j, k in zip(rows, indices, got[2], strict=True):
            assert (i, k) in a
            assert (k, j) in b
    else:
        np.testing.assert_array_equal(got[2], values)


CASES = ("none", "~S", "dot", "gustavson")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "dtype"), TEXT)
def test_random(gpu, name, dtype, case):
    @fixture
    @given(st.integers(0, 1 << 31), st.tuples(*[st.integers(1, 40)] * 3), st.booleans())
    def run(seed, shape, iso):
        rng = np.random.default_rng(seed)
        m, n, k = shape
        A = random(rng, m, k, rng.integers(0, m * k + 1), dtype, iso=iso)
        B = random(rng, k, n, rng.integers(0, k * n + 1), dtype, iso=iso)
        M = None if case == "none" else random(rng, m, n, rng.integers(0, m * n + 1), "BOOL")
        options = {"method": case} if case in ("dot", "gustavson") else {"complement": case == "~S"}
        check(gpu, A, B, name, dtype, mask=M, iso=iso, **options)

    run()


@pytest.mark.parametrize("kind", ["none", "~S"])
@pytest.mark.parametrize("name", ["plus_times", "any_pair"])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 1536), (128, 128), (3, 20)])
def test_each_table(gpu, monkeypatch, name, kind, sizes):
    monkeypatch.setattr(spgemm_hash, "SHORT", sizes[0])
    monkeypatch.setattr(spgemm_hash, "MIDDLE", sizes[1])
    rng = np.random.default_rng(1)
    dtype = {"plus_times": "FP64", "any_pair": "BOOL"}[name]
    A, B = random(rng, 60, 50, 400, dtype), random(rng, 50, 300, 2000, dtype)
    M = random(rng, 60, 300, 2000, "BOOL") if kind == "~S" else None
    check(gpu, A, B, name, dtype, mask=M, complement=kind == "~S", limit=100_000)


def spread(M, axis, size):
    """M with its rows or columns spread over `size`."""
    to = np.sort(np.random.default_rng(2).choice(size, M.shape[axis], replace=False))
    coo = list(M.to_coo())
    coo[axis] = to[coo[axis]]
    shape = [M.nrows, M.ncols]
    shape[axis] = size
    return gb.Matrix.from_coo(*coo, nrows=shape[0], ncols=shape[1])


@pytest.mark.parametrize("name", ["plus_first", "min_plus", "any_secondi", "plus_pair"])
@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_each_masked_kernel(gpu, monkeypatch, method, name):
    rng = np.random.default_rng(1)
    A, B = random(rng, 20, 50, 300, "INT64"), random(rng, 50, 400, 9000, "INT64")
    M = random(rng, 20, 400, 3000, "BOOL")
    if method == "dot":
        A, B = spread(A, 1, 1 << 18), spread(B, 0, 1 << 18)
    else:
        B, M = spread(B, 1, 1 << 18), spread(M, 1, 1 << 18)
    for thin, few, search in ((100, 4, 1), (0, 1 << 20, 1), (0, 0, 1 << 20)):
        monkeypatch.setattr(spgemm_masked, "THIN", thin)
        monkeypatch.setattr(spgemm_masked, "FEW", few)
        monkeypatch.setattr(spgemm_masked, "SEARCH", search)
        check(gpu, A, B, name, "INT64", mask=M, method=method)
