"""The forest that the GPU and the CPU find together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue
from graphla.native.cuda.papers import forest_with_cpu as module
from graphla.native.cuda.papers.forest_with_cpu import minimum_spanning_forest_with_cpu
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.native.cuda.test_minimum_spanning_forest import compare
from tests.strategies import examples, float_weights, graphs, signed_weights

SHARES = [None, 0, 0.1, 0.5, 0.9, 1]


def check(G, share):
    bound = None if share is None else int(share * 8 * G.A.nvals)
    H = G.to("cuda")
    for _ in range(2):
        compare(minimum_spanning_forest_with_cpu(H, max_bytes=bound), G)
    (runner,) = (x for x in H._derived.values() if isinstance(x, module.SharedForestRunner))
    return runner


@pytest.mark.parametrize("share", SHARES)
@on_edge_cases(kind="undirected")
def test_edge_cases(G, share):
    check(G, share)


@pytest.mark.parametrize("share", SHARES)
def test_shares(share):
    for G in (
        gl.generate.kronecker(scale=9, edgefactor=12, seed=3, weights=(1, 255)),
        gl.generate.ssca2(9, weights=(1, 255)),
        gl.generate.star(3000),
        gl.generate.path(3000),
    ):
        runner = check(G, share)
        if share not in (None, 0, 1):
            assert 0 < runner.first < G.n


@examples(30)
@given(
    graphs(kind="undirected", weights=signed_weights | float_weights, max_n=40, max_m=160),
    st.sampled_from(SHARES),
)
def test_random_graphs(G, share):
    check(G, share)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check(random_graph(60, 300, kind="undirected", dtype=dtype), 0.5)


@pytest.mark.parametrize("share", [0, 0.3, 0.7, 1])
def test_no_more_than_the_bound_is_on_the_device(share):
    G = random_graph(200, 3000, kind="undirected", dtype="int32")
    bound = int(share * 8 * G.A.nvals)
    runner = check(G, share)
    held = runner.device_rows.indices.nbytes + runner.device_rows.values.nbytes
    assert bound - 8 * 200 < held <= bound
    assert runner.device_rows.indices.size + runner.host_rows[1].size == 2 * (
        G.nedges - G.nself_edges
    )


@pytest.mark.parametrize("bound", [1 << 63, 10**30])
def test_a_bound_beyond_all_words_is_none(bound):
    G = random_graph(60, 300, kind="undirected", dtype="int32")
    H = G.to("cuda")
    compare(minimum_spanning_forest_with_cpu(H, max_bytes=bound), G)
    (runner,) = (x for x in H._derived.values() if isinstance(x, module.SharedForestRunner))
    assert (runner.first, runner.host_rows[1].size) == (0, 0)


@pytest.mark.parametrize(("together", "share"), [(0.8, 0.25), (1.2, 0)])
def test_the_share_follows_the_rates(together, share, monkeypatch):
    """A side that takes three times as long gets a quarter, or nothing if sharing is slower."""
    G = random_graph(400, 9000, kind="undirected", dtype="int32")
    seconds = {0: 1.0, G.n: 3.0}
    monkeypatch.setattr(
        module.SharedForestRunner, "time_step_1", lambda self: seconds.get(self.split, together)
    )
    runner = check(G, None)
    assert runner.host_rows[0][runner.split] / runner.host_rows[1].size == pytest.approx(
        share, abs=0.02
    )


def test_both_sides_take_part(monkeypatch):
    G = random_graph(400, 9000, kind="undirected", dtype="int32")
    walked = []
    plain = module.SharedForestRunner.scan_on_cpu
    monkeypatch.setattr(
        module.SharedForestRunner, "scan_on_cpu", lambda *a: walked.append(a[2]) or plain(*a)
    )
    runner = check(G, 0.5)
    assert walked.count(runner.first) >= 4


def test_refusals():
    G = random_graph(5, 9, kind="undirected")
    with pytest.raises(EngineMismatch):
        minimum_spanning_forest_with_cpu(G)
    for error, max_bytes in ((InvalidValue, -1), (DomainMismatch, "1"), (DomainMismatch, 1.5)):
        with pytest.raises(error, match="max_bytes"):
            minimum_spanning_forest_with_cpu(G.to("cuda"), max_bytes=max_bytes)
