"""NumPy archives, also read and written by SciPy."""

from __future__ import annotations

import zipfile
import zlib

import numpy as np
import pytest
import scipy.sparse as ss
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ReadError
from graphla.io import npz
from graphla.io.text import chunks
from tests.graphs import DTYPES, random_graph, to_scipy
from tests.io.formats import edges_of, same
from tests.strategies import examples


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


@pytest.fixture
def small_blocks(monkeypatch):
    """All arrays are large, and consist of blocks and pieces of a few numbers."""
    monkeypatch.setattr(npz, "LARGE", 1)
    monkeypatch.setattr(npz, "PIECE", 16)
    monkeypatch.setattr(chunks, "BLOCK", 64)


@pytest.fixture
def without_numpy(monkeypatch):
    """NumPy reads no array of one dimension."""

    def read_array(stream, **options):
        array = whole(stream, **options)
        assert array.ndim == 0 or array.size < 8
        return array

    whole = np.lib.format.read_array
    monkeypatch.setattr(np.lib.format, "read_array", read_array)


@examples(200)
@given(first=st.binary(max_size=40), second=st.binary(max_size=40))
def test_checksum_of_two_texts(first, second):
    parts = zlib.crc32(first), zlib.crc32(second)
    expected = zlib.crc32(first + second)
    assert npz.combined_checksum(*parts, len(second)) == expected


def test_checksum_of_a_long_text():
    data = np.random.default_rng(1).bytes((1 << 20) + 7)
    found = npz.combined_checksum(5, zlib.crc32(data), len(data))
    assert found == zlib.crc32(data, 5)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64", ">i4"])
@pytest.mark.parametrize("size", [8, 9, 100])
def test_arrays_are_those_of_numpy(dtype, size, small_blocks, without_numpy, tmp_path):
    path = tmp_path / "x.npz"
    x = np.random.default_rng(1).integers(-9, 9, size).astype(dtype)
    np.savez(path, x=x, y=x[::-1], small=np.array(3))
    with open(path, "rb") as file:
        arrays = npz.read_arrays(path, file, {"y": np.uint64})
    assert set(arrays) == {"x", "y", "small"}
    assert arrays["x"].dtype == x.dtype
    assert arrays["x"].flags.owndata
    np.testing.assert_array_equal(arrays["x"], x)
    is_integer = x.dtype.kind in "iu"
    assert arrays["y"].dtype == (np.uint64 if is_integer else x.dtype)
    np.testing.assert_array_equal(arrays["y"], x[::-1].astype(arrays["y"].dtype))


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", ["int8", "float64"])
def test_graphs(form, dtype, small_blocks, tmp_path):
    for kind in ("directed", "undirected"):
        G = random_graph(30, 90, dtype=dtype, kind=kind)
        rows, cols, values = G.A.to_coo()
        S = ss.coo_array((values, (rows, cols)), shape=(30, 30)).asformat(form)
        ss.save_npz(tmp_path / "x.npz", S, compressed=False)
        assert same(gl.read(tmp_path / "x.npz", kind=kind), G)


@pytest.mark.parametrize(
    ("rows", "kind", "match"),
    [
        (([1.0, np.nan], [1, 0], [0, 1, 2]), "directed", "NaN weight"),
        (([1.0, 2.0], [1, 0], [0, 1, 2]), "undirected", r"0 -> 1 .* no such reverse"),
        (([1.0, 2.0], [1, 1], [0, 2, 2]), "directed", r"0 -> 1 .* occurs again"),
        (([1.0, 2.0], [0, 2], [0, 1, 2]), "directed", "expected a sparse matrix"),
        (([1.0, 2.0], [0, -1], [0, 1, 2]), "directed", "expected a sparse matrix"),
        (([1.0, 2.0], [0, 1], [0, 3, 2]), "directed", "expected a sparse matrix"),
        (([1.0, 2.0], [0, 1], [0, 1, 1, 2]), "directed", "expected a sparse matrix"),
        (([1.0], [0, 1], [0, 1, 2]), "directed", "expected a sparse matrix"),
        (([1.0, 2.0], [[0], [1]], [0, 1, 2]), "directed", "expected a sparse matrix"),
        (([[1.0], [2.0]], [0, 1], [0, 1, 2]), "directed", "expected a sparse matrix"),
    ],
)
def test_rows_refused(rows, kind, match, small_blocks, tmp_path):
    data, indices, indptr = (np.array(x) for x in rows)
    path = tmp_path / "x.npz"
    np.savez(
        path, data=data, indices=indices, indptr=indptr, shape=np.array([2, 2]),
        format=np.array(b"csr"),
    )  # fmt: skip
    with pytest.raises(ReadError, match=match):
        gl.read(path, kind=kind, dup=None)


def test_rows_without_offsets(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, data=[1], indices=[0], shape=[2, 2], format=np.array(b"csr"))
    with pytest.raises(ReadError, match="expected a sparse matrix: 'indptr'"):
        gl.read(path)


def test_numbers_behind_the_last_row_are_left_out(small_blocks, tmp_path):
    path = tmp_path / "x.npz"
    for form in ("csr", "csc"):
        np.savez(
            path, data=[1, 2, 9], indices=[1, 0, 7], indptr=[0, 1, 2], shape=[2, 2],
            format=np.array(form.encode()),
        )  # fmt: skip
        expected = [[0, 1], [2, 0]] if form == "csr" else [[0, 2], [1, 0]]
        assert gl.read(path).A.to_dense(fill_value=0).tolist() == expected


def test_unsorted_rows(small_blocks, tmp_path):
    S = ss.csr_array((np.array([3, 5, 4]), np.array([2, 0, 1]), np.array([0, 2, 3, 3])))
    ss.save_npz(tmp_path / "x.npz", S, compressed=False)
    assert (ss.csr_array(gl.read(tmp_path / "x.npz").A.to_dense(fill_value=0)) != S).nnz == 0


def test_every_damaged_byte_of_an_array_is_found(small_blocks, tmp_path):
    path = tmp_path / "x.npz"
    gl.write(path, random_graph(30, 90, dtype="float64"))
    text = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        members = {x.filename: x for x in archive.infolist()}
    for name in ("indices.npy", "data.npy"):
        end = text.index(b"PK", members[name].header_offset + 4)
        for k in range(1, 300, 37):
            path.write_bytes(text[: end - k] + bytes([text[end - k] ^ 1]) + text[end - k + 1 :])
            with pytest.raises(ReadError, match="CRC-32"):
                gl.read(path)


def test_a_file_that_becomes_shorter(small_blocks, monkeypatch, tmp_path):
    path = tmp_path / "x.npz"
    gl.write(path, random_graph(30, 90))
    whole = npz._read_stored

    def cut(path, file, member, *rest):
        path.write_bytes(path.read_bytes()[: member.header_offset + 150])
        return whole(path, file, member, *rest)

    monkeypatch.setattr(npz, "_read_stored", cut)
    with pytest.raises(ReadError, match="ends early"):
        gl.read(path)


@pytest.mark.parametrize("shape", [(3,), (3, 3, 3)])
def test_arrays_of_other_dimensions_are_refused(shape, tmp_path):
    ss.save_npz(tmp_path / "x.npz", ss.coo_array(np.ones(shape)))
    with pytest.raises(ReadError, match="expected a square matrix"):
        gl.read(tmp_path / "x.npz")
