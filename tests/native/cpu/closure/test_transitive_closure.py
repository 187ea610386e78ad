"""The native closures against the algebra, and their races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import memory
from graphla.errors import OutOfMemory
from tests.algorithms.closure.test_transitive_closure import check_bad_budget
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, oriented_atlas, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs

FORMS = [gl.native.transitive_closure, gl.native.transitive_closure_warshall]


def check(G):
    expected = gl.transitive_closure(G)
    for closure in FORMS:
        R = closure(G)
        assert R.isequal(expected, check_dtype=True)
        assert R.ss.is_iso or not R.nvals
        gl.verify.transitive_closure(G, R)


test_edge_cases = on_edge_cases(check)


@pytest.mark.thorough
def test_atlas_oriented():
    for G in oriented_atlas():
        check(G)


@given(graphs(max_n=20, max_m=40))
def test_random_graphs(G):
    check(G)


@given(st.integers(60, 135), st.sampled_from([0.4, 1.0, 1.5, 3.0]), st.integers(0, 99))
def test_rows_of_one_two_and_three_words(n, degree, seed):
    check(random_graph(n, int(n * degree), seed=seed))


@compiled
@pytest.mark.parametrize("degree", [0.5, 1, 1.5, 2, 8, 100])
def test_uniform_digraphs(degree):
    check(random_graph(700, int(700 * degree), seed=7))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("degree", [1, 3, 30, 300])
def test_acyclic_whatever_the_numbering(degree):
    G = gl.generate.random_dag(900, degree, seed=2)
    check(G)
    check(gl.Graph(G.A.T.new()))
    shuffle = np.random.default_rng(5).permutation(900)
    i, j, _ = G.A.to_coo()
    check(edges(shuffle[i], shuffle[j], n=900))


@compiled
def test_many_unrelated_pivots_in_a_block():
    """Three layers, the middle one of which makes Warshall's kernel use its tables."""
    from graphla.native.cpu.closure.transitive_closure_warshall import _estimate_unions, set_edges

    rng = np.random.default_rng(4)
    pairs = [(rng.integers(0, 500, 30000), rng.integers(500, 640, 30000))]
    pairs += [(rng.integers(500, 640, 900), rng.integers(640, 1000, 900))]
    G = edges(*np.concatenate(pairs, axis=1), n=1000)
    bits = np.zeros((1000, 16), np.uint64)
    set_edges(G.csr.indptr, G.csr.indices, bits)
    assert _estimate_unions(bits, 8, 512) > 8 * 256 + 8 * 1000
    check(G)


@pytest.mark.thorough
def test_one_cycle_is_full():
    for n in (63, 64, 65, 130):
        G = edges(range(n), [*range(1, n), 0], n=n)
        check(G)
        for closure in FORMS:
            assert closure(G).ss.format == "fullr"


def test_components_in_a_row():
    """Cycles of 1, 2, ... vertices, each leading to the next; loops on some of the single ones."""
    src, dst, first = [], [], 0
    for size in range(1, 13):
        src += [*range(first, first + size), first]
        dst += [*range(first + 1, first + size), first, first + size]
        first += size
    src, dst = np.array(src[1:]), np.array(dst[1:])
    check(edges(src, dst, n=first + 1))
    check(edges(dst, src, n=first + 1))


def test_more_components_than_16_bits_count():
    n = 33_000
    check(edges([0, n - 2, n - 1], [n - 1, n - 3, n - 2], n=n))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored_and_zeros_are_edges(dtype):
    check(random_graph(40, 60, dtype=dtype))
    check(edges([0, 1], [1, 2], np.zeros(2, dtype), n=3))


@compiled
def test_a_sparse_result_is_stored_sparse_and_a_dense_one_as_a_bitmap():
    for closure in FORMS:
        assert closure(random_graph(2100, 1900, seed=4)).ss.format == "csr"
        assert closure(random_graph(700, 1400)).ss.format == "bitmapr"
    check(random_graph(2100, 1900, seed=4))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("degree", [0.9, 2, 8])
def test_races(n, degree):
    G = random_graph(1000, int(1000 * degree), seed=3)
    expected = gl.transitive_closure(G)
    with threads(n):
        for _ in range(RUNS):
            assert all(closure(G).isequal(expected) for closure in FORMS)


@pytest.mark.parametrize("closure", FORMS)
def test_the_budget_is_that_of_the_result(closure):
    G = edges(range(99), range(1, 100), n=100)  # 4950 pairs: 10 000 bytes as a bitmap
    assert closure(G, max_bytes=10_000).nvals == 4950
    with pytest.raises(OutOfMemory, match=r"100 vertices, 4,950 entries, takes about 10,000 bytes"):
        closure(G, max_bytes=9_999)
    sparse = edges([0, 5], [1, 6], n=100)
    assert closure(sparse, max_bytes=16).nvals == 2
    with pytest.raises(OutOfMemory, match="2 entries"):
        closure(sparse, max_bytes=15)


@pytest.mark.parametrize("closure", FORMS)
def test_bits_that_do_not_fit_are_refused_first(closure, monkeypatch):
    monkeypatch.setattr(memory, "available", lambda *_: 2**20)
    G = edges([0, 1], [1, 2], n=3000)  # 3000 rows of 47 words: 1.08 MB
    with pytest.raises(OutOfMemory, match=r"1,128,000 bytes; 524,288"):
        closure(G)
    assert closure(G, max_bytes=2**21).nvals == 3


@pytest.mark.parametrize("closure", FORMS)
def test_bad_budget(closure):
    check_bad_budget(closure)


def test_the_graph_is_left_alone():
    G = random_graph(90, 120, dtype="int32")
    before = G.A.dup()
    for closure in FORMS:
        closure(G)
    assert G.A.isequal(before)
