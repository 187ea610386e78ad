"""PageRank in bins of destinations: its lists, its ranks, and bit-identical repetition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.native.cpu import pagerank, propagation_blocking
from tests.every_graph import on_dtypes, on_edge_cases
from tests.graphs import hubs_and_isolated
from tests.native.cpu.test_pagerank import NAMES, call, check, check_single
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs

CHOOSE_BITS = pagerank._bits_of_a_bin


@pytest.fixture(autouse=True, scope="module")
def small_bins():
    """Give tiny graphs several blocks, and bins of 4 vertices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pagerank, "_bits_of_a_bin", lambda n: 2)
        patch.setattr(propagation_blocking, "BLOCKS", 3)
        yield


@on_edge_cases
def test_edge_cases(G):
    check(G)


@pytest.mark.thorough
@on_edge_cases
def test_edge_cases_in_single_precision(G):
    check_single(G)


@given(graphs(max_n=30, max_m=90), st.floats(0, 0.99), st.integers(1, 40))
def test_random_graphs(G, damping, max_iter):
    check(G, damping=damping, max_iter=max_iter)


@pytest.mark.thorough
@given(graphs(max_n=30, max_m=90), st.integers(1, 20))
def test_single_precision_of_random_graphs(G, max_iter):
    check_single(G, max_iter)


test_weights_of_every_dtype = on_dtypes(check, n=50, m=150)


@given(graphs(max_n=40, max_m=120), st.integers(0, 6))
def test_every_edge_is_in_its_bin_by_source(G, bits):
    check_bins(G, bits)


def test_a_bin_of_more_edges_than_16_bits_count(monkeypatch):
    monkeypatch.setattr(propagation_blocking, "BLOCKS", 1)
    n = 190  # n^2 > 2^15
    check_bins(gl.Graph.from_edges(np.repeat(np.arange(n), n), np.tile(np.arange(n), n), n=n), 8)


def check_bins(G, bits):
    edges, messages, ends, sources, _ = propagation_blocking.bin_edges(G.csr, bits)
    assert edges.size == messages.size == 1 + -(-G.n >> bits)  # no more bins than hold a vertex
    src = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    dst = G.csr.indices.astype(np.int64)
    order = np.argsort(dst >> bits, kind="stable")  # by bin, and there as in the graph
    np.testing.assert_array_equal(edges, np.searchsorted(dst[order] >> bits, range(edges.size)))
    last = ends >> propagation_blocking.LAST == 1
    low = (ends & (2**propagation_blocking.LAST - 1)).astype(np.int64)
    np.testing.assert_array_equal(low, dst[order] & ((1 << bits) - 1))
    of_edge = last.cumsum() - last
    np.testing.assert_array_equal(sources[of_edge], src[order])
    np.testing.assert_array_equal(messages, np.append(0, last.cumsum())[edges])
    pairs = set(zip(src.tolist(), (dst >> bits).tolist(), strict=True))
    assert sources.size == last.sum() == len(pairs)


@compiled
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_any_number_of_threads_gives_the_same_bits(name, dtype, monkeypatch):
    monkeypatch.setattr(pagerank, "_bits_of_a_bin", lambda n: 8)
    G = gl.generate.kronecker(12, seed=1)
    with threads(1):
        once, _ = call(getattr(gl.native, name), G, dtype=dtype, tol=1e-6)
    for n in COUNTS:
        with threads(n):
            for _ in range(RUNS // 5):
                again, _ = call(getattr(gl.native, name), G, dtype=dtype, tol=1e-6)
                assert (again.iterations, again.residual) == (once.iterations, once.residual)
                np.testing.assert_array_equal(again.rank.to_dense(), once.rank.to_dense())


@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_many_bins(kind, monkeypatch):
    """Hubs with half of all vertices, rows without edges, a last bin that is not full."""
    monkeypatch.setattr(pagerank, "_bits_of_a_bin", lambda n: 9)
    G = hubs_and_isolated(kind)
    check(G, tol=1e-6)
    check(G, tol=1e-13, max_iter=500)


@pytest.mark.parametrize(
    ("level2", "n", "bits"),
    [(1 << 20, 1 << 30, 15), (1 << 18, 1 << 30, 13), (1 << 20, 1 << 10, 4), (1 << 20, 1, 0)],
)
def test_bins_fit_the_cache_and_are_many(level2, n, bits, monkeypatch):
    monkeypatch.setattr(pagerank, "level2_bytes", lambda: level2)
    assert CHOOSE_BITS(n) == bits
