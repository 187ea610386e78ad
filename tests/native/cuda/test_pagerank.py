"""Native PageRank of engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import sliced_ell
from graphla.errors import ConvergenceFailure, InvalidValue
from graphla.native.cuda.pagerank import sliced_in_neighbours
from graphla.native.cuda.renumbered.by_degree import degree_ordered
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import edge_cases, hubs_and_isolated, random_graph
from tests.native.cpu.test_pagerank import NAMES, call
from tests.native.cuda.simulated_devices import NativeBlocksInTurn, use_native_blocks
from tests.strategies import examples, float_weights, graphs

drawn = examples(30)
SMALL = {"FEW": 2, "PIECE": 5, "MAX_BLOCK_COLUMNS": 8, "TASKS": 5, "STRETCH": 4, "PART": 50}


@pytest.fixture(params=["whole", "small parts"])
def parts(request, monkeypatch):
    """Let small graphs have several blocks of columns, pieces of rows and works."""
    if request.param == "small parts":
        for name, value in SMALL.items():
            monkeypatch.setattr(sliced_ell, name, value)


def check(G, dtype="FP64", rtol=1e-12, **options):
    H = G.to("cuda")
    for name in NAMES:
        own, converged = call(getattr(gl.native, name), H, dtype=dtype, **options)
        twin, expected = call(getattr(gl, name), G, dtype=dtype, **options)
        if dtype == "FP64":
            assert (own.iterations, converged) == (twin.iterations, expected)
            assert own.residual == pytest.approx(twin.residual, rel=1e-6, abs=1e-14)
        assert (type(own.iterations), type(own.residual)) == (int, float)
        rank = to_graphblas(own.rank)
        assert (rank.dtype, rank.nvals) == (dtype, G.n)
        np.testing.assert_allclose(rank.to_dense(), twin.rank.to_dense(), rtol)


def check_single(G, max_iter=20):
    check(G, "FP32", 4e-6, tol=1e-30, max_iter=max_iter)


@on_edge_cases
def test_edge_cases(G, parts):
    check(G)
    check_single(G)


@on_atlas
def test_atlas(G, parts):
    check(G)


@drawn
@given(graphs(max_n=30, max_m=90), st.floats(0, 0.99), st.integers(1, 40))
def test_random_graphs(parts, G, damping, max_iter):
    check(G, damping=damping, max_iter=max_iter)


@drawn
@given(graphs(max_n=30, max_m=90), st.integers(1, 20))
def test_single_precision_of_random_graphs(parts, G, max_iter):
    check_single(G, max_iter)


@drawn
@given(graphs(max_n=15, max_m=40, weights=float_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=50, m=150)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_long_rows_and_many_iterations(parts, kind):
    """The longest row has half of all vertices; there are dangling ones."""
    G = hubs_and_isolated(kind)
    check(G, tol=1e-6)
    check(G, tol=1e-13, max_iter=500)
    check_single(G)


@pytest.fixture
def several_blocks(monkeypatch):
    """Let blocks take turns at every barrier of the grid."""
    use_native_blocks(monkeypatch, NativeBlocksInTurn)
    for name, value in {**SMALL, "MAX_BLOCK_COLUMNS": 24}.items():
        monkeypatch.setattr(sliced_ell, name, value)


def test_several_blocks(several_blocks):
    check(random_graph(90, 400), max_iter=4)


@pytest.mark.thorough
def test_more_graphs_by_several_blocks(several_blocks):
    check(gl.generate.kronecker(scale=7, edgefactor=6, seed=3), max_iter=7)
    check(edge_cases()["isolated ends"])
    check_single(random_graph(90, 400, kind="undirected"), 5)


@pytest.mark.parametrize("itemsize", [4, 8])
def test_slices_hold_each_neighbour_once(parts, itemsize):
    G = gl.generate.kronecker(scale=9, edgefactor=12, seed=3).to("cuda")
    rows, found = degree_ordered(G).into, sliced_in_neighbours(G, itemsize)
    ends, indices = (device.to_host(x).astype(np.int64) for x in rows[:2])
    expected = np.column_stack([np.repeat(np.arange(ends.size - 1), np.diff(ends)), indices])
    works = device.to_host(found.tasks)
    pairs = []
    for block, first, last in works:
        kind, none = (found.near, found.columns) if block >= 0 else (found.far, ends.size - 1)
        begins, owners, items = (device.to_host(x) for x in kind)
        for s in range(first, last):
            part = items[begins[s] : begins[s + 1]].astype(np.int64)
            fours = part.size // 128 * 128
            for lane in range(32):
                quads = part[:fours].reshape(-1, 32, 4)[:, lane].ravel()
                mine = np.concatenate([quads, part[fours + lane :: 32]])
                mine = mine[mine != none] + (max(block, 0) * found.columns)
                row = np.full(mine.size, owners[32 * s + lane])
                pairs.append(np.column_stack([row, mine]))
    pairs = np.concatenate(pairs)
    assert (pairs[np.lexsort(pairs.T[::-1])] == expected).all()


@pytest.mark.parametrize("name", NAMES)
def test_not_converged_keeps_the_work(name):
    G = random_graph(50, 200).to("cuda")
    with pytest.raises(ConvergenceFailure, match=r"max_iter=3 .* tol=1e-12") as failure:
        getattr(gl.native, name)(G, tol=1e-12, max_iter=3)
    assert failure.value.iterations == 3
    assert failure.value.residual > 1e-12
    assert failure.value.result.nvals == G.n


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [{"damping": 1.0}, {"tol": 0}, {"dtype": "INT64"}], ids=str)
def test_values_outside_are_refused(name, bad):
    with pytest.raises(InvalidValue, match=next(iter(bad))):
        getattr(gl.native, name)(random_graph(3, 3).to("cuda"), **bad)


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("value", ["f32", "f64"])
def test_compiles(offset, value):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = f"typedef {offset} Offset; typedef u16 Item;\n{sliced_ell.definitions(28672)}"
    nvrtc.compile(kernel_text.source("sliced_ell_build", text))
    nvrtc.compile(kernel_text.source("pagerank", f"typedef {value} T;\n{text}", KERNELS))
