"""Read the arrays of an .npz archive; large ones without compression by all threads.

A thread reads a block and computes its checksum. Those of the blocks are combined into that of the
whole, which is compared with the archive's: with Z the matrix over GF(2) that appends a zero byte,

    crc(a b) = Z^|b| crc(a) + crc(b)

Source: M. Adler, crc32_combine of zlib.
"""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from functools import lru_cache
from typing import Any

import numpy as np

from graphla.errors import ReadError
from graphla.io.files import LARGE
from graphla.io.text.chunks import PIECE, blocks, map_in_threads

MAX_EXPANSION = 1032  # largest ratio of decompressed to compressed size of deflate
POLYNOMIAL = 0xEDB88320  # of CRC-32, the lowest power in the highest bit
LENGTHS = 26  # position of the lengths of name and extra field in a member's header of 30 bytes


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
