"""Indices of the type uint32: all of them, or those of the longer dimension of a matrix only."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, indexunary, monoid, semiring

import graphla as gl
from graphla import cuda
from graphla.cuda.objects.conversions import from_graphblas, to_graphblas
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import vector_formats
from graphla.cuda.storage.vector_formats import kernel_index_dtype, no_index
from graphla.execution import push_pull
from tests.cuda.object_pairs import equal
from tests.graphs import random_graph

N, M = 24, 70  # rows and columns
LIMITS = {"all": -1, "columns": 2 * N}  # of sizes whose indices are int32


@pytest.fixture(params=LIMITS)
def limit(request, monkeypatch):
    """Let the indices of longer dimensions be unsigned, and the offsets of as many entries."""
    monkeypatch.setattr(vector_formats, "MAX_INT32_SIZE", LIMITS[request.param])
    return LIMITS[request.param]


def test_types():
    assert kernel_index_dtype(2**31 - 4097) == np.int32
    assert kernel_index_dtype(2**31 - 4096) == kernel_index_dtype(2**32 - 4097) == np.uint32
    assert kernel_index_dtype(2**32 - 4096) == np.int64
    assert [no_index(kind) for kind in (np.int32, np.uint32, np.int64)] == [-1, 2**32 - 1, -1]


def pair(rng, *shape, entries=0.3, dtype="INT64"):
    """Return equal objects of both engines, with entries at random."""
    where = np.nonzero(rng.random(shape) < entries)
    values = rng.integers(1, 5, where[0].size).astype(np.int64)
    make = gb.Vector if len(shape) == 1 else gb.Matrix
    sizes = {"size": shape[0]} if len(shape) == 1 else {"nrows": shape[0], "ncols": shape[1]}
    theirs = make.from_coo(*where, values, dtype, **sizes)
    return from_graphblas(theirs), theirs


def world(rng):
    """Return the objects of the statements, of each engine."""
    square, wide, tall = ((M, M), (N, M), (M, N))
    pairs = {"A": pair(rng, *square), "B": pair(rng, *square, entries=0.1)}
    pairs |= {"W": pair(rng, *wide), "T": pair(rng, *tall), "K": pair(rng, 2, 3)}
    pairs |= {"C": pair(rng, *square), "D": pair(rng, *wide)}
    pairs |= {"v": pair(rng, M), "u": pair(rng, M, entries=0.05), "w": pair(rng, N)}
    pairs |= {"full": pair(rng, M, entries=2)}
    rest = {"np": np, "rows": [5, 0, 9], "columns": [M - 1, 3, 40, 0], "twice": [7, 7, 2]}
    rest |= {"binary": binary, "semiring": semiring, "monoid": monoid, "indexunary": indexunary}
    return [rest | {name: both[k] for name, both in pairs.items()} for k in (0, 1)]


STATEMENTS = {
    "push": """
        out = u.vxm(A, semiring.min_plus)
        out = u.vxm(A, semiring.any_pair)
    """,
    "pull": """
        out = A.mxv(full, semiring.plus_times)
        out = W.mxv(v, semiring.max_second)
    """,
    "early exit": """
        out = A.mxv(u, semiring.any_pair)
        v(~u.S, replace=True) << A.mxv(v, semiring.any_pair)
    """,
    "mxm": """
        out = A.mxm(B, semiring.plus_times)
        out = W.mxm(T, semiring.min_plus)
        C(B.S) << A.mxm(A, semiring.plus_pair)
        C(~B.S) << B.mxm(B.T, semiring.plus_first)
    """,
    "ewise": """
        out = A.ewise_add(B, binary.plus)
        out = W.ewise_mult(D, binary.times)
        out = v.ewise_add(u, binary.min)
        u(~v.S) << v.ewise_mult(full, binary.plus)
    """,
    "apply": """
        out = A.apply(indexunary.colindex, 0)
        out = u.apply(indexunary.rowindex, 1)
    """,
    "select": """
        out = A.select('>=', 3)
        out = W.select('tril')
        out = v.select('==', 2)
    """,
    "reduce": """
        out = W.reduce_rowwise(monoid.plus)
        out = W.reduce_columnwise(monoid.max)
        out = A.reduce_scalar(monoid.plus)
        out = u.reduce(monoid.plus)
    """,
    "extract": """
        out = W[rows, columns]
        out = A[twice, :]
        out = W[:, ::-1]
        out = A[:, twice]
        out = v[columns]
        out = A[3, ::-2]
        out = W[::-3, 5]
        out = v[::-1]
    """,
    "assign": """
        D[rows, columns] << W[rows, columns]
        C[:, columns] << A[:, columns]
        D[rows, :] << 7
        v[columns] << 3
        A[2, ::-1] << v
        v[::-1] << full
        W[4, 60] << 9
        u[69] << 1
    """,
    "structure": """
        out = W.T
        out = K.kronecker(W, binary.times)
        out = v.diag()
        out = A.diag()
    """,
    "resize": """
        A.resize(80, 20)
        W.resize(10, 90)
        v.resize(100)
    """,
}


def run(line, names):
    exec(line, names)
    out = names.pop("out", None)
    return out.new() if hasattr(out, "new") else out


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(limit, name):
    ours, theirs = world(np.random.default_rng(1))
    assert ours["W"]._csr().indices.dtype == np.uint32
    assert ours["T"]._csr().indices.dtype == (np.uint32 if limit < 0 else np.int32)
    for line in map(str.strip, STATEMENTS[name].strip().splitlines()):
        found, expected = run(line, ours), run(line, theirs)
        if hasattr(found, "value"):
            assert found.value == expected.value, line
        elif found is not None:
            equal(found, expected)
        for key in "ABCDWTvuw":
            equal(ours[key], theirs[key])


def test_positions_of_a_matrix_whose_columns_are_signed(monkeypatch):
    """They are of the type for the number of positions."""
    monkeypatch.setattr(vector_formats, "MAX_INT32_SIZE", M)
    ours, theirs = pair(np.random.default_rng(2), N, M)
    rows, columns, _ = theirs.to_coo()
    A = ours._csr()
    assert (A.indices.dtype, A.positions().dtype) == (np.int32, np.uint32)
    assert device.to_host(A.positions()).tolist() == (rows * M + columns).tolist()
    equal(cuda.Matrix.from_coo(*theirs.to_coo(), nrows=N, ncols=M), theirs)


def test_wrong_indices_are_refused(limit):
    for indices in ([0, -1], [0, M]):
        with pytest.raises(gl.errors.InvalidIndex):
            cuda.Vector.from_coo(indices, [1, 2], size=M)
        with pytest.raises(gl.errors.InvalidIndex):
            cuda.Matrix.from_csr([0, 2], indices, [1, 2], ncols=M)


@pytest.mark.parametrize("policy", [{"alpha": 1e-9}, {"alpha": 1e9, "beta1": 1e9, "beta2": 1e9}])
def test_searches(limit, monkeypatch, policy):
    """By push and by pull, where rows without entries have no hub neighbor."""
    costs = push_pull.COSTS["cuda"]._replace(**policy)
    monkeypatch.setitem(push_pull.COSTS, "cuda", costs)
    G = random_graph(100, 250)
    H = G.to("cuda")
    assert H.A._csr().indices.dtype == np.uint32
    level, parent = map(to_graphblas, gl.bfs(H, 3))
    assert level.isequal(gl.bfs_levels(G, 3))
    gl.verify.bfs(G, 3, level, parent)
