"""A run: implementations, checks, errors, the command."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.comparison.implementations import Implementation, register, unregister
from graphla.core import memory
from graphla.core.results import BFS
from graphla.errors import (
    DomainMismatch,
    EngineUnavailable,
    InvalidValue,
    NoCounter,
    OutOfMemory,
    VerificationError,
)
from graphla.graph500 import energy, protocol
from tests.clock import Clock


@pytest.mark.thorough
@pytest.mark.parametrize("kernel", ["algebraic", "native", "graphla", "scipy"])
@pytest.mark.parametrize("scale", [4, 7, 10])
def test_run(kernel, scale):
    result = gl.graph500.run(scale, kernel=kernel, algorithms=("bfs", "sssp"), searches=5, seed=2)
    assert len(set(result.roots)) == 5
    some = gl.graph500.kronecker(scale, seed=2, weighted=True)
    assert list(result.roots) == some.search_keys(5, seed=2)
    component = gl.connected_components(some.graph()).to_dense()
    for root, nedge in zip(result.roots, result.nedge, strict=True):
        assert nedge == np.count_nonzero(component[some.src] == component[root])
    for k in result.kernels:
        assert len(k.seconds) == len(k.validate_s) == 5
        assert min(k.seconds) > 0
        assert k.energy is None
        assert k.no_energy is None
    assert result.construction_s > 0
    assert result.about["nvals"] == some.graph().A.nvals


def test_fewer_keys_than_requested():
    result = gl.graph500.run(2)
    assert len(result.roots) <= 4
    assert f"NBFS:                           {len(result.roots)}\n" in str(result)


@pytest.mark.thorough
def test_weights_only_for_sssp(monkeypatch):
    seen = []
    kronecker = protocol.kronecker

    def watched(scale, **options):
        seen.append(options["weighted"])
        return kronecker(scale, **options)

    monkeypatch.setattr(protocol, "kronecker", watched)
    for algorithms in ("bfs", "sssp", ["sssp", "bfs"]):
        gl.graph500.run(4, algorithms=algorithms, searches=1)
    assert seen == [False, False, True, True, True, True]  # a small list, then the list


def test_a_parent_that_overflows_the_vertex_type_is_wrong():
    def wrong_parents(G, root):
        level, parent = gl.bfs(G, root)
        return BFS(level, parent.apply("plus", right=1 << 32).new())

    wrong = register(Implementation("wrong", "bfs", "levels, parents", wrong_parents))
    try:
        with pytest.raises(VerificationError, match=r"^wrong: .*check 1: .* not a vertex"):
            gl.graph500.run(8, kernel="wrong")
    finally:
        unregister(wrong)


def test_a_wrong_result_raises():
    def wrong_parents(G, root):
        level, parent = gl.bfs(G, root)
        other = int(parent.to_coo()[0][-1])
        parent[other if other != root else int(parent.to_coo()[0][0])] = G.n - 1
        return BFS(level, parent)

    wrong = register(Implementation("wrong", "bfs", "levels, parents", wrong_parents))
    try:
        with pytest.raises(VerificationError, match=r"^wrong: bfs from vertex \d+: check \d: "):
            gl.graph500.run(8, kernel="wrong")
    finally:
        unregister(wrong)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"scale": 0}, InvalidValue, "scale=0 must be in 1..31"),
        ({"scale": 32}, InvalidValue, "scale=32"),
        ({"max_wait": -1}, InvalidValue, "max_wait=-1"),
        ({"algorithms": 3}, DomainMismatch, "algorithms must be names"),
        ({"scale": 2.5}, DomainMismatch, "scale must be an integer"),
        ({"edgefactor": 0}, InvalidValue, "edgefactor=0"),
        ({"searches": 0}, InvalidValue, "searches=0"),
        ({"seed": -1}, InvalidValue, "seed=-1"),
        ({"energy_s": 0}, InvalidValue, "energy_s=0"),
        ({"engine": "tpu"}, EngineUnavailable, "'tpu' is not one of: cpu, cuda"),
        ({"kernel": "fast"}, InvalidValue, "'fast' matches 0 .* bfs on engine 'cpu', .*: graphla "),
        ({"algorithms": "pagerank"}, InvalidValue, "pagerank"),
        ({"algorithms": []}, InvalidValue, "algorithms is empty"),
    ],
)
def test_refusals_before_any_work(monkeypatch, options, error, message):
    monkeypatch.setattr(protocol, "kronecker", None)
    with pytest.raises(error, match=message):
        gl.graph500.run(**{"scale": 4, **options})


def test_an_ambiguous_family_is_refused():
    two = [
        register(Implementation(name, "bfs", "levels, parents", gl.bfs, family="associative"))
        for name in ("one", "two")
    ]
    try:
        with pytest.raises(InvalidValue, match=r"matches 2 .*one .*two"):
            gl.graph500.run(4, kernel="associative")
    finally:
        for i in two:
            unregister(i)


def test_a_graph_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda engine="cpu": 1 << 20)
    with pytest.raises(OutOfMemory, match="the graph of 1,048,576 edges"):
        gl.graph500.run(16)


def constant_power(monkeypatch, watts):
    """Replace the counter by that of a machine of constant power."""
    clock, measure = Clock(), energy.measure_energy
    meter = energy.Counter("fake", 1e-3, (1 << 64,), lambda: (round(clock.now * watts * 1e3),))
    monkeypatch.setattr(energy, "open_counter", lambda engine: meter)
    monkeypatch.setattr(energy, "time", clock)

    def slowly(meter, work, seconds):
        return measure(meter, lambda: (work(), clock.sleep(0.05)), seconds)

    monkeypatch.setattr(energy, "measure_energy", slowly)


def test_energy_of_a_run(monkeypatch):
    constant_power(monkeypatch, 200)
    result = gl.graph500.run(5, searches=3, energy_s=0.2)
    measured = result.kernels[0].energy
    assert measured.seconds >= 0.2
    assert measured.repeats in (4, 5)
    assert measured.watts == pytest.approx(200)
    assert measured.idle_watts == pytest.approx(200)
    per_watt = result.teps("bfs").harmonic_mean / measured.watts
    assert result.teps_per_watt("bfs") == pytest.approx(per_watt)
    block = result.block()
    assert block["bfs  TEPS_per_watt"] == pytest.approx(per_watt)
    assert block["bfs  energy_searches"] == 3 * measured.repeats
    assert result.rows()[0]["graph500"]["bfs_idle_watts"] == measured.idle_watts


def test_a_run_without_a_counter(monkeypatch):
    def none(engine):
        raise NoCounter(f"no meter of {engine}")

    monkeypatch.setattr(energy, "open_counter", none)
    result = gl.graph500.run(4, searches=2, energy_s=0.1)
    assert result.kernels[0].energy is None
    assert result.teps_per_watt("bfs") is None
    assert "bfs  energy:                    not measured: no meter of cpu" in str(result)
    assert result.rows()[0]["graph500"]["bfs_energy"] == "not measured: no meter of cpu"
