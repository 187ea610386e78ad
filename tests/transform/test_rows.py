"""Rows in other orders, and storage forms: decoding returns the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from tests import strategies
from tests.graphs import DTYPES, edge_cases, random_graph
from tests.transform.orders_and_forms import (
    EVERY,
    FORMS,
    arrays,
    equal_matrices,
    host,
)


def check_rows(G):
    """Each row has its entries, by descending degree, or by weight."""
    indptr, indices, values = (None if x is None else host(x) for x in arrays(G))
    weight = np.ones(indices.size) if values is None else values
    degree = np.diff(indptr)
    rows = np.repeat(np.arange(G.n), degree)
    keys = {
        transform.rows_by_degree: (indices, -degree[indices], rows),
        transform.rows_by_weight: (indices, weight, rows),
    }
    for function, key in keys.items():
        found = function(G)
        by = np.lexsort(key)
        assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
        assert host(found.indptr).tolist() == indptr.tolist()
        assert host(found.indices).tolist() == indices[by].tolist()
        if values is None:
            assert found.values is None
        else:
            assert host(found.values).tobytes() == values[by].tobytes()


@given(strategies.graphs(weights=st.one_of(st.integers(-3, 3), strategies.float_weights)))
def test_rows(G):
    check_rows(G)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_rows_of_each_dtype(dtype):
    check_rows(random_graph(30, 120, dtype=dtype, high=5))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_rows_of_edge_cases(kind):
    for G in edge_cases(kind).values():
        check_rows(G)


def check_form(G, name):
    form = FORMS[name](G)
    rows = transform.rows_by_degree(G) if "degree" in name or "all" in name else None
    indptr, indices = (rows.indptr, rows.indices) if rows else arrays(G)[:2]
    found = form.decode()
    assert host(found.indptr).tolist() == host(indptr).tolist()
    assert host(found.indices).tolist() == host(indices).tolist()
    assert found.indices.dtype == np.int32
    assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
    assert found.values is None


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_forms_of_edge_cases(name, kind):
    for G in edge_cases(kind).values():
        check_form(G, name)


@pytest.mark.parametrize("name", FORMS)
@given(G=strategies.graphs(max_n=150, max_m=200))
def test_forms(name, G):
    check_form(G, name)


def spread(n, m, seed):
    """Return a graph with neighbours inside and outside the window of byte_ids."""
    rng = np.random.default_rng(seed)
    src = rng.integers(0, n, m)
    dst = np.where(rng.random(m) < 0.7, src + rng.integers(-700, 700, m), rng.integers(0, n, m))
    return gl.Graph.from_edges(src, dst.clip(0, n - 1), n=n)


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_wide_graphs(name):
    for n, seed in ((1023, 1), (1025, 2), (70000, 3)):
        check_form(spread(n, 3 * n, seed), name)


def test_windows_hold_the_most():
    form = transform.byte_ids(gl.Graph.from_edges([5] * 6, [0, 3, 2000, 2001, 3023, 3024], n=4000))
    assert host(form.base)[5] == 2000
    assert host(form.far).tolist() == [0, 3, 3024]
    assert host(form.bytes).tolist() == [0, 1, 255]
    assert host(form.blocks).tolist() == [3 << 4]


def check_blocks(G, size):
    form = transform.block_edges(G, size)
    src, dst, starts = host(form.src), host(form.dst), host(form.starts)
    segments = -(-G.n // size)
    assert starts.size == segments**2 + 1
    for b in range(segments**2):
        part = slice(starts[b], starts[b + 1])
        assert (dst[part] // size == b // segments).all()
        assert (src[part] // size == b % segments).all()
        keys = src[part].astype(np.int64) * G.n + dst[part]
        assert (np.diff(keys) > 0).all()
    assert src.size == G.nedges == starts[-1]
    H = form.decode()
    assert H.kind == G.kind
    equal_matrices(H.A, G.A)


@given(EVERY, st.integers(1, 80))
def test_blocked_edges(G, size):
    check_blocks(G, size)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_blocks_of_edge_cases(kind):
    for G in edge_cases(kind).values():
        check_blocks(G, 2)


def test_one_segment_may_be_larger_than_the_type_of_a_vertex():
    G = gl.generate.path(3)
    form = transform.block_edges(G, 1 << 40)
    assert form.starts.tolist() == [0, G.nedges]
    assert form.decode().A.isequal(G.A)
