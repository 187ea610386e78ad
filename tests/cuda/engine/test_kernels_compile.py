"""Every kernel compiles as CUDA, without a device: each once per mask kind and semiring.

The sources are what representative operations ask the device to compile, as they run in the
simulator.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256

import graphblas as gb
import numpy as np
import pytest

import graphla as gl
from graphla.cuda import Matrix, Vector
from graphla.cuda.objects import matrix
from graphla.cuda.operations import bit_matrix
from graphla.cuda.operations.spgemm import sort
from graphla.cuda.operations.spmv import pull, spmspv
from graphla.cuda.runtime import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel_text import KERNELS
from graphla.cuda.storage import csr, sliced_ell
from graphla.execution import hints
from graphla.graph500 import kronecker
from graphla.ranks import in_process
from tests.cuda import nvrtc
from tests.cuda.object_pairs import MASKS, masked
from tests.cuda.operations.test_ewise_csr import OPERATIONS
from tests.cuda.random_updates import make
from tests.cuda.simulator import Recorder, Simulator
from tests.cuda.storage.test_split_list import check as check_split
from tests.ranks.blocks.test_shared_frontier import star_with_tail

ARCHITECTURES = ("sm_80", "sm_90")
SEMIRINGS = [("plus_times", "FP64"), ("any_pair", "BOOL")]
ELSEWHERE = {"spgemm_hash_global", "spgemm_dot", "spgemm_copy_rows", "spgemm_work", "spgemm_hash"}
ELSEWHERE |= {"spgemm_masked"}  # operations/spgemm/test_dispatch.py
ELSEWHERE |= {"bit_packed_columns", "densest_windows", "sort_keys"}  # callers/test_transform.py
KERNEL = re.compile(r"__global__ void (?:__launch_bounds__\([^()]+\)\s+)?(\w+)\(")
compiled: set[str] = set()


@pytest.fixture(scope="module")
def compiled_names(tmp_path_factory):
    """Return the folder in which the processes that share these tests list what they compiled."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "nvrtc"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def recorder(monkeypatch, request, compiled_names):
    pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    found = Recorder()
    monkeypatch.setattr(device, "active", found)
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)
    yield found
    names = {name for source in found.sources for name in KERNEL.findall(source)}
    (compiled_names / sha256(request.node.nodeid.encode()).hexdigest()).write_text(" ".join(names))


def check(recorder):
    """Compile for each architecture what was not compiled before."""
    assert recorder.sources
    for source in recorder.sources.keys() - compiled:
        for arch in ARCHITECTURES:
            nvrtc.compile(source, arch)
        compiled.add(source)


def run(C, expression, kind, M, accum=None, replace=False):
    C(mask=masked(kind, M), accum=accum, replace=replace and kind != "none") << expression


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "dtype"), SEMIRINGS)
@pytest.mark.parametrize("kind", MASKS)
def test_products(recorder, monkeypatch, kind, name, dtype):
    op, n = getattr(gb.semiring, name)[dtype], 100
    A, m = make(1, (n, n), dtype)[0], make(2, (n,), dtype, "bitmap")[0]
    for form in ("sparse", "bitmap"):
        u = make(3, (n,), dtype, form)[0]
        run(Vector(dtype, n), u.vxm(A, op), kind, m, replace=True)
        run(Vector(dtype, n), A.mxv(u, op), kind, m, gb.binary.second)
        F, M = make(4, (4, n), dtype, form)[0], make(5, (4, n), dtype, "bitmap")[0]
        run(Matrix(dtype, 4, n), F.mxm(A, op), kind, M)
    run(Matrix(dtype, n, n), A.mxm(A, op), kind, A)
    run(Matrix(dtype, n, n), A.mxm(A.T, op), kind, A)
    m << 1
    run(Matrix(dtype, n, n), A.mxm(m.diag(), op), kind, A)
    run(Matrix(dtype, n, n), m.diag().mxm(A, op), kind, A)
    monkeypatch.setattr(sort, "CROWD", 2)
    run(Matrix(dtype, n, n), A.mxm(A, op), kind, A)
    check(recorder)


@pytest.mark.parametrize(("name", "dtype"), [("min_plus", "INT64"), ("any_secondi", "INT32")])
def test_few_edges(recorder, monkeypatch, name, dtype):
    """Their targets are not claimed by bits."""
    monkeypatch.setattr(spmspv, "BITMAP_EDGES", np.inf)
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)[dtype]
    A, u = make(1, (300, 300), dtype, density=1.0)[0], make(3, (300,), dtype, "sparse")[0]
    run(Vector(dtype, 300), u.vxm(A, op), "~S", make(2, (300,), dtype, "bitmap")[0], replace=True)
    check(recorder)


def test_drawn_edges(recorder):
    kronecker(6, weighted=True, engine="cuda")
    check(recorder)


@pytest.mark.parametrize(("name", "dtype"), [("plus_times", "FP32"), ("min_plus", "FP64")])
def test_atomic_sums(recorder, name, dtype):
    """Of a bitmap and a matrix of few entries whose transpose is not stored."""
    op, n = getattr(gb.semiring, name)[dtype], 100
    A = Matrix.from_coo(np.arange(n), np.arange(n) // 3, 1, dtype, nrows=n, ncols=n)
    u, m = (make(k, (n,), dtype, "bitmap")[0] for k in (3, 2))
    run(Vector(dtype, n), u.vxm(A, op), "~S", m)
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("n", [20, 300])
def test_steps_of_searches(recorder, n):
    """With rows that are shared by warps, and without."""
    G = gl.generate.star(n).to("cuda")
    gl.bfs(G, 0), gl.bfs_levels(G, 0), gl.connected_components(G)
    D = gl.generate.star(n, kind="directed").to("cuda")  # whose levels all push
    gl.bfs(D, 0), gl.bfs_levels(D, 0)
    v = Vector.from_coo([3], [True], size=1000)
    v.store("bitmap"), v.store("sparse")
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize(("name", "dtype"), [("plus_times", "FP32"), ("any_secondi", "INT32")])
def test_sliced(recorder, monkeypatch, kind, name, dtype):
    for name_of, value in (
        ("MIN_ENTRIES", 0),
        ("BREAK_EVEN", 1),
        ("MIN_SHARE", 0),
        ("MIN_SKEW", 0),
        ("RELABEL_GAIN", 0),
    ):
        monkeypatch.setattr(sliced_ell, name_of, value)
    monkeypatch.setattr(sliced_ell, "MAX_BLOCK_COLUMNS", 16)
    monkeypatch.setattr(pull, "HUB_BYTES", 16)
    op, n = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)[dtype], 100
    A, m = make(1, (n, n), dtype)[0], make(2, (n,), dtype, "bitmap")[0]
    u = make(3, (n,), dtype, "bitmap")[0]
    run(Vector(dtype, n), A.mxv(u, op), kind, m, replace=True)
    u << 1
    run(Vector(dtype, n), A.mxv(u, op), kind, m, gb.binary.second)
    run(Vector(dtype, n), u.vxm(A, gb.semiring.min_plus), kind, m)
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", MASKS)
def test_bits(recorder, monkeypatch, kind):
    A, B = (make(k, (70, 70), "BOOL")[0].select("==", True).new() for k in (1, 2))
    M = make(3, (70, 70), "BOOL")[0]
    for X in (A, B):
        X.store("bits")
        X.nvals, X[[1, 2], [3, 4]].new()
    op, add = gb.semiring.any_pair["BOOL"], gb.binary.any
    for sparse in (0, 10**9):
        monkeypatch.setattr(bit_matrix, "SPARSE", sparse)
        for accum in (None, add):
            run(A.dup(), A.mxm(B, op), kind, M, accum, accum is None)
    for e in (B, A.ewise_add(B, add), A.ewise_mult(B, "land"), True):
        run(A.dup(), e, kind, M, add)
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("flat", [0, 64], ids=["rows", "flat"])
@pytest.mark.parametrize("kind", MASKS)
def test_position_by_position(recorder, monkeypatch, kind, flat):
    monkeypatch.setattr(matrix, "FLAT_ROWS", flat)
    shape, op = (20, 30), gb.binary.plus
    M = make(1, shape, "BOOL")[0]
    for form in ("sparse", "bitmap"):
        x, y = (make(k, shape, "FP64", form)[0] for k in (2, 3))
        for accum in (None, op):
            for e in (x.apply("abs"), x.ewise_mult(y, op), x.ewise_add(y, op)):
                run(make(4, shape, "FP64", form)[0], e, kind, M, accum, accum is None)
        run(make(4, shape, "FP64", form)[0], 3.0, kind, M)
        run(make(4, shape, "FP64", form)[0], x.select("tril"), kind, M)
        run(make(4, shape, "FP64", "sparse")[0], x.select("tril"), kind, M, None, True)
        x[2:9, [1, 3]](mask=None if kind == "none" else masked(kind, M[2:9, [1, 3]].new())) << 7
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", ["FP64", "BOOL"])
def test_what_has_no_mask(recorder, monkeypatch, dtype):
    """Reductions, building, extraction, diagonals and Kronecker products."""
    add = gb.monoid.plus if dtype == "FP64" else gb.monoid.lor
    for flat in (0, 64):
        monkeypatch.setattr(matrix, "FLAT_ROWS", flat)
        for form in (None, "bitmap"):
            A = make(1, (20, 30), dtype, form)[0]
            A.reduce_scalar(add).new()
            A.reduce_rowwise(add).new()
            A.reduce_columnwise(add).new()
            A[[1, 2], 3:9].new(), A[3, :].new(), A[:, 3].new(), A[3, 4].new()
            A.diag(1)
            A.T.new()
            A[3, 4] = 1
            A[[5, 6], :] = A[[7, 8], :].new()
            A.isequal(A.dup())
            A.kronecker(make(2, (2, 2), dtype)[0], "first").new()
            A.resize(25, 35)
        Matrix.from_coo([1, 0, 1], [2, 3, 2], np.ones(3, bool), dup_op=gb.binary.lor)
        Matrix.from_csr([0, 1, 2], [1, 0], 1, ncols=2)
    v = make(3, (90,), dtype)[0]
    v.diag(1)
    v.reduce(add).new()
    v.to_dense(fill_value=0)
    Vector(dtype, 9)[3] = np.zeros((), v.dtype.np_type)[()]
    check(recorder)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", ["UINT32", "FP64"])
def test_statements_in_sequence(recorder, dtype):
    op, lt = gb.semiring.min_plus[dtype], gb.binary.lt[dtype]
    A = make(1, (70, 70), dtype, density=0.1)[0]
    u, w, d = (make(k, (70,), dtype, "sparse")[0] for k in (2, 3, 4))
    better = Vector("BOOL", 70)
    for x, form in ((u, "sparse"), (w, "sparse"), (better, "sparse"), (d, "full")):
        x.store(form)
    d << 5
    less = w.select("<", 9)
    run = hints.fuse(
        (w, u.vxm(A, op)),
        (better, w.ewise_mult(d, lt)),
        (u(better.V, replace=True), less),
    )
    for most in (70, 0):  # one kernel goes on by itself, or there is one for each step
        run(2, most)
    check(recorder)


@pytest.mark.parametrize("dtype", ["BOOL", "FP64"])
def test_transposes_in_parts(recorder, monkeypatch, dtype):
    monkeypatch.setattr(csr, "PART", 8)
    make(1, (70, 30), dtype)[0].T.new()
    check(recorder)


def test_split_lists(recorder):
    check_split([5, 1, 3], [0, 2, 9])
    check(recorder)


def test_searches_on_several_ranks(recorder):
    G = star_with_tail(3000, 40)
    in_process(2, lambda member: gl.bfs(member.distribute(G), 5), engine="cuda")
    check(recorder)


def test_no_kernel_is_forgotten(request, compiled_names):
    """Kernels that are compiled neither here nor by a test of their own."""
    here = [x for x in request.session.items if x.path == request.node.path]
    tests = [x for x in here if "recorder" in getattr(x, "fixturenames", ())]
    others = {"test_no_kernel_is_forgotten", "test_elementwise_operations_of_rows"}
    all_selected = {x.originalname for x in tests} >= {
        f for f in globals() if f.startswith("test_")
    } - others
    done = list(compiled_names.iterdir())
    if not isinstance(device.active, Simulator):
        pytest.skip("a device compiles what it runs")
    if not all_selected or len(done) < len(tests):
        pytest.skip("only some of these tests ran, or another process has not ended them")
    found = {name for path in done for name in path.read_text().split()}
    files = sorted(KERNELS.rglob("*.cu"))
    assert len(files) >= 53
    assert {path.stem for path in files} >= ELSEWHERE
    kernels = {path: KERNEL.findall(path.read_text()) for path in files}
    assert all(kernels.values())
    missing = {
        f"{name} of {path.name}"
        for path, names in kernels.items()
        for name in names
        if path.stem not in ELSEWHERE and name not in found
    }
    assert not missing


@pytest.mark.thorough
def test_elementwise_operations_of_rows(monkeypatch):
    monkeypatch.setattr(device, "active", Recorder())
    monkeypatch.setattr(kernel, "_kernels", {})
    monkeypatch.setattr(matrix, "FLAT_ROWS", 0)
    A = Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 2], [1, 0, 3, 1], "INT32")
    B = Matrix.from_coo([0, 1, 2, 2], [1, 0, 0, 2], [1.5, 0, 3, 1], "FP64")
    for k, operation in enumerate(OPERATIONS.values()):
        kind = MASKS[k % len(MASKS)]
        C = Matrix.from_coo([0, 2], [2, 2], 1.5, "FP32", nrows=3)
        C(mask=masked(kind, A), accum=gb.binary.plus) << operation(A, B)
    Vector.from_coo([3, 1, 3], [1, 2, 5], dup_op="minus")
    sources = device.active.sources
    assert {"ewise_csr", "compact_flagged", "merge_structures", "fold_duplicates"} <= set(
        sources.values()
    )
    for source in sources:
        nvrtc.compile(source)
