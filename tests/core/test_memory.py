"""Available memory and the refusal of what exceeds it."""

from __future__ import annotations

import os

import pytest

from graphla.core import memory
from graphla.errors import DomainMismatch, InvalidValue, OutOfDeviceMemory, OutOfMemory
from tests.golden.traces import simulated


def test_available_is_some_of_the_machine():
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 2**20 < memory.available() <= total
    assert memory.budget() <= total // 2


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine of 1 GiB available, in a control group that the test writes."""
    (tmp_path / "meminfo").write_text("MemTotal: 4194304 kB\nMemAvailable: 1048576 kB\n")
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "CGROUP", tmp_path)
    return tmp_path


def test_the_smaller_of_machine_and_control_group(machine):
    assert memory.available() == 2**30  # no control group
    (machine / "memory.max").write_text("max\n")
    assert memory.available() == 2**30
    (machine / "memory.max").write_text("1000000\n")
    (machine / "memory.current").write_text("400000\n")
    assert memory.available() == 600_000
    (machine / "memory.stat").write_text("anon 5\ninactive_file 50000\nactive_file 7\n")
    assert memory.available() == 650_000  # the files that are cached can go
    (machine / "memory.stat").unlink()
    (machine / "memory.current").write_text("1400000\n")
    assert memory.available() == 0


def test_without_meminfo_half_of_the_machine(machine):
    (machine / "meminfo").unlink()
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert memory.available() == total // 2


def test_budget(machine):
    assert memory.budget() == 2**29
    assert memory.budget(12) == 12
    assert memory.budget(0) == 0


@pytest.mark.parametrize(("value", "error"), [(-1, InvalidValue), (1.5, DomainMismatch)])
def test_bad_budget(value, error):
    with pytest.raises(error, match=f"max_bytes.*{value if value == -1 else 'float'}"):
        memory.budget(value)


def test_refusal_names_the_bytes():
    memory.require(5, 5, "a thing")
    with pytest.raises(OutOfMemory, match=r"a thing, takes about 6,000 bytes; 5,999 can be used"):
        memory.require(6000, 5999, "a thing")
    with pytest.raises(MemoryError):
        memory.require(1, 0, "a thing")


def test_only_failed_allocations_of_a_device_are_translated():
    with simulated() as device:
        assert memory.as_device_error(MemoryError("host"), "cuda", "work") is None
        error = memory.as_device_error(device.out_of_memory(), "cuda", "work")
        assert isinstance(error, OutOfDeviceMemory)
    assert memory.as_device_error(MemoryError("host"), "cpu", "work") is None
