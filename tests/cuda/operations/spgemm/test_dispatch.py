"""C<M> = A B on CSR arrays by every method, and the choice of the method."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.operations.spgemm import dispatch
from graphla.cuda.operations.spgemm.dispatch import Operands, spgemm
from graphla.cuda.runtime.kernel_text import source
from graphla.cuda.storage.csr import CSR
from graphla.errors import InvalidValue, OutOfDeviceMemory
from graphla.generate import kronecker
from tests.cuda import nvrtc
from tests.cuda.operations.spgemm.products import check, csr, random
from tests.cuda.semirings import NATIVE, TEXT
from tests.strategies import examples

drawn = examples(12)


def options_of(case):
    return {"none": {}, "~S": {"complement": True}}.get(case, {"method": case})


CASES = ("none", "~S", "hash", "dot", "gustavson")
ISO = [(name, dtype, name in ("plus_times", "min_plus")) for name, dtype in TEXT]


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "dtype", "isos"), ISO)
def test_random(cuda_device, name, dtype, isos, case):
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
        check(cuda_device, A, B, name, dtype, mask=M, iso=iso, **options)

    run()


@pytest.mark.parametrize(
    "shape", [(0, 0, 0), (0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 30, 1), (30, 1, 30)]
)
@pytest.mark.parametrize("case", CASES)
def test_shapes_without_rows_or_columns(cuda_device, shape, case):
    rng = np.random.default_rng(6)
    m, n, k = shape
    A, B = random(rng, m, k, m * k // 2, "FP64"), random(rng, k, n, k * n // 2, "FP64")
    M = None if case == "none" else random(rng, m, n, m * n // 2, "BOOL")
    check(cuda_device, A, B, "plus_times", "FP64", mask=M, **options_of(case))


@pytest.mark.parametrize("method", ["dot", "gustavson", None])
def test_triangles(cuda_device, method):
    """C<L> = L plus.pair L' (dot) and L plus.pair L (Gustavson) count the same triangles."""
    rng = np.random.default_rng(7)
    A = random(rng, 60, 60, 1500, "INT64")
    A = A.ewise_add(A.T, gb.binary.plus).new()
    L = gb.select.tril(A, -1).new()
    count = gb.semiring.plus_pair(L @ L).new(mask=L.S).reduce_scalar().value
    text, zdtype, uses = TEXT["plus_pair", "INT64"]
    lower, upper = csr(L, cuda_device), csr(L.T.new(), cuda_device)
    pair = (lower, None if method == "dot" else lower)
    named = {"zdtype": zdtype, "uses": uses, "mask": lower, "method": method}
    named["transposed"] = lower if method == "dot" else upper
    C = spgemm(*pair, text, **named)
    assert C.values.sum() == count


@pytest.mark.parametrize("order", [1, -1])
def test_skewed_graph(cuda_device, order):
    """The rows of a Kronecker graph are of all kinds, more so by rising degree than by falling."""
    A = gb.select.offdiag(kronecker(scale=10, edgefactor=16, seed=1).A).new()
    A = A.apply(gb.unary.one["INT64"]).new()
    degree = A.reduce_rowwise("plus").new().to_dense(fill_value=0)
    by_degree = np.argsort(order * degree, kind="stable")
    L = gb.select.tril(A[by_degree, by_degree].new(), -1).new()
    for method in ("hash", "dot", "gustavson"):
        check(cuda_device, L, L, "plus_pair", "INT64", mask=L, method=method)
    check(cuda_device, L, L, "plus_pair", "INT64")


METHODS = {  # entries of A, B and the mask, and whether B' is cached
    "hash": (9, 20, 900, True),
    "dot": (900, 900, 5, True),
    "gustavson": (900, 900, 5, False),
}


@pytest.mark.parametrize("method", METHODS)
def test_method_that_reads_least_is_chosen(cuda_device, monkeypatch, method):
    *sizes, transpose = METHODS[method]
    A, B, M = (random(np.random.default_rng(s), 30, 30, s, "FP64") for s in sizes)
    chosen = []
    original = dispatch.choose_method
    monkeypatch.setattr(
        dispatch, "choose_method", lambda *args: chosen.append(original(*args)) or chosen[0]
    )
    extra = {"transposed": csr(B.T.new(), cuda_device)} if transpose else {}
    check(cuda_device, A, B, "plus_times", "FP64", mask=M, **extra)
    assert chosen == [method]


def test_result_that_does_not_fit_is_refused(cuda_device, monkeypatch):
    rng = np.random.default_rng(8)
    A = random(rng, 50, 50, 1000, "FP64")
    monkeypatch.setattr(cuda_device.active, "free", lambda: 1000)
    for options in ({}, {"mask": A}):
        with pytest.raises(OutOfDeviceMemory, match="1,000 are free") as refused:
            check(cuda_device, A, A, "plus_times", "FP64", **options)
        assert refused.value.needed > 1000


def test_missing_operands_are_named(cuda_device):
    A = csr(random(np.random.default_rng(9), 5, 5, 10, "FP64"), cuda_device)
    named = {"zdtype": "float64"}
    text = TEXT["plus_times", "FP64"][0]
    with pytest.raises(InvalidValue, match="B or its transpose"):
        spgemm(A, None, text, **named)
    with pytest.raises(InvalidValue, match="B by rows"):
        spgemm(A, None, text, transposed=A, **named)
    with pytest.raises(InvalidValue, match="transpose of B"):
        spgemm(A, A, text, mask=A, method="dot", **named)


THREADS = "GROUP = 8, BLOCK = 256"
FILES = {
    "spgemm_work": [""],
    "spgemm_copy_rows": [""],
    "spgemm_hash_global": [f"enum {{ MASK = {m}, CHUNK = 4096 }};" for m in range(3)],
    "spgemm_hash": [
        f"struct {team}; typedef {team} Team; enum {{ MASK = {m}, BLOCK_WARPS = 8 }};"
        for team in ("WarpTeam", "BlockTeam")
        for m in range(3)
    ],
    "spgemm_dot": [
        f"enum {{ POSITION = {p}, PIECE = 1024, MAX_HASHED = 1536, {THREADS} }};" for p in (0, 1)
    ],
    "spgemm_masked": [f"enum {{ POSITION = 1, PIECE = 1536, MAX_HASHED = 1536, {THREADS} }};"],
    "csr_compact": [""],
}
SOME = [("plus_times", "FP32"), ("any_pair", "BOOL")]  # all definitions; of the others the last


@pytest.mark.thorough
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("name", "dtype", "word"),
    [(*key, np.int32) for key in TEXT] + [(*key, np.int64) for key in SOME],
)
def test_compiles(file, name, dtype, word):
    text, zdtype, uses = TEXT[name, dtype]
    M = CSR(np.zeros(1, word), np.zeros(0, word), np.zeros(2, zdtype), 0)
    operands = Operands(M, M, None, text, uses, NATIVE.get((name, dtype), ""), M, zdtype)
    text = operands.definitions(M) + typedefs(COffset=word)
    if file == "csr_compact":
        text += typedefs(Value=np.dtype(zdtype))
    variants = FILES[file] if (name, dtype) in SOME else FILES[file][-1:]
    for more in variants:
        nvrtc.compile(source(file, text + more + "\n"))
