"""Writing and reading back: every format, dtype and kind."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DomainMismatch,
    InvalidGraph,
    InvalidValue,
    MissingPackage,
    ReadError,
)
from graphla.io import text_writer
from tests.graphs import DTYPES, edge_cases, edges, random_graph
from tests.io.formats import HOLDS, TEXT, graphs_for, same

PACKED = [suffix + end for suffix in TEXT for end in (".gz", ".zst")]


@pytest.mark.parametrize("suffix", HOLDS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_write_then_read(suffix, data, tmp_path_factory):
    G = data.draw(graphs_for(suffix))
    path = tmp_path_factory.getbasetemp() / f"drawn{suffix}"
    gl.write(path, G)
    assert same(gl.read(path), G)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("suffix", [*HOLDS, *PACKED])
def test_edge_cases(suffix, kind, tmp_path):
    for name, G in edge_cases(kind).items():
        if G.weighted and suffix.startswith(".el"):
            continue
        if kind == "directed" and suffix.startswith(".graph"):
            continue
        if suffix.startswith(".graph") and G.weighted and G.min_weight < 1:
            continue
        path = tmp_path / f"case{suffix}"
        gl.write(path, G)
        assert same(gl.read(path), G), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("suffix", HOLDS)
def test_every_dtype_with_and_without_edges(suffix, dtype, tmp_path):
    path = tmp_path / f"typed{suffix}"
    none = edges([], [], np.zeros(0, dtype), n=3, kind="undirected")
    for G in (none, random_graph(20, 60, kind="undirected", dtype=dtype)):
        if dtype in HOLDS[suffix][0]:
            gl.write(path, G)
            assert same(gl.read(path), G)
        else:
            with pytest.raises(InvalidGraph, match=r"write \.[a-z]+"):
                gl.write(path, G)
            assert not path.exists()


def test_more_records_than_a_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr(text_writer, "CHUNK", 7)
    for suffix in (".wel", ".mtx", ".graph"):
        G = random_graph(30, 100, kind="undirected", dtype="uint16")
        gl.write(tmp_path / f"chunks{suffix}", G)
        assert same(gl.read(tmp_path / f"chunks{suffix}"), G)


def test_hypersparse(tmp_path):
    G = edges([0, 10**15], [10**15, 3], [2, 3], n=10**18)
    for suffix in (".mtx", ".gr", ".wel", ".csv", ".npz", ".parquet"):
        gl.write(tmp_path / f"wide{suffix}", G)
        assert same(gl.read(tmp_path / f"wide{suffix}"), G)


def test_plain_graphs_are_written_without_metadata(tmp_path):
    G = edges([0, 1], [1, 2], n=3)
    gl.write(tmp_path / "plain.el", G)
    assert (tmp_path / "plain.el").read_text() == "0 1\n1 2\n"
    gl.write(tmp_path / "plain.csv", edges([0, 1], [1, 2], [0.5, 2.0], n=3))
    assert (tmp_path / "plain.csv").read_text() == "src,dst,weight\n0,1,0.5\n1,2,2.0\n"
    gl.write(tmp_path / "metadata.tsv", edges([0], [1], np.array([3], np.int8), n=3))
    assert (tmp_path / "metadata.tsv").read_text() == "# graphla: n=3 dtype=int8\n0\t1\t3\n"


@pytest.mark.parametrize("suffix", HOLDS)
def test_nan_weights_are_not_written(suffix, tmp_path):
    G = edges([0, 1], [1, 0], [np.nan, np.nan], n=2, kind="undirected")
    with pytest.raises(InvalidValue, match="NaN"):
        gl.write(tmp_path / f"nan{suffix}", G)
    assert list(tmp_path.iterdir()) == []


def test_metis_refuses_directed_graphs_and_weights_below_1(tmp_path):
    with pytest.raises(InvalidGraph, match="directed"):
        gl.write(tmp_path / "x.graph", edges([0], [1], n=2))
    for bad in (0, -3):
        with pytest.raises(InvalidValue, match=f"smallest is {bad}"):
            gl.write(tmp_path / "x.graph", edges([0], [1], [bad], n=2, kind="undirected"))


# ---- paths and arguments


@pytest.mark.parametrize(
    "name", ["graph", "x.xyz", "x.gz", "x.npz.gz", "x.parquet.zst", ".gz", "x.mtx.bz2"]
)
def test_unknown_suffix(name, tmp_path):
    with pytest.raises(InvalidValue, match=r"unknown file type .*\.mtx"):
        gl.read(tmp_path / name)
    with pytest.raises(InvalidValue, match="unknown file type"):
        gl.write(tmp_path / name, edges([0], [1], n=2))


def test_suffix_in_capitals_and_paths_as_text(tmp_path):
    path = str(tmp_path / "LOUD.EL.GZ")
    G = edges([0], [1], n=2)
    gl.write(path, G)
    assert same(gl.read(path), G)


@pytest.mark.parametrize("suffix", HOLDS)
def test_missing_file(suffix, tmp_path):
    with pytest.raises(FileNotFoundError):
        gl.read(tmp_path / f"none{suffix}")


def test_bad_arguments(tmp_path):
    path = tmp_path / "x.el"
    path.write_text("0 1\n")
    with pytest.raises(InvalidGraph, match="kind must be"):
        gl.read(path, kind="mixed")
    with pytest.raises(InvalidGraph, match="dup must be"):
        gl.read(path, dup="mean")
    with pytest.raises(InvalidValue, match="base=2"):
        gl.read(path, base=2)
    for n in (-1, 2**60 + 1):
        with pytest.raises(InvalidValue, match=f"n={n}"):
            gl.read(path, n=n)
    with pytest.raises(DomainMismatch, match="float"):
        gl.read(path, n=2.0)
    for dtype in ("complex128", "no such", "S5"):
        with pytest.raises(DomainMismatch, match="dtype="):
            gl.read(path, dtype=dtype)


# ---- files


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
    for name, broken in (("x.el", "os.replace"), ("x.npz", "numpy.savez_compressed")):
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
