"""Machine code from NVRTC, and its cache on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphla.cuda.runtime import nvrtc

pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
KERNEL = 'extern "C" __global__ void nothing(int* x) { x[0] = SIZE; }'


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("GRAPHLA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_code_is_compiled_once_for_each_text_and_architecture(cache, monkeypatch):
    compiled, texts = nvrtc.compiled, []

    def counted(text, arch):
        texts.append((text, arch))
        return compiled(text, arch)

    monkeypatch.setattr(nvrtc, "compiled", counted)
    one, two = (KERNEL.replace("SIZE", size) for size in "12")
    codes = [nvrtc.cubin(*x) for x in ((one, "90"), (two, "90"), (one, "80"), (one, "90"))]
    assert texts == [(one, "90"), (two, "90"), (one, "80")]
    assert codes[0] == codes[3]
    assert len(set(codes)) == 3
    assert all(code[1:4] == b"ELF" for code in codes)
    assert sorted(p.read_bytes() for p in cache.iterdir()) == sorted(set(codes))


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("GRAPHLA_CACHE_DIR", str(file))
    monkeypatch.setattr(nvrtc, "compiled", lambda text, arch: b"code")
    assert nvrtc.cubin("text", "90") == b"code"
    assert file.read_text() == "no folder"


def test_the_message_of_an_error_is_the_compilers():
    with pytest.raises(RuntimeError, match='identifier "SIZE" is undefined'):
        nvrtc.compiled(KERNEL, "90")


def test_the_folder_of_the_cache(monkeypatch, cache):
    assert nvrtc.cache_folder() == cache
    monkeypatch.delenv("GRAPHLA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/cache")
    assert nvrtc.cache_folder() == Path("/some/cache/graphla")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert nvrtc.cache_folder() == Path.home() / ".cache" / "graphla"
