"""Read and write whole files: compression by suffix, atomic replacement, optional packages."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.errors import MissingPackage, ReadError
from graphla.io.text.chunks import blocks, map_in_threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMPRESSED = (".gz", ".zst")
GZIP_LEVEL = 6
LARGE = 1 << 23  # bytes from which threads share the reading
NEWLINE = ord("\n")


def import_optional(package: str, purpose: str, install: str = "'graphla[io]'") -> Any:
    """Import an optional package; MissingPackage says what needs it and how to install it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingPackage(
            f"{purpose} needs {package.split('.')[0]}: pip install {install}"
        ) from error


def split_suffix(path: Any) -> tuple[str, str]:
    """Return the suffixes of format and compression in lower case, "" for one that is absent."""
    suffixes = ["", "", *(suffix.lower() for suffix in Path(path).suffixes)]
    if suffixes[-1] in COMPRESSED:
        return suffixes[-2], suffixes[-1]
    return suffixes[-1], ""


def read_bytes(path: Any) -> bytes:
    """Return the bytes of a file, decompressed according to its suffix."""
    data = Path(path).read_bytes()
    _, suffix = split_suffix(path)
    if suffix == ".gz":
        try:
            data = gzip.decompress(data) if data else _fail_truncated(path, suffix)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ReadError(path, None, f"expected a whole gzip file: {error}") from error
    elif suffix == ".zst":
        data = _decompress_zst(path, data)
    return data


def read_text(path: Any) -> Any:
    """Return a text file as a read-only array of bytes, decompressed, and ended by a newline."""
    if split_suffix(path)[1] or os.path.getsize(path) < LARGE:
        return whole_lines(read_bytes(path))
    size = os.path.getsize(path)
    data = np.empty(size + 1, np.uint8)
    data[size] = NEWLINE

    def is_read(block: slice) -> bool:
        with open(path, "rb", buffering=0) as file:
            file.seek(block.start)
            return file.readinto(data[block].data) == block.stop - block.start

    if not all(map_in_threads(is_read, blocks(size))):
        return whole_lines(read_bytes(path))  # the file has become shorter
    data.flags.writeable = False
    return data if data[size - 1] != NEWLINE else data[:size]


def whole_lines(text: bytes) -> Any:
    """Return a text as an array of bytes, ended by a newline unless it is empty."""
    return np.frombuffer(text if text[-1:] in b"\n" else text + b"\n", np.uint8)


def _fail_truncated(path: Any, suffix: str) -> bytes:
    raise ReadError(path, None, f"expected a whole {suffix} file: it ends early")


def _decompress_zst(path: Any, data: bytes) -> bytes:
    """Decompress all frames; sizes declared in frame headers are not used to allocate memory."""
    zstd = import_optional("zstandard", "a .zst file")
    parts: list[bytes] = []
    rest = data
    while rest or not parts:
        frame = zstd.ZstdDecompressor().decompressobj()
        try:
            parts.append(frame.decompress(rest))
        except zstd.ZstdError as error:
            raise ReadError(path, None, f"expected a whole zstandard file: {error}") from error
        if not frame.eof:
            _fail_truncated(path, ".zst")
        rest = frame.unused_data
    return b"".join(parts)


def write_pieces(path: Any, pieces: Iterable[Any]) -> None:
    """Write `pieces` to a file, compressed according to its suffix; on an error write nothing."""
    _, suffix = split_suffix(path)
    zstd = import_optional("zstandard", "a .zst file") if suffix == ".zst" else None
    with atomic_writer(path) as file:
        out = file
        if suffix == ".gz":
            out = gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)
        elif zstd is not None:
            out = zstd.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)
        for piece in pieces:
            out.write(piece)
        if out is not file:
            out.close()


@contextmanager
def atomic_writer(path: Any) -> Iterator[Any]:
    """Open a temporary file beside `path` that replaces it on exit, or is deleted on an error."""
    target = os.path.realpath(path)
    draft = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.part")
    try:
        with open(draft, "xb") as file:
            try:
                yield file
                file.close()
                os.replace(draft, target)
            except BaseException:
                file.close()
                os.unlink(draft)
                raise
    except OSError as error:
        if error.filename != draft:
            raise
        # the caller knows `path` alone
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
