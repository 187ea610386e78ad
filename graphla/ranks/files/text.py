"""Edge lists of text, read in ranges of bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from graphla.errors import ReadError
from graphla.io.columns import check_no_nan
from graphla.io.edge_list import Names, open_text, read_edges, read_head
from graphla.io.files import read_bytes, split_suffix
from graphla.ranks.files.edge_file import Columns, EdgeFile, Part

FIRST_BYTES = 1 << 16  # read to find the first edge; more if it is not there
NEWLINE = b"\n"


class TextEdgeFile(EdgeFile):
    """An edge list; a compressed one is read as a whole by one rank.

    Parameters
    ----------
    path : str
    base : {0, 1}
        The number of the first vertex.
    dtype : numpy.dtype or None
        Of the weights, if it is given.
    names : Names
        Names of columns.
    """

    def __init__(self, path: str, *, base: int, dtype: Any, names: Names) -> None:
        self.path, self._base = path, base
        self._is_compressed = bool(split_suffix(path)[1])
        self.nbytes = os.path.getsize(path)
        length = FIRST_BYTES
        while True:
            text, is_whole = self._beginning(length)
            file = open_text(path, text)
            if file.peek() or is_whole:
                break
            length *= 2
        self._head = head = read_head(file, dtype, names)
        self._begin = file.pos
        self.n, self.kind, self.dtype = head.n, head.kind, head.dtype
        self.weighted = None if head.is_empty and not head.weighted else head.weighted

    def _beginning(self, length: int) -> tuple[bytes, bool]:
        """Return the first lines of the file, and whether these are all."""
        if self._is_compressed:
            return read_bytes(self.path), True
        with open(self.path, "rb") as file:
            text = file.read(length)
            return text + file.readline(), len(text) < length

    def parts(self, size: int) -> list[Part]:
        """Return ranges of bytes; a line belongs to the range in which it begins."""
        if self._is_compressed:
            return [Part(0, 0, self.nbytes)]
        starts = range(self._begin, self.nbytes, size)
        return [Part(k, min(k + size, self.nbytes), size) for k in starts]

    def columns(self, part: Part, dtype: Any, n: int | None, size: int) -> Iterator[Columns]:
        """Yield the edges of the lines that begin in a range."""
        if self._is_compressed:
            text = read_bytes(self.path)
            start = self._begin
            while start < len(text):
                end = text.find(NEWLINE, start + size) + 1 or len(text)
                yield self._edges(text[start:end], text[:start].count, dtype, n)
                start = end
            return
        text, before = self._lines(part)
        yield self._edges(text, lambda _: self._lines_before(before), dtype, n)

    def _lines(self, part: Part) -> tuple[bytes, int]:
        """Return the lines that begin in a range, and where the first one begins."""
        with open(self.path, "rb") as file:
            if part.start > self._begin:
                file.seek(part.start - 1)
                file.readline()
            else:
                file.seek(part.start)
            begin = file.tell()
            text = file.read(max(part.stop - begin, 0))
            if text[-1:] not in NEWLINE:
                text += file.readline()
            return text, begin

    def _edges(self, text: bytes, lines_before: Any, dtype: Any, n: int | None) -> Columns:
        file = open_text(self.path, text)
        head = self._head if dtype is None else self._head._replace(dtype=dtype)
        try:
            src, dst, weight, fail = read_edges(file, head, n, self._base)
            check_no_nan(weight, fail)
        except ReadError as error:
            if error.line is None:
                raise
            line = error.line + lines_before(NEWLINE)
            raise ReadError(self.path, line, error.expected) from None
        return Columns(src, dst, weight)

    def _lines_before(self, position: int) -> int:
        """Return how many lines end before a byte of the file."""
        count = 0
        with open(self.path, "rb") as file:
            while position > 0 and (text := file.read(min(position, 1 << 24))):
                count += text.count(NEWLINE)
                position -= len(text)
        return count
