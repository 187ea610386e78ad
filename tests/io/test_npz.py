"""NumPy archives, also read and written by SciPy."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest
import scipy.sparse as ss

import graphla as gl
from graphla.errors import ReadError
from tests.graphs import DTYPES, random_graph, to_scipy
from tests.io.formats import edges_of, same


@pytest.mark.parametrize("dtype", DTYPES)
def test_scipy_reads_what_is_written(dtype, tmp_path):
    G = random_graph(30, 90, dtype=dtype)
    gl.write(tmp_path / "x.npz", G)
    S = ss.load_npz(tmp_path / "x.npz")
    assert S.dtype == dtype
    assert (to_scipy(G, dtype) != S).nnz == 0


def test_archives_are_written_without_compression(tmp_path):
    gl.write(tmp_path / "x.npz", random_graph(30, 90))
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        assert {x.compress_type for x in archive.infolist()} == {zipfile.ZIP_STORED}


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("container", ["array", "matrix"])
@pytest.mark.parametrize("compressed", [True, False])
def test_reads_what_scipy_writes(form, container, compressed, tmp_path):
    G = random_graph(30, 90, dtype="float32")
    S = getattr(ss, f"{form}_{container}")(to_scipy(G, np.float32))
    ss.save_npz(tmp_path / "x.npz", S, compressed=compressed)
    assert same(gl.read(tmp_path / "x.npz"), G)


def test_kind_of_an_archive(tmp_path):
    path = tmp_path / "x.npz"
    ss.save_npz(path, ss.coo_array(([1, 1], ([0, 1], [1, 0])), shape=(3, 3)))
    assert gl.read(path).kind == "directed"
    G = gl.read(path, kind="undirected")
    gl.write(path, G)
    assert gl.read(path).kind == "undirected"
    assert gl.read(path, kind="directed").nedges == 2
    ss.save_npz(path, ss.coo_array(([1], ([0], [1])), shape=(3, 3)))
    with pytest.raises(ReadError, match=r"0 -> 1 .* no such reverse"):
        gl.read(path, kind="undirected")


def test_duplicate_and_zero_entries(tmp_path):
    path = tmp_path / "x.npz"
    twice = ss.csr_array((np.array([3, 0, 5]), np.array([1, 2, 1]), np.array([0, 3, 3, 3])))
    twice.resize(3, 3)
    ss.save_npz(path, twice)
    with pytest.raises(ReadError, match=r"0 -> 1 .* occurs again"):
        gl.read(path, dup=None)
    assert edges_of(gl.read(path, dup="sum")) == [(0, 1, 8), (0, 2, 0)]


@pytest.mark.parametrize(
    ("data", "match"),
    [([1.0, np.nan], "NaN weight"), ([1.0, 2.0], r"0 -> 1 .* no such reverse")],
)
def test_rows_that_are_no_undirected_graph(data, match, tmp_path):
    path = tmp_path / "x.npz"
    ss.save_npz(path, ss.csr_array((data, ([0, 1], [1, 0])), shape=(2, 2)))
    with pytest.raises(ReadError, match=match):
        gl.read(path, kind="undirected")


def test_entries_of_boolean_rows_are_edges_whatever_their_values(tmp_path):
    path = tmp_path / "x.npz"
    ss.save_npz(path, ss.csr_array(([True, False], ([0, 1], [1, 0])), shape=(2, 2)))
    G = gl.read(path, kind="undirected")
    assert (G.nedges, G.dtype, G.weighted) == (1, "BOOL", False)
    assert edges_of(G) == [(0, 1, True), (1, 0, True)]


def save(path, **changes):
    """Write a valid archive with some of its arrays changed; None leaves one out."""
    arrays = {
        "row": np.array([0, 1]),
        "col": np.array([1, 2]),
        "data": np.array([5, 6]),
        "format": np.array(b"coo"),
        "shape": np.array([3, 3]),
        "kind": np.array("directed"),
    } | changes
    np.savez(path, **{k: v for k, v in arrays.items() if v is not None})


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"row": None}, "expected a sparse matrix"),
        ({"format": None}, "expected a sparse matrix"),
        ({"format": np.array(b"dia")}, r"format in .*; found dia"),
        ({"format": np.array(b"xyz")}, r"format in .*; found xyz"),
        ({"row": np.array([0, 3])}, "expected a sparse matrix"),
        ({"row": np.array([0, -1])}, "expected a sparse matrix"),
        ({"row": np.array([0])}, "expected a sparse matrix"),
        ({"shape": np.array([3, 4])}, "square matrix; found .3, 4."),
        ({"shape": np.array([2**61, 2**61])}, "square matrix"),
        ({"data": np.array([1j, 2])}, "dtype in .*; found complex128"),
        ({"data": np.array([1, np.nan])}, "NaN weight"),
        ({"kind": np.array("mixed")}, "kind in .*; found 'mixed'"),
        ({"kind": np.array([1, 2])}, "expected a sparse matrix"),
    ],
)
def test_archives_refused(changes, match, tmp_path):
    path = tmp_path / "x.npz"
    save(path)
    assert gl.read(path).nedges == 2
    save(path, **changes)
    with pytest.raises(ReadError, match=match) as caught:
        gl.read(path)
    assert caught.value.line is None


def test_other_formats_of_scipy_are_refused(tmp_path):
    ss.save_npz(tmp_path / "x.npz", ss.dia_array(np.eye(3)))
    with pytest.raises(ReadError, match=r"format in .*; found dia"):
        gl.read(tmp_path / "x.npz")


def test_broken_rows_of_csr(tmp_path):
    S = to_scipy(random_graph(9, 30))
    np.savez(
        tmp_path / "x.npz", indices=S.indices + 9, indptr=S.indptr, data=S.data,
        shape=np.array(S.shape), format=np.array(b"csr"),
    )  # fmt: skip
    with pytest.raises(ReadError, match="expected a sparse matrix"):
        gl.read(tmp_path / "x.npz")


def test_arrays_of_objects_and_other_versions_are_refused(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, row=np.array([{}], object))
    with pytest.raises(ReadError, match=r"row\.npy of another size"):
        gl.read(path)
    with zipfile.ZipFile(path, "w") as archive, archive.open("row.npy", "w") as member:
        np.lib.format.write_array(member, np.zeros(2), version=(2, 0))
    with pytest.raises(ReadError, match=r"version 1.0"):
        gl.read(path)


def test_a_member_larger_than_deflate_allows(tmp_path):
    path = tmp_path / "x.npz"
    save(path)
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02")  # the first entry of the central directory
    path.write_bytes(data[: at + 24] + b"\xff\xff\xff\x7f" + data[at + 28 :])
    with pytest.raises(ReadError, match="to fit in the file"):
        gl.read(path)
