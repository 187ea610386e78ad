"""Compressed files, atomic writes and optional packages."""

from __future__ import annotations

import sys

import pytest

import graphla as gl
from graphla.errors import (
    MissingPackage,
    ReadError,
)
from tests.graphs import edges, random_graph
from tests.io.formats import same


def test_suffix_in_capitals_and_paths_as_text(tmp_path):
    path = str(tmp_path / "LOUD.EL.GZ")
    G = edges([0], [1], n=2)
    gl.write(path, G)
    assert same(gl.read(path), G)


@pytest.mark.parametrize("suffix", [".el.gz", ".el.zst"])
def test_broken_compression(suffix, tmp_path):
    path = tmp_path / f"x{suffix}"
    gl.write(path, random_graph(50, 200))
    whole = path.read_bytes()
    for broken in (b"", whole[:-3], whole[: len(whole) // 2], b"0 1\n", whole[:20] + b"\0" * 50):
        path.write_bytes(broken)
        with pytest.raises(ReadError, match="expected a whole"):
            gl.read(path)


def test_several_frames(tmp_path):
    path, other = tmp_path / "x.el.zst", tmp_path / "y.el.zst"
    gl.write(path, edges([0], [1], n=2))
    gl.write(other, edges([1], [0], n=2))
    path.write_bytes(path.read_bytes() + other.read_bytes())
    assert gl.read(path).nedges == 2


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    G = edges([0], [1], n=2)
    for name, broken in (("x.el", "os.replace"), ("x.npz", "numpy.savez")):
        path = tmp_path / name
        gl.write(path, G)
        before = path.read_bytes()

        def fail(*args, **kwargs):
            raise OSError("disk full")

        with monkeypatch.context() as patch:
            patch.setattr(broken, fail)
            with pytest.raises(OSError, match="disk full"):
                gl.write(path, edges([0], [2], n=3))
        assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.el", "x.npz"]


def test_a_write_follows_a_link_and_has_the_usual_permissions(tmp_path):
    target, link, plain = tmp_path / "target.el", tmp_path / "link.el", tmp_path / "plain"
    target.touch()
    plain.touch()
    link.symlink_to(target)
    gl.write(link, edges([0], [1], n=2))
    assert link.is_symlink()
    assert target.read_text() == "0 1\n"
    assert target.stat().st_mode == plain.stat().st_mode


def test_without_optional_packages(tmp_path, monkeypatch):
    G = edges([0, 1], [1, 2], [3, 4], n=3, kind="undirected")
    for name in ("pyarrow", "pyarrow.parquet", "pandas", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    for suffix in (".mtx", ".gr", ".graph", ".wel", ".tsv", ".csv", ".npz", ".wel.gz"):
        gl.write(tmp_path / f"x{suffix}", G)
        assert same(gl.read(tmp_path / f"x{suffix}"), G)
    for suffix, package in ((".parquet", "pyarrow"), (".wel.zst", "zstandard")):
        path = tmp_path / f"x{suffix}"
        needs = rf"{package}: pip install 'graphla\[io\]'"
        with pytest.raises(MissingPackage, match=needs):
            gl.write(path, G)
        assert not path.exists()
        path.write_bytes(b"anything")
        with pytest.raises(MissingPackage, match=needs):
            gl.read(path)


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".mtx.gz"])
def test_a_folder_that_does_not_exist(suffix, tmp_path):
    path = tmp_path / "nowhere" / f"g{suffix}"
    with pytest.raises(FileNotFoundError) as raised:
        gl.write(path, edges([0], [1], n=2))
    assert raised.value.filename == str(path)


def test_a_folder_in_the_place_of_the_file(tmp_path):
    path = tmp_path / "g.csv"
    path.mkdir()
    with pytest.raises(OSError, match=r"g\.csv'$") as raised:
        gl.write(path, edges([0], [1], n=2))
    assert raised.value.filename == str(path)
    assert [*tmp_path.iterdir()] == [path]
