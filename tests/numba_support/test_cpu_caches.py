"""The size of the second-level cache, read from directories as Linux writes them."""

from __future__ import annotations

import os

import pytest

from graphla.numba_support import cpu_caches


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Return a function that describes caches of core 3, of (level, type, size) each."""
    cpu_caches.level2_bytes.cache_clear()
    monkeypatch.setattr(cpu_caches, "DIRECTORY", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {5, 3}, raising=False)

    def write(*caches):
        for i, values in enumerate(caches):
            entry = tmp_path / "cpu3" / "cache" / f"index{i}"
            entry.mkdir(parents=True)
            for name, value in zip(("level", "type", "size"), values, strict=True):
                (entry / name).write_text(f"{value}\n")

    yield write
    cpu_caches.level2_bytes.cache_clear()


def test_the_second_level_of_several(directory):
    directory((1, "Data", "48K"), (2, "Instruction", "64K"), (2, "Unified", "2048K"),
              (3, "Unified", "307200K"))  # fmt: skip
    assert cpu_caches.level2_bytes() == 2 << 20


@pytest.mark.parametrize("caches", [(), ((1, "Data", "48K"),)], ids=["none", "first level"])
def test_what_the_system_does_not_tell(directory, caches):
    directory(*caches)
    assert cpu_caches.level2_bytes() == cpu_caches.UNKNOWN


def test_entries_that_cannot_be_read_are_left_out(directory, tmp_path):
    (tmp_path / "cpu3" / "cache" / "index0").mkdir(parents=True)
    assert cpu_caches.level2_bytes() == cpu_caches.UNKNOWN
