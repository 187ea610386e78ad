"""CPU time of other processes, and the wait for a quiet machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import graphla as gl
from graphla.comparison import quiet
from graphla.comparison.implementations import Implementation, register, unregister
from graphla.comparison.quiet import (
    Reading,
    foreign_cpu_time,
    guarded,
    read_cpu_times,
    wait_for_quiet,
)
from tests.clock import Clock

TICK = 1 / os.sysconf("SC_CLK_TCK")
FIELDS = {"load", "foreign_cpu_s", "foreign_cpu_share", "quiet", "waited_s"}  # of every row


class Machine(Clock):
    """A fake machine of two cores on which other processes use a given share of the CPU."""

    def __init__(self, busy_until, others=1.0, after=0.0):
        self.busy_until, self.others, self.after = busy_until, others, after
        self.own, self.slept = 0.0, 0

    def read(self):
        busy = min(self.now, self.busy_until) * self.others
        busy += max(self.now - self.busy_until, 0) * self.after
        return Reading(self.now, 100 + busy + self.own, 50 + self.own, 2)

    def sleep(self, seconds):
        self.slept += 1
        super().sleep(seconds)

    def work(self, seconds):
        """Keep both cores busy with this process."""
        self.now += seconds
        self.own += 2 * seconds


@pytest.fixture
def machine(monkeypatch):
    """Replace this machine by a fake one."""

    def place(*args, **options):
        made = Machine(*args, **options)
        monkeypatch.setattr(quiet, "time", made)
        monkeypatch.setattr(quiet, "read_cpu_times", made.read)
        monkeypatch.setattr(quiet, "wait_for_quiet", wait_for_quiet)
        return made

    return place


@pytest.fixture
def stat(monkeypatch, tmp_path):
    """Replace /proc/stat by a text."""

    def place(text):
        path = tmp_path / "stat"
        path.write_text(text)
        monkeypatch.setattr(quiet, "STAT", path)

    return place


# ---- readings


def test_cpu_time_of_some_cores(stat):
    stat(
        "cpu  1000 1000 1000 9000 9000 1000 1000 1000 500 500\n"
        "cpu0 100 10 20 4000 500 3 2 5 99 99\n"
        "cpu1 7 7 7 7 7 7 7 7 7 7\n"
        "cpu10 200 0 0 4000 0 0 0 0 0 0\n"
        "intr 5 0\n"
    )
    assert quiet.busy_seconds({0}) == pytest.approx(140 * TICK)
    assert quiet.busy_seconds({0, 10}) == pytest.approx(340 * TICK)
    assert quiet.busy_seconds({0, 2}) is None


@pytest.mark.parametrize("text", ["", "cpu0 0 0 0 0 0 0 0 0 0 0\n", "cpu0 1 2\n", "cpu0 a b\n"])
def test_invalid_cpu_times(stat, text):
    stat(text)
    assert quiet.busy_seconds({0}) is None
    assert wait_for_quiet(60) == (None, 0.0)
    with guarded(60) as conditions:
        pass
    assert conditions["foreign_cpu_s"] is conditions["foreign_cpu_share"] is None


def test_a_platform_without_cpu_times(monkeypatch, tmp_path):
    monkeypatch.setattr(quiet, "STAT", tmp_path / "none")
    monkeypatch.delattr(os, "getloadavg")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert read_cpu_times().busy is None
    with guarded(60) as conditions:
        pass
    assert conditions == dict.fromkeys(FIELDS) | {"waited_s": 0.0}


def test_own_cpu_time_includes_children_and_is_not_foreign():
    before = Reading(0, 100, 10, 4)
    assert foreign_cpu_time(before, Reading(2, 106, 16, 4)) == (0, 0)
    assert foreign_cpu_time(before, Reading(2, 106, 14, 4)) == (2, 0.25)
    assert foreign_cpu_time(before, Reading(2, 101, 14, 4)) == (0, 0)  # counted in ticks
    assert foreign_cpu_time(before, Reading(2, 200, 14, 4))[1] == 1
    assert foreign_cpu_time(before, Reading(2, 106, 14, 2)) == (None, None)
    assert foreign_cpu_time(before, Reading(quiet.LOOK / 2, 106, 14, 4)) == (None, None)
    first = read_cpu_times()
    spend = "n = 0\nwhile time.process_time() < 0.1: n += 1"
    subprocess.run([sys.executable, "-c", f"import time\n{spend}"], check=True)
    assert read_cpu_times().own >= first.own + 0.08


def test_cpu_times_of_this_machine():
    result = read_cpu_times()
    assert result.cores == len(os.sched_getaffinity(0))
    assert result.own > 0
    assert result.busy is None or result.busy > 0


# ---- the wait


def test_a_quiet_machine_is_measured_once(machine):
    here = machine(busy_until=0)
    assert wait_for_quiet(10) == (True, quiet.LOOK)
    assert here.slept == 1


def test_the_wait_ends_when_the_machine_is_quiet(machine):
    here = machine(busy_until=3.1)
    came, waited = wait_for_quiet(10)
    assert came is True
    assert 3.1 < waited <= 3.1 + 2 * quiet.LOOK
    assert here.now == waited


def test_the_wait_is_bounded(machine):
    here = machine(busy_until=1e9)
    came, waited = wait_for_quiet(10)
    assert came is False
    assert 10 <= waited <= 10 + quiet.LOOK
    assert here.now == waited


def test_without_a_wait_nothing_is_measured(machine):
    here = machine(busy_until=1e9)
    assert wait_for_quiet(0) == (None, 0.0)
    assert here.slept == 0


@pytest.mark.parametrize(("others", "came"), [(0.09, True), (0.11, False)])
def test_quiet_means_a_share_of_all_cores(machine, others, came):
    machine(busy_until=1e9, others=others)  # of two cores: 4.5 and 5.5 %
    assert wait_for_quiet(2)[0] is came


# ---- what a row has


def test_cpu_time_of_other_processes(machine):
    here = machine(busy_until=1.0, others=1.5, after=0.5)
    with guarded(0) as conditions:
        assert set(conditions) == FIELDS
        here.work(3.0)
    assert conditions["foreign_cpu_s"] == 2.5
    assert conditions["foreign_cpu_share"] == pytest.approx(2.5 / 6, abs=1e-4)
    assert (conditions["quiet"], conditions["waited_s"]) == (None, 0.0)


def test_own_work_is_not_foreign(machine):
    here = machine(busy_until=0)
    with guarded() as conditions:
        here.work(3.0)
    assert (conditions["foreign_cpu_s"], conditions["foreign_cpu_share"]) == (0, 0)
    assert (conditions["quiet"], conditions["waited_s"]) == (True, quiet.LOOK)


def test_trials_shorter_than_a_measurement_are_not_without_one(machine):
    here = machine(busy_until=1e9)
    with guarded(2) as conditions:
        here.work(quiet.LOOK / 5)
    assert conditions["foreign_cpu_share"] == pytest.approx(0.5, abs=0.01)
    slept = here.slept
    with guarded(0) as conditions:
        here.work(quiet.LOOK / 5)
    assert conditions["foreign_cpu_share"] is None
    assert here.slept == slept


# ---- in a comparison


@pytest.fixture
def worker(machine):
    """Register an implementation whose calls take a second of a fake machine."""
    here = machine(busy_until=1e9)
    calls = []

    def run(prepared, start):
        calls.append(here.now)
        here.work(1.0)
        return 0

    made = register(Implementation("worker", "triangle_count", "count", run))
    yield here, calls
    unregister(made)


def test_a_comparison_waits_before_its_trials_and_reports_the_load(worker):
    here, calls = worker
    options = {"implementations": ["worker"], "trials": 2, "verify": False}
    result = gl.compare("triangle_count", gl.generate.karate(), max_wait=4, **options)
    (row,) = result.rows
    assert calls == [0, 1, 6, 7]  # two untimed calls, the wait, two trials
    assert (row["quiet"], row["waited_s"]) == (False, 4.0)
    assert (row["foreign_cpu_s"], row["foreign_cpu_share"]) == (2.0, 0.5)
    head = repr(result).partition("Comparison:")[0]
    assert "The machine was not quiet before triangle_count on graph (4.0 s)" in head
    assert "triangle_count on graph (50%)" in head
    here.busy_until = 0
    (row,) = gl.compare("triangle_count", gl.generate.karate(), **options).rows
    assert (row["quiet"], row["waited_s"]) == (True, quiet.LOOK)


def test_no_wait_without_trials(worker):
    here, calls = worker
    D = gl.generate.random_digraph(9, 2, seed=1)
    (row,) = gl.compare("triangle_count", D, implementations=["worker"]).rows
    assert row["skipped"]
    assert (here.slept, calls, row["quiet"]) == (0, [], None)
