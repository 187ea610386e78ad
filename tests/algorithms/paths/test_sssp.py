"""Delta-stepping against SciPy, its trees by their own invariants."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas.dtypes import FP32
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms.paths.sssp import _default_delta
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, NegativeWeight
from graphla.execution import push_pull
from tests.algorithms.paths.shortest_paths import check, check_tree, weighted
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, atlas, edges, random_graph
from tests.strategies import float_weights, graphs, small_weights


def check_both(G, source, **options):
    distance, parent = gl.sssp(G, source, **options)
    check(G, source, distance, parent)
    alone = gl.sssp_distances(G, source, **options)
    assert alone.isequal(distance, check_dtype=True)


@on_edge_cases
def test_edge_cases(G):
    for source in range(G.n):
        check_both(G, source)


@pytest.mark.thorough
@pytest.mark.parametrize("low", [0, 1])
def test_atlas(low):
    for i, (_, G) in enumerate(atlas()[1:]):
        check_both(weighted(G, low, 5, seed=i), i % G.n)


@pytest.mark.thorough
def test_atlas_from_every_vertex():
    for i, (_, G) in enumerate(atlas()):
        for source in range(G.n):
            check_both(weighted(G, 0, 9, seed=i), source)


@given(graphs(weights=small_weights), st.data())
def test_random_integers_and_zeros(G, data):
    check_both(G, data.draw(st.integers(0, G.n - 1)))


@given(graphs(weights=float_weights), st.sampled_from([None, 1e-30, 1.0, 1e300]))
def test_random_floats(G, delta):
    distance, parent = gl.sssp(G, 0, delta=delta)
    check(G, 0, distance, parent)
    assert distance.dtype == G.dtype
    N = G.astype(FP32)
    distance, parent = gl.sssp(N, 0, delta=delta)
    assert distance.dtype == "FP32"
    check_tree(N, 0, distance, parent)
    wide = gl.sssp_distances(G, 0).to_dense(fill_value=-1)
    np.testing.assert_allclose(distance.to_dense(fill_value=-1), wide, rtol=1e-5)


@given(
    graphs(weights=small_weights),
    st.one_of(st.integers(1, 60), st.floats(0, 1e308, exclude_min=True)),
)
def test_delta_never_changes_the_distances(G, delta):
    check_both(G, 0, delta=delta)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_dtypes(dtype, kind):
    G = random_graph(60, 200, dtype=dtype, kind=kind, high=100)
    distance, parent = gl.sssp(G, 3)
    check(G, 3, distance, parent)
    narrow = dtype in ("bool", "int8", "uint8")  # 62 edges of 99 are too long for them
    assert distance.dtype == ("INT64" if narrow else np.dtype(dtype))


@pytest.mark.parametrize("full", [1e-9, 1e9])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_push_and_pull_agree(monkeypatch, full, kind):
    monkeypatch.setitem(push_pull.COSTS, "cpu", push_pull.COSTS["cpu"]._replace(full_pull=full))
    for dtype in ("uint8", "int32", "float64"):
        G = random_graph(200, 500, dtype=dtype, kind=kind)
        check_both(G, 0)
        with gl.trace() as steps:
            gl.sssp_distances(G, 0)
        products = {s.direction for s in steps if s.kernel.startswith("min_plus")} - {""}
        assert ("pull" in products) == (full > 1)


def test_unreached_vertices_have_no_entry():
    r = gl.sssp(edges([0, 2], [1, 3], [4, 0], n=5), 0)
    assert r.distance.to_coo()[0].tolist() == [0, 1]
    assert r.parent.to_coo()[0].tolist() == [0, 1]


def test_cycles_of_weight_zero_give_a_tree():
    # 1, 2 and 3 are tight to each other all around
    G = edges([0, 1, 2, 3, 3, 2, 1], [1, 2, 3, 1, 2, 1, 3], [7, 0, 0, 0, 0, 0, 0], n=4)
    check_both(G, 0)
    assert gl.sssp(G, 0).distance.to_dense().tolist() == [0, 7, 7, 7]


def test_weights_that_vanish_in_rounding_give_a_tree():
    # 1e20 + 1 == 1e20, so 1 and 2 are tight to each other though no weight is zero
    G = edges([0, 1, 2], [1, 2, 1], [1e20, 1.0, 1.0], n=3)
    assert gl.sssp(G, 0).parent.to_dense().tolist() == [0, 0, 1]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_widest_weights_never_overflow(dtype):
    top = np.iinfo(dtype).max
    n = 40
    G = edges(range(n - 1), range(1, n), np.full(n - 1, top, dtype), n=n)
    check_both(G, 0)
    assert gl.sssp_distances(G, 0)[n - 1].new().value == (n - 1) * top


@pytest.mark.parametrize(("top", "dtype"), [(31, "INT8"), (32, "INT64")])
def test_the_narrowest_dtype_that_is_safe(top, dtype):
    # two vertices: (2 + 2) * 31 = 124 fits 127, (2 + 2) * 32 does not
    G = edges([0], [1], np.array([top], np.int8), n=2)
    distance = gl.sssp_distances(G, 0)
    assert distance.dtype == dtype
    assert distance.to_dense().tolist() == [0, top]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lengths_of_floats_that_rounding_may_double_are_refused(dtype):
    most = np.finfo(dtype).max
    for share, fits in ((0.09, True), (0.19, False)):  # of 2 (3 + 2) and of 3 + 2 weights
        G = edges([0, 1], [1, 2], np.full(2, share * float(most), dtype), n=3)
        if fits:
            assert np.isfinite(gl.sssp_distances(G, 0).to_dense()).all()
        else:
            with pytest.raises(InvalidValue, match="may be longer"):
                gl.sssp_distances(G, 0)


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_lengths_beyond_int64_are_refused(dtype):
    top = (2**63 - 2) // 5
    G = edges([0, 1], [1, 2], np.array([top, top], dtype), n=3)
    assert gl.sssp_distances(G, 0).to_dense().tolist() == [0, top, 2 * top]
    G = edges([0, 1], [1, 2], np.array([top, 2 * top], dtype), n=3)
    with pytest.raises(InvalidValue, match=r"n=3 vertices.*INT64"):
        gl.sssp(G, 0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("weight", [np.inf, 1e300])
def test_lengths_that_are_not_finite_are_refused(dtype, weight):
    with np.errstate(over="ignore"):
        weight = np.array([weight, 1], dtype)
    G = edges([0, 1], [1, 2], weight, n=3)
    if np.isinf(weight[0]):
        with pytest.raises(InvalidValue, match="FP"):
            gl.sssp(G, 0)
    else:
        check_both(G, 0)


def test_a_narrow_graph_keeps_its_wide_copy():
    G = random_graph(50, 200, dtype="int8")
    gl.sssp(G, 0)
    assert "astype(UINT32)" in G.cached
    assert G.dtype == "INT8"


def test_the_default_delta_copes_with_no_edges_and_with_zeros():
    check_both(edges([], [], np.array([], np.int32), n=3), 1)
    check_both(edges([0, 1], [1, 2], [0, 0], n=4), 0)


def test_bad_input():
    G = edges([0, 1], [1, 2], [1, -2], n=3)
    with pytest.raises(NegativeWeight, match=r"-2.*bellman_ford"):
        gl.sssp(G, 0)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.sssp(edges([0], [1], [np.nan], n=2), 0)
    with pytest.raises(InvalidIndex, match="n=3"):
        gl.sssp_distances(G, 3)
    with pytest.raises(DomainMismatch):
        gl.sssp(G, 0.5)


@pytest.mark.parametrize("delta", [0, -1, -0.5, np.nan, np.inf])
@pytest.mark.parametrize("weight", [None, [3]])
def test_a_delta_that_is_not_positive_is_refused(delta, weight):
    with pytest.raises(InvalidValue, match="delta"):
        gl.sssp(edges([0], [1], weight, n=2), 0, delta=delta)


@pytest.mark.parametrize("delta", ["wide", 1j])
def test_a_delta_that_is_no_number_is_refused(delta):
    with pytest.raises(DomainMismatch, match="delta"):
        gl.sssp_distances(edges([0], [1], [3], n=2), 0, delta=delta)


@pytest.mark.parametrize("levels", [1, 3, 8])
def test_steps_without_a_count_change_nothing(monkeypatch, levels):
    G = gl.generate.grid(20, 30, weights=(1, 50))
    want = gl.sssp_distances(G, 3)
    monkeypatch.setitem(
        push_pull.COSTS, "cpu", push_pull.COSTS["cpu"]._replace(levels_per_check=levels)
    )
    for delta in (None, 5, 1e6):
        assert gl.sssp_distances(G, 3, delta=delta).isequal(want)


def test_buckets_are_wide_where_no_vertex_has_many_edges():
    narrow = edges([0] * 20, range(1, 21), np.full(20, 3), n=21)
    assert _default_delta(narrow) == pytest.approx(16 * 3 * 21 / 20)
    path = edges(range(20), range(1, 21), np.full(20, 3), n=21)
    assert _default_delta(path) == pytest.approx(16 * 16 * 3 * 21 / 20)


@pytest.mark.thorough
@pytest.mark.parametrize("delta", [1000.0, 1e300])
def test_rounding_makes_a_path_longer_than_its_edges(delta):
    """The sum of n - 1 weights is more than n + 1 times the largest: each is rounded up."""
    n, w = 20_000, 1 + 2**-10 + 2**-23
    G = gl.Graph.from_edges(range(n - 1), range(1, n), np.full(n - 1, w, np.float32), n=n)
    d = gl.sssp_distances(G, 0, delta=delta).to_dense()
    assert d[-1] > (n + 1) * w
    assert np.array_equal(d[1:], np.add.accumulate(np.full(n - 1, w, np.float32)))
