"""Transforms on engine "cuda": the checks of the CPU's, and the very same arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import cuda, transform
from graphla.cuda.runtime.device import device
from graphla.errors import EngineMismatch, OutOfDeviceMemory
from tests import strategies
from tests.cuda import nvrtc
from tests.cuda.simulator import Recorder, Simulator
from tests.cuda.warp_simulator import WarpSimulator
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.strategies import examples
from tests.transform.decoding import check_form, spread
from tests.transform.orders_and_forms import FORMS, ORDERS, equal_matrices, host
from tests.transform.test_numbering import check_degrees, check_order, check_sweeps
from tests.transform.test_permutation import check_results
from tests.transform.test_rows import check_rows
from tests.transform.test_segments import check_blocks
from tests.transform.test_transform import check_refusals
from tests.transform.test_weights import check_weights

EXAMPLES = examples(20)
GRAPHS = strategies.graphs(weights=strategies.signed_weights, max_n=70, max_m=150)


def same(x, y):
    """Whether two forms are equal, the one on the device."""
    for a, b in zip(x, y, strict=True):
        if hasattr(b, "dtype") and hasattr(b, "tolist"):
            a = host(a)
            assert (a.shape, a.tolist()) == (b.shape, b.tolist())
        elif b != "cpu":
            assert a == b


@on_edge_cases
def test_edge_cases(G):
    H = G.to("cuda")
    for name in ORDERS:
        check_order(H, name)
    for name, form in FORMS.items():
        check_form(H, name)
        same(form(H), form(G))
    check_rows(H)
    check_blocks(H, 2)
    check_weights(H)
    check_sweeps(H)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDERS)
@given(G=GRAPHS)
@EXAMPLES
def test_orders(name, G):
    H, _ = check_order(G.to("cuda"), name)
    equal_matrices(H.A, ORDERS[name](G).graph.A)


@given(strategies.graphs(max_n=40, max_m=60), st.booleans())
@EXAMPLES
def test_sweeps(G, cut):
    check_sweeps(G.to("cuda"))
    check_degrees(G.to("cuda"), cut)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDERS)
@given(G=strategies.graphs(weights=strategies.small_weights))
@examples(4)
def test_results(name, G):
    check_results(G.to("cuda"), name)


@pytest.mark.parametrize("name", FORMS)
@given(G=strategies.graphs(max_n=150, max_m=200))
@EXAMPLES
def test_forms(name, G):
    check_form(G.to("cuda"), name)
    same(FORMS[name](G.to("cuda")), FORMS[name](G))


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_wide_graphs(name):
    for n, seed in ((1025, 2), (70000, 3)):
        G = spread(n, 3 * n, seed)
        check_form(G.to("cuda"), name)
        same(FORMS[name](G.to("cuda")), FORMS[name](G))


@given(GRAPHS, st.integers(1, 80))
@EXAMPLES
def test_blocked_edges(G, size):
    check_blocks(G.to("cuda"), size)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    """Weights of few bits are packed into the word of an entry, others are stored after it."""
    for high in (5, 1 << 62):
        G = random_graph(30, 120, dtype=dtype, high=high, kind="undirected").to("cuda")
        for name in ORDERS:
            check_order(G, name)
        check_rows(G)
        check_weights(G)


def test_a_negative_zero_keeps_its_sign():
    G = gl.Graph.from_edges([0, 0, 1], [1, 2, 0], [0.0, -0.0, -0.0])
    check_rows(G.to("cuda"))
    H = gl.transform.by_degree(G.to("cuda")).graph
    signs = np.signbit(host(H.A.to_coo()[2]))
    assert signs.tolist() == np.signbit(gl.transform.by_degree(G).graph.A.to_coo()[2]).tolist()


@given(strategies.graphs(weights=st.floats(allow_nan=False)))
@EXAMPLES
def test_float_weights(G):
    check_weights(G.to("cuda"))
    check_order(G.to("cuda"), "by_degree")
    check_rows(G.to("cuda"))


def test_equal_weights_stay_one_value():
    G = gl.Graph.from_edges([0, 1, 3], [1, 2, 1]).to("cuda")
    H = transform.by_degree(G).graph
    assert H.A._csr().iso
    assert H.dtype == "BOOL"


def test_refused():
    check_refusals("cuda")


def test_mixed_engines_are_refused():
    G = gl.generate.star(5)
    H, permutation = transform.by_degree(G)
    _, other = transform.by_degree(G.to("cuda"))
    with pytest.raises(EngineMismatch):
        other.undo(gl.bfs(H, 0).level)
    with pytest.raises(EngineMismatch):
        permutation.undo(gl.bfs(H.to("cuda"), 0).level)
    with pytest.raises(EngineMismatch, match=r"on engine 'cpu'.*G\.to\('cpu'\)"):
        gl.native.bfs_compressed(transform.compress(G.to("cuda")), 0)


def test_out_of_memory(monkeypatch):
    """A device's pool may already hold enough memory: see test_memory.py."""
    monkeypatch.setattr(device, "active", Simulator())
    G = random_graph(500, 5000, dtype="int32").to("cuda").cache("out_degree", "in_degree")
    form, (H, permutation) = transform.compress(G), transform.by_degree(G)
    r = gl.bfs(H, 0)
    cuda.set_memory_limit(1000)
    try:
        for function in (
            lambda: transform.by_degree(G),
            lambda: transform.rows_by_degree(G),
            lambda: transform.compress(G),
            lambda: form.decode(),
            lambda: permutation.restore(H),
            lambda: permutation.undo(r).level,
        ):
            with pytest.raises(OutOfDeviceMemory, match="bytes of device memory"):
                function()
    finally:
        cuda.set_memory_limit(None)


def run_all(G):
    transform.by_degree(G)
    transform.rows_by_weight(G)
    transform.compress(G).decode()
    transform.byte_ids(G).decode()


KERNELS = tuple(
    f"void {name}("
    for name in ("pack_sort_keys", "largest_columns", "densest_windows", "csr_row_indices")
)


@pytest.mark.thorough
def test_compiles(monkeypatch):
    monkeypatch.setattr(device, "active", Recorder())
    monkeypatch.setattr("graphla.cuda.runtime.kernel._kernels", {})
    run_all(random_graph(30, 90, dtype="int32").to("cuda"))
    for kernel in KERNELS:
        sources = [source for source in device.active.sources if kernel in source]
        assert sources, kernel
        for source in sources:
            nvrtc.compile(source)


@pytest.mark.thorough
def test_many_lanes(monkeypatch):
    """Blocks of warps of 32 lanes give the same result."""
    G = spread(3000, 20000, 4)
    G = gl.Graph.from_edges(*G.A.to_coo()[:2], np.arange(G.nedges, dtype=np.int32) % 99, n=G.n)
    forms = {name: form(G) for name, form in FORMS.items()}
    order, rows = transform.by_degree(G), transform.rows_by_weight(G)
    monkeypatch.setattr(device, "active", Simulator())
    H = G.to("cuda").cache("out_degree", "in_degree", "has_nan")
    monkeypatch.setattr(device, "active", WarpSimulator())
    for name, form in forms.items():
        same(FORMS[name](H), form)
        same(FORMS[name](H).decode(), form.decode())
    equal_matrices(transform.by_degree(H).graph.A, order.graph.A)
    same(transform.rows_by_weight(H), rows)
