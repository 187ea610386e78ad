"""NumPy archives (.npz) in the layout of `scipy.sparse.save_npz`, with an added array `kind`.

Archives are written without compression, at the speed of the disk, where deflate takes many times
as long: as compressed rows (CSR) or, if there are fewer entries than rows, as triples (COO).

Large arrays without compression are read by all threads. A thread reads a block and computes its
checksum. Those of the blocks are combined into that of the whole, which is compared with the
archive's: with Z the matrix over GF(2) that appends a zero byte,

    crc(a b) = Z^|b| crc(a) + crc(b)

Source: M. Adler, crc32_combine of zlib.
"""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from operator import index
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as ss

from graphla.core.conversions import from_compressed_rows
from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.core.input_arrays import real
from graphla.core.properties import to_csr
from graphla.errors import InvalidGraph, InvalidIndex, ReadError
from graphla.io.columns import DTYPES, MAX_N, edge_columns, graph_from_columns
from graphla.io.files import LARGE, atomic_writer
from graphla.io.text.chunks import blocks, map_in_threads

KINDS = ("directed", "undirected")
FORMATS = ("coo", "csr", "csc")
MAX_EXPANSION = 1032  # largest ratio of decompressed to compressed size of deflate
POLYNOMIAL = 0xEDB88320  # of CRC-32, the lowest power in the highest bit
LENGTHS = 26  # position of the lengths of name and extra field in a member's header of 30 bytes
PIECE = 1 << 18  # bytes that are read and summed at a time, in cache


def read(path: Any, *, kind: str | None = None, dup: str | None = "min") -> Graph:
    """Read an .npz file; see :func:`graphla.io.read`."""
    with open(path, "rb") as file, _sparse_errors(path):
        arrays = read_arrays(path, file, {"indices": np.uint64})
        form, n = _format_of(path, arrays), _order_of(path, arrays)
        dtype = arrays["data"].dtype
        if dtype.name not in DTYPES:
            raise ReadError(path, None, f"expected data of a dtype in {DTYPES}; found {dtype}")
        found: Any = kind or _kind_of(path, arrays)
        G = _graph_of_rows(arrays, n) if form == "csr" else None
        if G is None:
            S = _checked(form, n, arrays)
    if G is None:
        src, dst, weight = S.row, S.col, S.data if dtype.kind != "b" else None
    else:
        with suppress(InvalidGraph):
            if not G.has_nan:
                return Graph(G.A, kind=found, copy=False)
        src, dst, weight = edge_columns(G)  # where `graph_from_columns` finds what is wrong

    def fail(record: int, expected: str) -> NoReturn:
        raise ReadError(path, None, expected)

    return graph_from_columns(
        src, dst, weight, n=n, kind=found, dup=dup, both_directions=True, fail=fail
    )


@contextmanager
def _sparse_errors(path: Any) -> Iterator[None]:
    """Turn whatever NumPy, SciPy and zipfile raise on a broken file into a ReadError."""
    try:
        yield
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(path, None, f"expected a sparse matrix: {error}") from error


def _graph_of_rows(arrays: dict[str, Any], n: int) -> Graph | None:
    """Return the directed graph of CSR arrays, which it takes over; weights may be NaN.

    The result is None if rows are not sorted, entries occur twice or the arrays are broken.
    """
    indptr, indices, data = (arrays[name] for name in ("indptr", "indices", "data"))
    if any(x.ndim != 1 or not x.size for x in (indptr, indices, data)):
        return None
    if any(x.dtype.kind not in "iu" for x in (indptr, indices)):
        return None
    try:
        A = from_compressed_rows(indptr, indices, real(data), n, copy=False)
    except (InvalidGraph, InvalidIndex):
        return None
    return None if A is None else Graph(A, copy=False)


def _checked(form: str, n: int, arrays: dict[str, Any]) -> Any:
    """Return the matrix as triples, checked by SciPy."""
    if form == "coo":
        return ss.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=(n, n))
    compressed: Any = ss.csr_array if form == "csr" else ss.csc_array
    S = compressed((arrays["data"], arrays["indices"], arrays["indptr"]), shape=(n, n))
    S.check_format(full_check=True)
    return S.tocoo()


def _format_of(path: Any, arrays: dict[str, Any]) -> str:
    form = arrays["format"].item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    if form not in FORMATS:
        raise ReadError(path, None, f"expected format in {FORMATS}; found {form}")
    return form


def _order_of(path: Any, arrays: dict[str, Any]) -> int:
    shape = tuple(index(x) for x in arrays["shape"])
    if len(shape) != 2 or shape[0] != shape[1] or not 0 <= shape[0] <= MAX_N:
        raise ReadError(path, None, f"expected a square matrix; found {shape}")
    return shape[0]


def _kind_of(path: Any, arrays: dict[str, Any]) -> str:
    """Return the array `kind`; a file written by SciPy has none and is read as directed."""
    kind = str(arrays["kind"].item()) if "kind" in arrays else "directed"
    if kind not in KINDS:
        raise ReadError(path, None, f"expected kind in {KINDS}; found {kind!r}")
    return kind


def write(path: Any, G: Graph) -> None:
    """Write an .npz file; see :func:`graphla.io.write`."""
    A = on_host(G.A)
    if A.nrows < A.nvals:
        indptr, indices, values = to_csr(A)
        arrays: dict[str, Any] = {"format": np.array(b"csr"), "indptr": indptr, "indices": indices}
    else:  # row numbers take less room than offsets of rows
        rows, columns, values = A.to_coo()
        dtype = np.int32 if G.n <= np.iinfo(np.int32).max else np.int64
        row, col = rows.astype(dtype), columns.astype(dtype)
        arrays = {"format": np.array(b"coo"), "row": row, "col": col}
    arrays["data"] = np.ones(A.nvals, bool) if values is None else values
    arrays |= {"shape": np.array([G.n, G.n]), "_is_array": np.array(True)}
    with atomic_writer(path) as file:
        np.savez(file, kind=np.array(G.kind), **arrays)


# ---- the arrays of an archive


def read_arrays(path: Any, file: Any, integers: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays of an archive by name; they own their memory.

    Parameters
    ----------
    path : path_like
    file : file object
        The file, open for reading.
    integers : dict of str to dtype
        Large arrays of integers of these names get this dtype, modulo 2^64: they are converted in
        cache, where a copy afterwards takes memory for both.

    Raises
    ------
    ReadError
        Before memory is allocated, if an array is larger than the file allows.
    Exception
        Whatever zipfile, zlib and NumPy raise on a broken file.
    """
    total = os.path.getsize(path)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        headers = [_checked_header(path, total, archive, member) for member in members]
        arrays = {}
        for member, (head, shape, dtype) in zip(members, headers, strict=True):
            name = member.filename.removesuffix(".npy")
            if _is_large_and_plain(member, shape, dtype):
                wanted = integers.get(name, dtype) if dtype.kind in "iu" else dtype
                arrays[name] = _read_stored(path, file, member, head, shape[0], dtype, wanted)
            else:
                with archive.open(member) as stream:
                    arrays[name] = np.lib.format.read_array(stream, allow_pickle=False)
    return arrays


def _is_large_and_plain(member: Any, shape: Any, dtype: Any) -> bool:
    """Whether an array is worth reading by all threads, and its bytes are those of numbers."""
    is_stored = member.compress_type == zipfile.ZIP_STORED
    return (
        (is_stored and member.compress_size == member.file_size >= LARGE)
        and (len(shape) == 1 and dtype.kind in "biuf" and dtype.itemsize <= 8)
    )  # fmt: skip


def _checked_header(path: Any, total: int, archive: Any, member: Any) -> tuple[int, Any, Any]:
    """Return the size of an array's header, the shape and the dtype."""
    if member.compress_size > total or member.file_size > MAX_EXPANSION * (total + 1):
        raise ReadError(path, None, f"expected {member.filename} to fit in the file")
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version != (1, 0):
            raise ReadError(path, None, f"expected .npy version 1.0; found {version}")
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        head = stream.tell()
    claimed = math.prod(shape) * dtype.itemsize
    if dtype.hasobject or claimed != member.file_size - head:
        raise ReadError(path, None, f"expected {member.filename} of another size")
    return head, shape, dtype


def _read_stored(
    path: Any, file: Any, member: Any, head: int, size: int, dtype: Any, wanted: Any
) -> Any:
    """Return `size` numbers, stored without compression as `dtype`, as `wanted`."""
    file.seek(member.header_offset + LENGTHS)
    lengths = np.frombuffer(file.read(4), "<u2")
    start = member.header_offset + LENGTHS + 4 + int(lengths.sum())
    file.seek(start)
    checksum = zlib.crc32(file.read(head))
    array = np.empty(size, wanted)

    def read(block: slice) -> int:
        checksum, buffer = 0, np.empty(PIECE, np.uint8)
        with open(path, "rb", buffering=0) as source:
            source.seek(start + head + block.start)
            for first in range(block.start, block.stop, PIECE):
                last = min(first + PIECE, block.stop)
                part = array[first // dtype.itemsize : last // dtype.itemsize]
                piece: Any = part.view(np.uint8) if dtype == wanted else buffer[: last - first]
                if source.readinto(piece.data) != piece.size:
                    raise EOFError(f"{member.filename} ends early")
                checksum = zlib.crc32(piece, checksum)
                if dtype != wanted:
                    part[:] = piece.view(dtype)
        return checksum

    parts = blocks(size * dtype.itemsize)
    for block, part in zip(parts, map_in_threads(read, parts), strict=True):
        checksum = combined_checksum(checksum, part, block.stop - block.start)
    if checksum != member.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {member.filename!r}")
    return array


def combined_checksum(first: int, second: int, size: int) -> int:
    """Return the CRC-32 of two texts one after another, of which the second has `size` bytes."""
    return _product(_appended_zeros(size), first) ^ second


@lru_cache(4)
def _appended_zeros(size: int) -> list[int]:
    """Return Z^size, as its columns."""
    power = [1 << k for k in range(32)]
    square = [POLYNOMIAL, *power[:31]]  # appends a bit
    bits = 8 * size
    while bits:
        if bits & 1:
            power = [_product(square, column) for column in power]
        square = [_product(square, column) for column in square]
        bits >>= 1
    return power


def _product(columns: list[int], word: int) -> int:
    """Return a matrix of bits times a vector."""
    total = 0
    for column in columns:
        if word & 1:
            total ^= column
        word >>= 1
    return total
