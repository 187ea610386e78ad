"""Rows sorted by weight against a stable sort: short and long rows, each kind of weight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla import Graph
from graphla.errors import InvalidValue
from graphla.transform.sort_rows import SHORT, csr_by_weight
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.native.threads import COUNTS, compiled, threads
from tests.strategies import float_weights, graphs, signed_weights


def check(G):
    before, after = G.csr, csr_by_weight(G)
    assert after.indptr is before.indptr
    if before.values is None:
        assert after is before
        return
    row = np.repeat(np.arange(G.n), np.diff(before.indptr))
    order = np.lexsort((before.indices, before.values, row))
    assert after.indices.dtype == before.indices.dtype
    assert after.values.dtype == before.values.dtype
    assert np.array_equal(after.indices, before.indices[order])
    assert after.values.tobytes() == before.values[order].tobytes()  # -0.0 stays what it is


test_edge_cases = on_edge_cases(check)


@given(graphs(weights=signed_weights, max_m=80))
def test_integers(G):
    check(G)


@given(graphs(weights=float_weights, max_m=80))
def test_floats(G):
    check(G)


def every_bit(dtype, m):
    """Return m weights that use the whole range of a dtype."""
    kind = np.dtype(dtype).kind
    info = np.finfo(dtype) if kind == "f" else np.iinfo(dtype)
    special = [info.max, info.min, 0, 1, *([np.inf, -np.inf, -0.0] if kind == "f" else [])]
    bits = np.random.default_rng(3).integers(0, 256, m * np.dtype(dtype).itemsize, np.uint8)
    weight = np.nan_to_num(bits.view(dtype))
    weight[: len(special)] = special
    return weight


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("n", [4, 60])
def test_full_range_in_long_and_short_rows(dtype, n):
    src, dst = np.divmod(np.random.default_rng(1).permutation(n * 90)[: n * 70], 90)
    check(Graph.from_edges(src, dst, every_bit(dtype, src.size), n=90))


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check(random_graph(5, 600, dtype=dtype))
    check(random_graph(40, 200, dtype=dtype))


@pytest.mark.parametrize("high", [2, 200, 300, 70000, 2**31])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_one_long_row_of_weights_in_a_narrow_or_wide_range(dtype, high):
    weight = np.random.default_rng(2).integers(-high, high, 3000).astype(dtype)
    check(Graph.from_edges(np.zeros(3000, int), np.arange(3000), weight, n=3000))


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("high", [3, 70_000])
def test_long_rows(dtype, high):
    """A weight range of one byte, and of several, in rows above the limit of insertion sort."""
    n = 3 * SHORT
    rng = np.random.default_rng(high)
    weight = rng.integers(-high, high, 2 * n).astype(dtype)
    src = np.repeat([0, n - 1], n)
    check(gl.Graph.from_edges(src, np.tile(np.arange(n), 2), weight, n=n))


@compiled
@pytest.mark.parametrize("count", COUNTS)
def test_threads(count):
    with threads(count):
        check(random_graph(3000, 90000, dtype="float32"))


def test_cached_on_the_graph():
    G = random_graph(20, 60, dtype="int32")
    assert csr_by_weight(G) is csr_by_weight(G)
    assert csr_by_weight(G.astype("BOOL")).values is None


def test_nan_is_refused():
    with pytest.raises(InvalidValue, match="NaN"):
        csr_by_weight(Graph.from_edges([0, 1], [1, 2], [1.0, np.nan]))
