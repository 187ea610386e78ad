"""Sparse products of CSR arrays, compared with SuiteSparse's."""

from __future__ import annotations

import graphblas as gb
import numpy as np

from graphla.cuda.operations.spgemm.dispatch import spgemm
from graphla.cuda.storage.csr import CSR
from tests.cuda.semirings import NATIVE, TEXT

DTYPES = {"FP32": "float32", "FP64": "float64", "INT64": "int64", "BOOL": "bool"}


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


def spread(M, axis, size):
    """M with its rows or columns spread over `size`."""
    to = np.sort(np.random.default_rng(2).choice(size, M.shape[axis], replace=False))
    coo, shape = list(M.to_coo()), [M.nrows, M.ncols]
    coo[axis], shape[axis] = to[coo[axis]], size
    return gb.Matrix.from_coo(*coo, nrows=shape[0], ncols=shape[1])
