"""Edge columns to a matrix, against SciPy and a dictionary."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as ss
from graphblas import Matrix
from hypothesis import given
from hypothesis import strategies as st

from graphla import Graph
from graphla.core.edge_list import DUP_RULES, MANY_VERTICES, VERTICES_PER_EDGE, adjacency
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
    IsolatedVertices,
)
from tests.graphs import DTYPES

INTEGERS = [dtype for dtype in DTYPES if "int" in dtype]
KINDS = ["directed", "undirected"]
COMBINE = {"min": min, "max": max, "sum": sum, "first": lambda w: w[0], "last": lambda w: w[-1]}


def entries(A):
    """Return {(row, column): value}."""
    rows, cols, values = (x.tolist() for x in A.to_coo())
    assert len(set(zip(rows, cols, strict=True))) == A.nvals
    return {(i, j): w for i, j, w in zip(rows, cols, values, strict=True)}


def by_dictionary(src, dst, weight, kind, dup):
    lists = {}
    for u, v, w in zip(src, dst, weight, strict=True):
        edge = (min(u, v), max(u, v)) if kind == "undirected" else (u, v)
        lists.setdefault(edge, []).append(w)
    found = {edge: COMBINE[dup](w) for edge, w in lists.items()}
    if kind == "undirected":
        found |= {(v, u): w for (u, v), w in found.items()}
    return found


@st.composite
def columns(draw, n, weights, max_m=40):
    m = draw(st.integers(0, max_m))
    end = st.lists(st.integers(0, n - 1), min_size=m, max_size=m)
    return draw(end), draw(end), draw(st.lists(weights, min_size=m, max_size=m))


# with 2^20 vertices there are no row pointers, with 2^31 no room for positions beside
# the keys, and with 2^40 none for two vertices in one key
SIZES = [6, 1 << 20, 1 << 31, 1 << 40]


@pytest.mark.thorough
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), dup=st.sampled_from(DUP_RULES))
def test_every_rule_against_a_dictionary(n, kind, data, dup):
    low, high, weight = data.draw(columns(6, st.integers(-9, 9)))
    # half of the vertices at either end of the range
    src, dst = ([v if v < 3 else n - 6 + v for v in end] for end in (low, high))
    A = adjacency(
        np.array(src, np.int64), np.array(dst, np.int64), np.array(weight, np.int32),
        n=n, kind=kind, dup=dup,
    )  # fmt: skip
    assert A.shape == (n, n)
    assert A.dtype == "INT32"
    assert entries(A) == by_dictionary(src, dst, weight, kind, dup)


@given(columns(9, st.floats(-1e6, 1e6)))
def test_sum_against_scipy(edges):
    src, dst, weight = (np.array(x, t) for x, t in zip(edges, (int, int, float), strict=True))
    expected = ss.coo_array((weight, (src, dst)), shape=(9, 9)).toarray()
    A = adjacency(src, dst, weight, n=9, dup="sum")
    np.testing.assert_allclose(A.to_dense(fill_value=0), expected, rtol=1e-12, atol=1e-9)

    loops = np.diag(np.diag(expected))
    A = adjacency(src, dst, weight, n=9, dup="sum", kind="undirected").to_dense(fill_value=0)
    np.testing.assert_allclose(A, expected + expected.T - loops, rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(A, A.T)


@pytest.mark.parametrize("n", [40, 1 << 33])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dup", DUP_RULES)
def test_many_equal_edges(n, kind, dup):
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 40, (2, 5000))
    weight = rng.integers(0, 100, 5000).astype(np.uint16)
    A = adjacency(src, dst, weight, n=n, kind=kind, dup=dup)
    assert entries(A) == by_dictionary(
        src.tolist(), dst.tolist(), weight.tolist(), kind=kind, dup=dup
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dup", [*DUP_RULES, None])
def test_dtypes(dtype, kind, dup):
    weight = np.array([1, 0, 1], dtype)
    A = adjacency([0, 2, 1], [1, 0, 1], weight, n=4, kind=kind, dup=dup)
    assert A.dtype.np_type == np.dtype(dtype)
    assert A.nvals == (3 if kind == "directed" else 5)
    assert entries(A)[2, 0] == (dtype == "bool")  # a zero is an edge; False says nothing
    assert A.ss.is_iso == (dtype == "bool")


@pytest.mark.parametrize("dup", DUP_RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_unweighted_has_each_edge_once(kind, dup):
    A = adjacency([0, 1, 0, 2, 2], [1, 0, 1, 2, 2], kind=kind, dup=dup)
    assert entries(A) == {(0, 1): True, (1, 0): True, (2, 2): True}
    assert A.ss.is_iso


def test_n_is_the_largest_vertex_plus_one():
    assert adjacency([0, 4], [1, 2]).shape == (5, 5)
    assert adjacency([0, 1], [4, 2]).shape == (5, 5)
    assert adjacency([], []).shape == (0, 0)
    assert adjacency([], [], n=0).shape == (0, 0)
    assert adjacency([], [], [], n=3).dtype == "FP64"
    assert adjacency([0], [0], np.array([2], "int8"), n=np.int8(1)).to_dense().tolist() == [[2]]


@pytest.mark.parametrize("left", INTEGERS)
@pytest.mark.parametrize("right", ["int8", "uint64"])
@pytest.mark.parametrize("kind", KINDS)
def test_vertices_of_any_integer_dtype(left, right, kind):
    A = adjacency(np.array([3, 0], left), np.array([1, 2], right), n=1000, kind=kind)
    arcs = {(3, 1), (0, 2)}
    assert set(entries(A)) == (arcs if kind == "directed" else arcs | {(1, 3), (2, 0)})


def table():
    return pd.DataFrame({"u": [0, 1], "v": [1, 2], "w": [0.5, 2.5]})


@pytest.mark.parametrize(
    "edges",
    [
        ([0, 1], (1, 2), [0.5, 2.5]),
        tuple(table()[c] for c in "uvw"),
        tuple(table().convert_dtypes()[c] for c in "uvw"),
        tuple(pa.array(table()[c]) for c in "uvw"),
        tuple(np.array([[0, 1, 0.5], [1, 2, 2.5]]).T[k].astype(t) for k, t in enumerate("iid")),
        (np.array([0, 9, 1])[::2], np.array([2, 1])[::-1], np.array([2.5, 0.5])[::-1]),
        (np.array([0, 1], ">i4"), np.array([1, 2], ">u8"), np.array([0.5, 2.5], ">f8")),
    ],
    ids=["lists", "pandas", "nullable", "arrow", "numpy", "strided", "other byte order"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_any_library(edges, kind):
    A = adjacency(*edges, kind=kind)
    assert A.dtype == "FP64"
    arcs = {(0, 1): 0.5, (1, 2): 2.5}
    back = {(j, i): w for (i, j), w in arcs.items()} if kind == "undirected" else {}
    assert entries(A) == arcs | back


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_only_read(kind):
    given = [np.array(x) for x in ([0, 0, 2], [1, 1, 0], [5, 3, 4])]
    kept = [x.copy() for x in given]
    for x in given:
        x.flags.writeable = False
    A = adjacency(*given, kind=kind)
    before = entries(A)
    for x, y in zip(given, kept, strict=True):
        np.testing.assert_array_equal(x, y)
        x.flags.writeable = True
        x[:] = 7
    assert entries(A) == before


def test_nan_weights():
    nan = np.nan
    edges = [0, 0, 1, 1, 2], [1, 1, 2, 2, 0], [nan, 2.0, nan, nan, nan]
    for dup, first in (("min", 2), ("max", 2), ("sum", nan), ("first", nan), ("last", 2)):
        found = entries(adjacency(*edges, dup=dup))
        np.testing.assert_equal(found, {(0, 1): first, (1, 2): nan, (2, 0): nan})
    G = Graph.from_edges(*edges, kind="undirected")
    assert Graph(G.A, kind="undirected").has_nan


@pytest.mark.parametrize("dtype", INTEGERS)
def test_sums_that_overflow_are_refused(dtype):
    limits = np.iinfo(dtype)
    edges = np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2])
    fits = np.array([limits.max // 2, limits.min, limits.max // 2, 0], dtype)
    A = adjacency(*edges, fits, dup="sum")
    assert entries(A)[0, 1] == 2 * (limits.max // 2)
    ends = [limits.max] if limits.min == 0 else [limits.min, limits.max]
    for end in ends:
        over = np.array([end, 0, 1 if end > 0 else -1, 0], dtype)
        with pytest.raises(InvalidValue, match=rf"position 0 sum to more than {dtype} holds"):
            adjacency(*edges, over, dup="sum")
    assert entries(adjacency(*edges, over, dup="max"))[0, 1] == over[[0, 2]].max()


def test_duplicates_are_refused_on_request():
    with pytest.raises(InvalidGraph, match=r"edge \(3, 1\) occurs twice: of 3 edges 1 repeat"):
        adjacency([0, 3, 3], [1, 1, 1], dup=None)
    with pytest.raises(InvalidGraph, match=r"edge \(1, 3\) occurs twice"):
        adjacency([0, 3, 1], [1, 1, 3], [1, 2, 2], dup=None, kind="undirected")
    far = 1 << 50
    with pytest.raises(InvalidGraph, match=rf"edge \({far}, 1\) occurs twice"):
        adjacency([0, far, far], [1, 1, 1], n=far + 1, dup=None)
    assert adjacency([0, 3, 1], [1, 1, 3], dup=None).nvals == 3


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        (([0, 1], [1]), DimensionMismatch, "src 2, dst 1"),
        (([0, 1], [1, 0], [1]), DimensionMismatch, "src 2, dst 2, weight 1"),
        (([0, 1], [1, 0], 1), DimensionMismatch, r"weight has shape \(\)"),
        (([[0]], [[1]]), DimensionMismatch, r"src has shape \(1, 1\)"),
        (([0, 1], [[1], []]), DomainMismatch, "dst is not an array"),
        (([0.0], [1]), DomainMismatch, "src has dtype float64"),
        (([0], [True]), DomainMismatch, "dst has dtype bool"),
        (([0], ["a"]), DomainMismatch, "dst has dtype str"),
        (([0], [None]), DomainMismatch, "dst has dtype object"),
        (([0], [1 << 64]), DomainMismatch, "dst has dtype object"),
        ((np.ma.array([0, 1], mask=[0, 1]), [0, 1]), DomainMismatch, "src has masked entries"),
        (([0], [1], [1j]), DomainMismatch, "complex128"),
        (([0], [1], ["x"]), DomainMismatch, "<U1"),
        (([0], [1], [None]), DomainMismatch, "object"),
        (([0], [1], np.ones(1, np.float16)), DomainMismatch, "float16"),
        (([0], [1], np.ones(1, "M8[s]")), DomainMismatch, "datetime64"),
        (([0, 1, -2, -3], [1] * 4), InvalidIndex, r"src\[2\] = -2 is not a vertex"),
        (([0], [1 << 60]), InvalidIndex, r"dst\[0\] = 1152921504606846976"),
        ((np.array([1, 2**64 - 1], np.uint64), [0, 0]), InvalidIndex, r"src\[1\] = 18446744"),
    ],
)
def test_bad_columns(arguments, error, match):
    for kind in KINDS:
        with pytest.raises(error, match=match):
            Graph.from_edges(*arguments, kind=kind)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"n": 2}, InvalidIndex, r"dst\[1\] = 2 is not a vertex: they are 0..n-1, n=2"),
        ({"n": 0}, InvalidIndex, r"src\[0\] = 0 is not a vertex"),
        ({"n": -1}, InvalidValue, "n=-1"),
        ({"n": (1 << 60) + 1}, InvalidValue, "2\\^60"),
        ({"n": 3.0}, DomainMismatch, "n must be an integer, not float"),
        ({"kind": "mixed"}, InvalidGraph, "kind must be .* not 'mixed'"),
        ({"dup": "mean"}, InvalidGraph, "dup must be one of .* not 'mean'"),
    ],
)
def test_bad_options(options, error, match):
    with pytest.raises(error, match=match):
        Graph.from_edges([0, 1], [1, 2], **options)


def test_bad_input_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr("graphla.core.edge_list.assemble", None)
    with pytest.raises(InvalidIndex):
        adjacency([0], [5], [1], n=3)
    with pytest.raises(DomainMismatch):
        adjacency([0], [1], [1j])


def test_result_is_stored_by_row_and_owns_its_arrays():
    src, dst = np.random.default_rng(0).integers(0, 50, (2, 2000))
    for kind in KINDS:
        A = adjacency(src, dst, kind=kind)
        assert A.ss.orientation == "rowwise"
        B = Matrix.from_coo(*A.to_coo(), nrows=A.nrows, ncols=A.ncols)
        A.clear()
        A << B  # what was moved in can be freed and replaced
        assert A.isequal(B)


def test_numbers_that_leave_the_graph_almost_empty_may_be_labels():
    src, dst = [1_000_000_007, 5], [12, 1_000_000_009]
    with pytest.raises(
        InvalidValue, match=r"largest vertex is 1,000,000,009: .* labels, gl\.interop"
    ):
        adjacency(src, dst)
    assert adjacency(src, dst, n=1_000_000_010).nvals == 2
    assert adjacency([0], [MANY_VERTICES - 1]).nrows == MANY_VERTICES
    with pytest.raises(InvalidValue, match=f"n={MANY_VERTICES + 1} takes them as they are"):
        adjacency([0], [MANY_VERTICES])
    many = np.zeros(MANY_VERTICES // VERTICES_PER_EDGE + 1, np.int64)
    assert adjacency(many, many + MANY_VERTICES).nvals == 1


@pytest.mark.parametrize(
    ("src", "dst", "message"),
    [
        ([10, 20], [20, 30], "only 3 of 31 vertices have an edge; if the numbers are labels"),
        (np.arange(100) * 5, np.arange(100) * 5, "only 100 of 496 vertices have an edge"),
    ],
)
def test_numbers_that_may_be_labels_are_met_with_a_warning(src, dst, message, recwarn):
    with pytest.warns(IsolatedVertices, match=message) as caught:
        G = Graph.from_edges(src, dst)
    assert caught[0].filename == __file__
    recwarn.clear()
    assert Graph.from_edges(src, dst, n=G.n).A.isequal(G.A)  # its size is known
    assert not recwarn


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        ([], []),
        ([0], [20]),  # 19 isolated vertices
        (np.arange(100) * 4, np.arange(100) * 4),  # a quarter of the vertices
        (np.arange(25), np.arange(25) * 4),  # those with out-edges are a quarter
    ],
)
def test_some_isolated_vertices_are_no_reason_for_a_warning(src, dst, recwarn):
    Graph.from_edges(np.array(src, int), np.array(dst, int))
    assert not recwarn
