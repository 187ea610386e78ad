"""The tests of the checks, repeated on graphs of engine "cuda" with the same outcomes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import graphla as gl
from graphla import verify
from graphla.core import engines
from graphla.cuda.runtime.device import device
from graphla.errors import EngineMismatch, VerificationError
from graphla.verify import assertions, edge_passes
from tests.cuda.strict_simulator import Array, Crossing, Lacking, StrictSimulator
from tests.graphs import random_graph
from tests.verify import (
    test_betweenness_centrality,
    test_bfs,
    test_connected_components,
    test_minimum_spanning_forest,
    test_pagerank,
    test_sssp,
    test_transitive_closure,
    test_triangle_count,
    test_verify,
)

MODULES = (
    *(test_verify, test_bfs, test_sssp, test_minimum_spanning_forest, test_connected_components),
    *(test_transitive_closure, test_pagerank, test_triangle_count, test_betweenness_centrality),
)
HERE = (
    "bfs", "sssp", "minimum_spanning_forest", "connected_components", "pagerank", "triangle_count",
)  # fmt: skip
OTHERS = ("closure", "betweenness", "blocks_of_any_size", "atlas")

pytestmark = pytest.mark.usefixtures("small_blocks")

for module in MODULES:
    for name, test in vars(module).items():
        if name.startswith("test_") and not any(other in name for other in OTHERS):
            globals()[name] = test


class There:
    """The checks, each on the CPU and the device, wherever its arguments lie."""

    def __getattr__(self, name):
        check = getattr(verify, name)
        if name not in HERE:
            return check

        def both(G, *arguments, **options):
            said = [_said(check, H, arguments, options) for H in (G, G.to("cuda"))]
            assert type(said[0]) is type(said[1])
            texts = [str(error) for error in said]
            if name == "pagerank":  # sums are rounded in another order
                texts = [re.sub(r"[\d.e-]+", "#", text) for text in texts]
            # A device takes an FP32 number below the least normal one as 0 when it casts it.
            texts = [re.sub(rf"\b{float(np.float32(1.4e-45))}\b", "0.0", text) for text in texts]
            assert texts[0] == texts[1]
            if said[1]:
                raise said[1]

        return both


def _said(check, G, arguments, options):
    try:
        check(G, *arguments, **options)
    except gl.errors.GraphlaError as error:
        return error
    return None


@pytest.fixture(autouse=True)
def there(cuda_device, monkeypatch):
    """Let arrays be of the device, and a branch or a float read a word of it."""
    for module in MODULES:
        monkeypatch.setattr(module, "verify", There())
    if cuda_device.active.__class__.__name__ == "Simulator":
        monkeypatch.setattr(device, "active", StrictSimulator())
        monkeypatch.setattr(Array, "__bool__", lambda x: bool(device.read_scalar(x)))
        monkeypatch.setattr(Array, "__float__", lambda x: float(device.read_scalar(x)))
        monkeypatch.setattr(Array, "get", lambda x: device.to_host(x), raising=False)


CALLS = {
    "bfs": (gl.bfs, (0,), tuple),
    "sssp": (gl.sssp, (0,), tuple),
    "minimum_spanning_forest": (gl.minimum_spanning_forest, (), lambda forest: (forest,)),
    "connected_components": (gl.connected_components, (), lambda label: (label,)),
    "pagerank": (gl.pagerank, (), lambda result: (result.rank,)),
    "triangle_count": (gl.triangle_count, (), lambda count: (count,)),
}


@pytest.mark.parametrize("name", HERE)
def test_results_of_either_engine_on_either_engine(name):
    G = random_graph(200, 900, kind="undirected", dtype="int32", seed=3)
    algorithm, start, results = CALLS[name]
    for one in (G, G.to("cuda")):
        found = results(algorithm(one, *start))
        for other in (G, G.to("cuda")):
            getattr(verify, name)(other, *start, *found)


@pytest.mark.parametrize("name", HERE)
def test_nothing_but_words_comes_to_the_host(name, monkeypatch):
    G = random_graph(200, 900, kind="undirected", dtype="int32", seed=3).to("cuda")
    algorithm, start, results = CALLS[name]
    found = results(algorithm(G, *start))
    for module in (engines, assertions, edge_passes):
        monkeypatch.setattr(module, "host_array", None)
    monkeypatch.setattr(type(device.active), "to_host", None)
    if name == "triangle_count":  # by a sample
        monkeypatch.setattr(verify, "PRODUCTS", 0)
    getattr(verify, name)(G, *start, *found)
    if name == "sssp":
        verify.sssp(G, 0, found[0])


def test_one_value_stored_for_all_weights():
    G = random_graph(60, 200, kind="undirected").astype("INT32").to("cuda")
    assert G.A._csr().iso
    result = gl.sssp(G, 0)
    verify.sssp(G, 0, *result)
    verify.minimum_spanning_forest(G, gl.minimum_spanning_forest(G))
    result.distance[0] = 1
    with pytest.raises(VerificationError, match="source 0 is not 0"):
        verify.sssp(G, 0, result.distance)


def test_rows_in_blocks(monkeypatch):
    for G in (random_graph(50, 300, dtype="int64"), random_graph(90, 20), gl.generate.star(9)):
        for size in (1, 77, 1 << 20):
            monkeypatch.setattr(edge_passes, "BLOCK", dict.fromkeys(edge_passes.BLOCK, size))
            for here, there in zip(
                edge_passes.edge_blocks(G), edge_passes.edge_blocks(G.to("cuda")), strict=True
            ):
                for x, y in zip(here, there, strict=True):
                    assert (x.dtype, device.is_array(y)) == (y.dtype, True)
                    np.testing.assert_array_equal(x, device.to_host(y))


def test_the_checks_by_scipy_are_for_the_other_engine():
    G = random_graph(20, 60, kind="undirected").to("cuda")
    for check, *arguments in (
        (verify.strongly_connected_components, gl.connected_components(G)),
        (verify.transitive_closure, G.A),
        (verify.betweenness_centrality, [0], gl.betweenness_centrality(G, [0])),
    ):
        with pytest.raises(EngineMismatch, match=r"G\.to\('cpu'\)"):
            check(G, *arguments)


def test_strict_arrays_lack_what_cupy_lacks():
    if not isinstance(device.active, StrictSimulator):
        pytest.skip("a device has CuPy itself")
    xp = device.xp
    x = xp.arange(3)
    for lacking in (
        lambda: xp.minimum.at(x, x, x),
        lambda: xp.repeat(x, x),
        lambda: xp.lexsort((x, x)),
        lambda: x.min(initial=0),
        lambda: xp.longdouble,
    ):
        with pytest.raises(Lacking):
            lacking()
    with pytest.raises(Crossing):
        x + np.arange(3)
