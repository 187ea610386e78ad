"""The parallel sort of entries, against NumPy's path and python-graphblas's constructor."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import Matrix, binary
from hypothesis import given
from hypothesis import strategies as st

from graphla.core import edge_list
from graphla.core.edge_list import DUP_RULES, own_csr
from graphla.errors import InvalidGraph, InvalidValue
from graphla.numba_support import compressed_rows as module
from graphla.numba_support.compiling import is_enabled
from graphla.numba_support.compressed_rows import SHORT, compressed_rows
from tests.graphs import DTYPES
from tests.strategies import examples

WEIGHTS = [dtype for dtype in DTYPES if dtype != "bool"]
OPERATORS = {
    "min": binary.min,
    "max": binary.max,
    "sum": binary.plus,
    "first": binary.first,
    "last": binary.second,
}


@pytest.fixture(autouse=True)
def small_buckets(monkeypatch):
    """Let few entries fill several buckets; the kernels keep the size of their scratch memory."""
    monkeypatch.setattr(module, "BUCKET", 4)


def special_values(dtype):
    """Return values whose order, sums and bits differ between dtypes."""
    if np.dtype(dtype).kind == "f":
        return [np.nan, -np.inf, np.inf, -1.5, 0.1, 0.2, 0.3, 1e30, 7.0]
    limits = np.iinfo(dtype)
    return [limits.min, limits.max, limits.max // 2, 0, 1, 2, 3, 100]


@st.composite
def columns(draw, values=None, max_n=9, max_m=60):
    n = draw(st.integers(1, max_n))
    pairs = draw(st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), min_size=n, max_size=max_m))
    rows, cols = np.array(pairs).T
    dtype = draw(st.sampled_from(["int64", "uint32", "int8", ">i4"]))
    drawn = st.sampled_from([0] if values is None else values)
    weights = draw(st.lists(drawn, min_size=len(pairs), max_size=len(pairs)))
    return n, rows.astype(dtype), cols.astype(draw(st.sampled_from(["uint64", dtype]))), weights


def outcome(assemble, *args, **options):
    """Return the arrays of the matrix, or the error."""
    try:
        A = assemble(*args, **options)
    except (InvalidGraph, InvalidValue) as error:
        return type(error), str(error)
    return A.dtype.name, *A.to_coo()


def assert_same(found, expected, *, exact):
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        if exact or not isinstance(x, np.ndarray):
            np.testing.assert_array_equal(x, y)
        else:
            np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-4)


def by_threads(rows, cols, values, *, n, threads=2, **options):
    """Return the outcome of the parallel path, whatever the number of entries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "PARALLEL_FROM", 0)
        patch.setattr(edge_list, "num_threads", lambda: threads)
        patch.setattr(edge_list, "_assemble_by_numpy", None)
        patch.setattr("graphla.numba_support.compiling.is_enabled", lambda: True)
        return outcome(edge_list.assemble, rows, cols, values, n=n, **options)


def test_unweighted_entries_share_one_value():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "PARALLEL_FROM", 0)
        for values in (None, np.zeros(3, bool)):
            A = edge_list.assemble(np.array([0, 0, 1]), np.array([1, 1, 0]), values, n=2, dup="min")
            assert A.ss.is_iso
            assert A.ss.iso_value
            assert A.ss.orientation == "rowwise"


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # infinity minus infinity
@pytest.mark.parametrize("dtype", [None, *WEIGHTS])
@given(
    data=st.data(),
    dup=st.sampled_from([*DUP_RULES, None]),
    symmetric=st.booleans(),
    threads=st.integers(1, 3),
)
@examples(60)
def test_results_and_errors_are_those_of_numpy(dtype, data, dup, symmetric, threads):
    n, rows, cols, weight = data.draw(columns(None if dtype is None else special_values(dtype)))
    values = None if dtype is None else np.array(weight, dtype)
    options = {"dup": dup, "symmetric": symmetric}
    expected = outcome(edge_list._assemble_by_numpy, rows, cols, values, n=n, nrows=n, **options)
    found = by_threads(rows, cols, values, n=n, threads=threads, **options)
    assert_same(found, expected, exact=dup != "sum" or dtype is None or "int" in dtype)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@given(edges=columns())
@examples(30)
def test_loops_that_are_left_out_have_no_value(weighted, symmetric, edges):
    n, rows, cols, _ = edges
    is_edge = rows != cols
    kept = rows[is_edge], cols[is_edge], np.arange(is_edge.sum()) if weighted else None
    options = {"n": n, "dup": "last", "symmetric": symmetric}
    expected = outcome(edge_list._assemble_by_numpy, *kept, nrows=n, **options)
    assert_same(
        by_threads(rows, cols, kept[2], skip_loops=True, **options)[1:], expected[1:], exact=True
    )
    assert_same(
        outcome(edge_list.assemble, rows, cols, kept[2], skip_loops=True, **options),
        expected,
        exact=True,
    )


@pytest.mark.parametrize("dup", DUP_RULES)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("shape", ["random", "one row", "one column", "one entry", "sorted"])
def test_against_suitesparse(shape, dtype, dup):
    """Buckets longer than insertion sort takes, of entries that are distributed unevenly."""
    rng = np.random.default_rng(5)
    rows, cols = rng.integers(0, 3000, (2, 9000))
    ends = {"one row": (rows * 0 + 7, cols), "one column": (rows, cols * 0 + 7)}
    ends |= {"one entry": (rows * 0 + 2, cols * 0), "sorted": (np.sort(rows), cols)}
    rows, cols = ends.get(shape, (rows, cols))
    values = rng.integers(-50, 50, rows.size).astype(dtype)
    expected = Matrix.from_coo(rows, cols, values, nrows=3000, ncols=3000, dup_op=OPERATORS[dup])
    for threads in (1, 4):
        found = compressed_rows(
            rows, cols, values, nrows=3000, ncols=3000, dup=dup, threads=threads
        )
        assert found.repeats == 9000 - expected.nvals
        assert found.repeats > 0
        assert own_csr(*found[:3], 3000).isequal(expected)


@pytest.mark.parametrize("width", ["float32", "float64"])
def test_sums_of_both_triangles_have_the_same_bits(width):
    rng = np.random.default_rng(2)
    rows, cols = rng.integers(0, 20, (2, 4000))
    values = rng.standard_normal(4000).astype(width)
    results = [
        compressed_rows(
            rows, cols, values, nrows=20, ncols=20, dup="sum", symmetric=True, threads=threads
        )
        for threads in (1, 2, 5)
    ]
    for found in results:
        dense = own_csr(*(x.copy() for x in found[:3]), 20).to_dense()
        np.testing.assert_array_equal(dense, dense.T)
        np.testing.assert_array_equal(found.values, results[0].values)
    order = ((rows == 3) & (cols == 5)) | ((rows == 5) & (cols == 3))
    total = values.dtype.type(0)
    for value in values[order]:  # in the order of the input
        total += value
    assert dense[3, 5] == total


def test_rows_fewer_than_columns():
    rows, cols = np.array([2, 0, 2, 1, 2]), np.array([900, 5, 3, 0, 900])
    found = compressed_rows(rows, cols, nrows=3, ncols=1000)
    assert found.indptr.tolist() == [0, 1, 2, 4]
    assert found.columns.tolist() == [5, 0, 3, 900]
    assert (found.repeats, found.repeated) == (1, (2, 900))


def test_no_entries():
    none = np.empty(0, np.int64)
    for values in (None, none):
        found = compressed_rows(none, none, values, nrows=5, ncols=5, threads=2)
        assert found.indptr.tolist() == [0] * 6
        assert found.columns.size == found.repeats == 0
        assert found.repeated is None
    assert compressed_rows(none, none, nrows=0, ncols=0).indptr.tolist() == [0]


def test_columns_of_largest_matrices():
    top = edge_list.MAX_SORTED_VERTICES - 1
    cols = np.array([top, 0, top, 5], np.uint32)
    values = np.array([1, 2, 3, 4], np.int8)
    found = compressed_rows(
        np.array([1, 1, 0, 1]), cols, values, nrows=2, ncols=top + 1, dup="sum", threads=2
    )
    assert found.columns.tolist() == [top, 0, 5, top]
    assert found.values.tolist() == [3, 2, 4, 1]


def test_keys_without_room_for_positions_are_left_to_numpy(monkeypatch):
    many = 2000  # entries of one bin of 2^23 rows: 23 + 31 bits, and 11 for a position
    rows, cols = np.zeros((2, many), np.int64)
    shape = {"nrows": 1 << 31, "ncols": 1 << 31}
    monkeypatch.setattr(module, "BUCKET", 1 << 15)
    assert compressed_rows(rows, cols, np.ones(many), **shape) is None
    monkeypatch.setattr(edge_list, "PARALLEL_FROM", 0)
    monkeypatch.setattr(module, "compressed_rows", lambda *args, **options: None)
    monkeypatch.setattr("graphla.numba_support.compiling.is_enabled", lambda: True)
    A = edge_list.assemble(rows, cols, np.ones(many), n=3, dup="sum")
    assert A.to_coo()[2].tolist() == [many]


def test_many_edges_take_the_parallel_path(monkeypatch):
    """The default limits, and the sizes at which several passes sort a bucket."""
    monkeypatch.undo()
    rng = np.random.default_rng(1)
    m = edge_list.PARALLEL_FROM
    src, dst = rng.integers(0, 1 << 15, (2, m), dtype=np.uint32)
    src[: m // 8] = 7  # a row that has more entries than the scratch memory of a thread
    assert m // 8 > 2 * module.BUCKET > SHORT
    weight = rng.integers(0, 1000, m)
    options = {"n": 1 << 15, "dup": "sum", "symmetric": True}
    calls = []
    inner = module.compressed_rows
    monkeypatch.setattr(
        module, "compressed_rows", lambda *a, **o: calls.append(0) or inner(*a, **o)
    )
    A = edge_list.assemble(src, dst, weight, **options)
    assert A.ss.orientation == "rowwise"
    expected = edge_list._assemble_by_numpy(src, dst, weight, nrows=1 << 15, **options)
    assert A.isequal(expected)
    assert bool(calls) == is_enabled()
