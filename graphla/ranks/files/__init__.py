"""Graphs from files that all ranks read together, each its part."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla.core.graph import Kind
from graphla.errors import DomainMismatch, InvalidValue, ReadError
from graphla.io import read as read_whole
from graphla.io import reader_of
from graphla.io.columns import check_n, weight_dtype
from graphla.io.edge_list import Names, check_arguments
from graphla.io.files import split_suffix
from graphla.ranks.files.construction import distributed_graph
from graphla.ranks.files.edge_file import Columns, EdgeFile, Part
from graphla.ranks.files.parquet import ParquetEdgeFile
from graphla.ranks.files.text import TextEdgeFile

PIECE = 1 << 25  # bytes of a piece
IN_PARTS = (".parquet", ".el", ".wel", ".tsv", ".txt", ".csv")  # formats that are read in parts


def read(
    ranks: Any, path: Any, *, kind: Kind | None = None, dup: str | None = "min",
    piece: int = PIECE, **options: Any,
) -> Any:  # fmt: skip
    """Read a graph from files; see :meth:`graphla.ranks.Ranks.read`. Called by all ranks together.

    `piece` is the number of bytes that a rank reads at a time.
    """
    communicator = ranks.communicator
    listed = communicator.guarded(
        "list files",
        lambda: _checked_files(path, kind, dup, options) if ranks.rank == 0 else None,
    )
    paths: list[str] = communicator.broadcast("list files", listed)
    if split_suffix(paths[0])[0] not in IN_PARTS:

        def work() -> Any:
            return read_whole(paths[0], kind=kind, dup=dup, **options) if not ranks.rank else None

        return ranks.distribute(communicator.guarded("read", work))
    n, dtype = check_n(options.pop("n", None)), weight_dtype(options.pop("dtype", None))
    base = options.pop("base", 0)
    names = Names(**{name: options.get(name) for name in Names._fields})

    def opened() -> dict[int, EdgeFile]:
        mine = range(ranks.rank, len(paths), ranks.size)
        return {k: _opened(paths[k], base, dtype, names) for k in mine}

    by_number: dict[int, EdgeFile] = {}
    for found in communicator.gather_objects("open files", communicator.guarded("read", opened)):
        by_number |= found
    files = [by_number[k] for k in range(len(paths))]
    weighted = _agreed(files, "weighted") or False
    dtype = dtype or (_agreed(files, "dtype") if weighted else None)
    n = _agreed(files, "n") if n is None else n
    kind = kind or _agreed(files, "kind") or "directed"
    size, parts = _own_parts(files, ranks.rank, ranks.size, piece)

    def reader(dtype: Any, n: int | None) -> Iterator[Columns]:
        for k, part in parts:
            yield from files[k].columns(part, dtype, n, size)

    return distributed_graph(
        ranks, reader, n=n, kind=kind, dup=dup, dtype=dtype, weighted=weighted, name=str(path)
    )


def _checked_files(path: Any, kind: str | None, dup: str | None, options: Any) -> list[str]:
    """Return the files of a path, all of one format, after a check of all arguments."""
    paths = _files(path)
    formats = sorted({split_suffix(x)[0] for x in paths})
    if len(formats) > 1:
        raise InvalidValue(f"{path}: files of several formats, {', '.join(formats)}")
    reader_of(paths[0], kind, dup, options)
    if formats[0] not in IN_PARTS:
        if len(paths) > 1:
            raise InvalidValue(
                f"{len(paths)} files of {formats[0]}: one graph in several files is an edge list "
                f"or Parquet ({', '.join(IN_PARTS)})"
            )
    elif formats[0] != ".parquet":
        names = Names(**{name: options.get(name) for name in Names._fields})
        check_arguments(paths[0], options.get("base", 0), names)
    check_n(options.get("n"))
    weight_dtype(options.get("dtype"))
    return paths


def _files(path: Any) -> list[str]:
    """Return the files of a path, a pattern, a folder, or a list of these, in order."""
    if isinstance(path, (list, tuple)):
        if not path:
            raise InvalidValue("path is an empty list: at least one file")
        return [file for x in path for file in _files(x)]
    if not isinstance(path, (str, os.PathLike)):
        raise DomainMismatch(f"path must be a str, a path or a list, not {type(path).__name__}")
    text = os.fspath(path)
    if os.path.isdir(text):
        found = [
            os.path.join(text, name)
            for name in sorted(os.listdir(text))
            if split_suffix(name)[0] in IN_PARTS and name[0] not in "._"
        ]
    elif glob.has_magic(text) and not os.path.exists(text):
        found = sorted(glob.glob(text))
    else:
        return [text]
    if not found:
        raise FileNotFoundError(f"no file of edges is in {text!r}: {', '.join(IN_PARTS)}")
    return found


def _opened(path: str, base: int, dtype: Any, names: Names) -> EdgeFile:
    if split_suffix(path)[0] == ".parquet":
        return ParquetEdgeFile(path, names=names)
    return TextEdgeFile(path, base=base, dtype=dtype, names=names)


def _agreed(files: list[EdgeFile], name: str) -> Any:
    """Return what the files say of a property, all the same; None if none says anything."""
    said = [(file, x) for file in files if (x := getattr(file, name)) is not None]
    for file, x in said:
        if x != said[0][1]:
            first, value = said[0]
            raise ReadError(
                file.path, None, f"expected {name}={value}, as of {first.path}; found {name}={x}"
            )
    return said[0][1] if said else None


def _own_parts(
    files: list[EdgeFile], rank: int, ranks: int, piece: int
) -> tuple[int, list[tuple[int, Part]]]:
    """Return the size of pieces, and this rank's parts: consecutive ones of nearly equal bytes."""
    nbytes = sum(file.nbytes for file in files)
    size = max(1, min(piece, -(-nbytes // ranks)))
    parts = [(k, part) for k, file in enumerate(files) for part in file.parts(size)]
    ends = np.cumsum([part.nbytes for _, part in parts], dtype=np.int64)
    middles = ends - np.array([part.nbytes // 2 for _, part in parts], np.int64)
    total = int(ends[-1]) if parts else 0
    owners = middles * ranks // max(total, 1)
    return size, [part for owner, part in zip(owners, parts, strict=True) if owner == rank]
