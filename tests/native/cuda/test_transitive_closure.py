"""Native closure of engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.errors import DomainMismatch, InvalidValue, OutOfMemory
from graphla.native.cuda import transitive_closure as condensed
from graphla.native.cuda import transitive_closure_warshall as module
from graphla.native.cuda.runtime import KERNELS
from tests.cuda import nvrtc
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, oriented_atlas, random_graph
from tests.native.cuda.simulated_devices import MACHINES, use_machine
from tests.strategies import examples, graphs

drawn = examples(30)


@pytest.fixture(params=["largest", pytest.param("smallest", marks=pytest.mark.thorough), "few"])
def form(request, monkeypatch):
    """Take blocks of 512, of 128 or of 64 pivots."""
    if request.param != "few":
        monkeypatch.setattr(module, "FEW", 0)
    if request.param == "smallest":
        monkeypatch.setattr(module, "PIVOT_BLOCKS", module.PIVOT_BLOCKS[-1:])


@pytest.fixture(params=MACHINES)
def machine(request, monkeypatch):
    """Run in one thread, or in blocks that wait for each other."""
    use_machine(request.param, monkeypatch)


ALL, NONE = 1 << 30, 0  # arcs of a vertex up to which what a component leaves is sparse
NAMES = [gl.native.transitive_closure, gl.native.transitive_closure_warshall]
CLOSURES = [(NAMES[0], ALL), (NAMES[0], NONE), (NAMES[1], NONE)]


def check(G):
    expected = gl.transitive_closure(G)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(condensed, "SMALL", 0)
        for closure, sparse in CLOSURES:
            patch.setattr(condensed, "SPARSE", sparse)
            found = closure(G.to("cuda"))
            assert (found.dtype, found.shape) == ("BOOL", (G.n, G.n))
            assert isinstance(found._store, BitMatrix)
            assert to_graphblas(found).isequal(expected, check_dtype=True)


@on_edge_cases
def test_edge_cases(G, machine, form):
    check(G)


@pytest.mark.thorough
def test_atlas_oriented():
    for G in oriented_atlas():
        check(G)


@drawn
@given(graphs(max_n=20, max_m=40))
def test_random_graphs(G):
    check(G)


@pytest.mark.thorough
@drawn
@given(st.integers(100, 300), st.sampled_from([0.4, 1.0, 1.5, 3.0]), st.integers(0, 99))
def test_some_blocks_of_pivots(form, n, degree, seed):
    check(random_graph(n, int(n * degree), seed=seed))


@pytest.mark.thorough
@pytest.mark.parametrize("many", [16, 1])
@pytest.mark.parametrize("n", [128, 129, 600])
def test_rows_of_a_thread(machine, form, monkeypatch, n, many):
    monkeypatch.setattr(module, "ROWS_PER_THREAD", (many,))
    check(random_graph(n, int(1.2 * n), seed=7))


@pytest.mark.thorough
@pytest.mark.parametrize("degree", [1, 3, 30])
def test_acyclic_whatever_the_numbering(machine, form, degree):
    G = gl.generate.random_dag(500, degree, seed=2)
    check(G)
    shuffle = np.random.default_rng(5).permutation(500)
    i, j, _ = G.A.to_coo()
    check(edges(shuffle[i], shuffle[j], n=500))


@pytest.mark.thorough
def test_one_cycle_is_full(machine, form):
    for n in (31, 32, 33, 130, 520):
        check(edges(range(n), [*range(1, n), 0], n=n))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored_and_zeros_are_edges(dtype):
    check(random_graph(40, 60, dtype=dtype))
    check(edges([0, 1], [1, 2], np.zeros(2, dtype), n=3))


@pytest.mark.parametrize("part", [1e9, 1], ids=["any", "none"])
def test_components_of_any_size(machine, monkeypatch, part):
    monkeypatch.setattr(condensed, "PART", part)
    check(random_graph(400, 520, seed=3))
    check(random_graph(300, 200, seed=3, kind="undirected"))


def test_searches_of_many_steps_are_given_up(machine, monkeypatch):
    G = edges(range(40), [*range(1, 40), 0], n=40)
    for deepest in (38, 39, 40, 41):
        monkeypatch.setattr(condensed, "DEEPEST", deepest)
        H = G.to("cuda")
        assert (condensed._find_component(H) is None) == (deepest < 40)
        check(G)


def test_the_graph_is_left_alone():
    G = random_graph(90, 120).to("cuda")
    before = G.A.dup()
    assert gl.native.transitive_closure(G).isequal(gl.native.transitive_closure(G))
    assert G.A.isequal(before)


@pytest.mark.parametrize("closure", NAMES)
def test_bits_that_do_not_fit_are_refused(closure, monkeypatch):
    """Few rows are closed as many as there are columns in quads; others beside a relation."""
    G = edges([0, 1], [1, 2], n=100).to("cuda")
    for few, needed in ((8192, 128 * 16), (0, 100 * 16 + 512**2 // 8)):
        monkeypatch.setattr(module, "FEW", few)
        assert closure(G, max_bytes=needed).nvals == 3
        message = rf"100 vertices, in bits, takes about {needed:,} bytes; {needed - 1:,}"
        with pytest.raises(OutOfMemory, match=message):
            closure(G, max_bytes=needed - 1)


def test_the_whole_graph_is_closed_if_memory_is_short(monkeypatch):
    monkeypatch.setattr(condensed, "SMALL", 0)
    G = random_graph(400, 700, seed=3)
    H, expected, calls = G.to("cuda"), gl.transitive_closure(G), []
    needed = condensed._needed(condensed._find_component(H))
    close_around = condensed._close_around
    monkeypatch.setattr(condensed, "_close_around", lambda *x: calls.append(1) or close_around(*x))
    for max_bytes, times in ((needed, 1), (needed - 1, 1), (None, 2)):
        R = gl.native.transitive_closure(H, max_bytes=max_bytes)
        assert to_graphblas(R).isequal(expected)
        assert len(calls) == times


@pytest.mark.parametrize("closure", NAMES)
def test_bad_budget(closure):
    G = random_graph(5, 9).to("cuda")
    with pytest.raises(InvalidValue, match="max_bytes=-1"):
        closure(G, max_bytes=-1)
    with pytest.raises(DomainMismatch, match="max_bytes must be an integer, not str"):
        closure(G, max_bytes="all")


@pytest.mark.thorough
@pytest.mark.parametrize("form", module.PIVOT_BLOCKS)
def test_compiles(form):
    for many in module.ROWS_PER_THREAD:
        text = module.definitions(form, many)
        nvrtc.compile(kernel_text.source("transitive_closure_warshall", text, KERNELS))


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90"])
def test_the_closure_by_64_pivots_compiles(bits, architecture):
    text = module.definitions_64(bits)
    nvrtc.compile(kernel_text.source("close_pivot_block", text, KERNELS), architecture)


@pytest.mark.parametrize("offset", ["i32", "i64"])
def test_the_component_compiles(offset):
    text = f"typedef {offset} Offset;\ntypedef {offset} Index;\n"
    nvrtc.compile(kernel_text.source("hub_component", text, KERNELS))
