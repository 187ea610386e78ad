"""Sizes of the CPU's caches, read from directories as Linux writes them."""

from __future__ import annotations

import os

import pytest

from graphla.numba_support import cpu_caches


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Return a function that describes caches of core 0, of (level, type, size) each."""
    for function in (cpu_caches.level2_bytes, cpu_caches.last_level_bytes):
        function.cache_clear()
    monkeypatch.setattr(cpu_caches, "DIRECTORY", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)

    def write(*caches):
        for i, values in enumerate(caches):
            entry = tmp_path / "cpu0" / "cache" / f"index{i}"
            entry.mkdir(parents=True)
            for name, value in zip(("level", "type", "size"), values, strict=True):
                (entry / name).write_text(f"{value}\n")

    yield write
    for function in (cpu_caches.level2_bytes, cpu_caches.last_level_bytes):
        function.cache_clear()


def test_sizes_of_data_caches(directory):
    directory((1, "Data", "48K"), (2, "Instruction", "64K"), (2, "Unified", "2048K"),
              (3, "Unified", "307200K"))  # fmt: skip
    assert cpu_caches.level2_bytes() == 2 << 20
    assert cpu_caches.last_level_bytes() == 300 << 20


def test_a_processor_without_a_third_level(directory):
    directory((1, "Data", "32K"), (2, "Unified", "512K"))
    assert cpu_caches.level2_bytes() == cpu_caches.last_level_bytes() == 512 << 10


def test_a_core_that_the_process_may_use(directory, monkeypatch, tmp_path):
    directory((3, "Unified", "1024K"))
    (tmp_path / "cpu0").rename(tmp_path / "cpu5")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {7, 5}, raising=False)
    assert cpu_caches.last_level_bytes() == 1 << 20


@pytest.mark.parametrize("caches", [(), ((1, "Data", "48K"),)], ids=["none", "first level"])
def test_what_the_system_does_not_tell(directory, caches):
    directory(*caches)
    assert cpu_caches.level2_bytes() == cpu_caches.UNKNOWN[2]
    expected = 48 << 10 if caches else cpu_caches.UNKNOWN[3]
    assert cpu_caches.last_level_bytes() == expected


def test_entries_that_cannot_be_read_are_left_out(directory, tmp_path):
    directory((2, "Unified", "512K"))
    (tmp_path / "cpu0" / "cache" / "index9").mkdir()
    assert cpu_caches.last_level_bytes() == 512 << 10
