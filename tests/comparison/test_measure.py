"""Measurements of one call: its result, memory and surroundings."""

from __future__ import annotations

import gc
import platform
import sys

import numpy as np
import pytest

import graphla as gl
from graphla.comparison import measure


def test_time_of_a_call(monkeypatch):
    ticks = iter([3.0, 5.5])
    monkeypatch.setattr(measure.time, "perf_counter", lambda: next(ticks))
    assert measure.timed(lambda: "result") == (2.5, "result")


def test_garbage_is_collected_before_and_not_during_a_call():
    seen = []
    assert gc.isenabled()
    measure.quietly_timed(
        lambda: seen.append(gc.isenabled()), pause=False, rehearsal=lambda: seen.append("rehearsal")
    )
    assert seen[0] == "rehearsal"
    assert seen[-1] is False
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        measure.quietly_timed(lambda: 1 / 0, pause=False)
    assert gc.isenabled()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
def test_peak_memory_of_a_call():
    size = 64 << 20
    peak, result = measure.peak_above(lambda: np.ones(size, np.uint8).sum())
    assert result == size
    if peak is not None:  # not every container lets a process reset its peak
        assert 0.9 * size < peak < 4 * size
    with pytest.raises(OSError, match="no VmNothing"):
        measure._status("VmNothing")


def test_fingerprints_are_of_edges_and_weights():
    G = gl.generate.grid(4, 4, weights=(1, 9), seed=1)
    same, other = (gl.generate.grid(4, 4, weights=(1, 9), seed=seed) for seed in (1, 2))
    assert measure.fingerprint(G) == measure.fingerprint(same)
    assert measure.fingerprint(G) != measure.fingerprint(other)
    assert measure.fingerprint(G) != measure.fingerprint(G.astype("BOOL"))
    assert measure.fingerprint(G.astype("BOOL")) == measure.fingerprint(other.astype("BOOL"))


def test_the_machine_and_the_versions_are_described():
    about = measure.machine()
    assert about["threads"] == measure.threads() >= 1
    assert about["cores"] >= 1
    assert about["memory_bytes"] > 1 << 28
    assert {"gpu", "driver"} <= set(about)
    installed = measure.versions(["pytest", "no-such-package"])
    assert installed["pytest"] == pytest.__version__
    assert installed["python"] == platform.python_version()
    assert "no-such-package" not in installed


def test_no_commit_outside_a_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(measure, "ROOT", tmp_path)
    assert measure.commit() is None


def test_median():
    assert measure.median([3.0, 1.0, 2.00000004]) == 2.0
    assert measure.median([]) is None
