"""The folder of compiled functions is another one after a change of any native code."""

from __future__ import annotations

from tests import numba_cache


def test_the_folder_follows_the_text_of_native_code(tmp_path, monkeypatch):
    monkeypatch.setattr(numba_cache, "ROOT", tmp_path)
    native, other = tmp_path / "graphla" / "native.py", tmp_path / "graphla" / "other.py"
    native.parent.mkdir()
    native.write_text("from numba import njit")
    other.write_text("x = 1")
    before = numba_cache.folder()
    assert before.parent == tmp_path / ".cache" / "numba"
    other.write_text("x = 2")
    assert numba_cache.folder() == before
    native.write_text("from numba import njit, prange")
    assert numba_cache.folder() != before
