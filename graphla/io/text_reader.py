"""Read a text file: its header line by line, its records in one scan, its errors with line numbers.

Formats use `TextFile`: `header` and `peek` return the words of header lines, `table` scans the
records, and `error` makes the ReadError of a line.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from graphla.errors import ReadError
from graphla.io import csv_columns
from graphla.io.columns import MAX_N, RecordFailure, cast_weights
from graphla.io.files import read_text, whole_lines
from graphla.io.metadata import parse_metadata
from graphla.io.text import scan
from graphla.io.text.chunks import (
    Chunk,
    close_gaps,
    count_byte,
    cut_at_lines,
    scan_in_chunks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STATUS_MESSAGES = {
    scan.TOO_FEW: "the line has too few fields",
    scan.TOO_MANY: "the line has too many fields",
    scan.NOT_A_NUMBER: "a field is not a number",
    scan.NOT_AN_INTEGER: "a number is not an integer",
    scan.OUT_OF_RANGE: "a vertex is out of range",
    scan.TOO_LARGE: "an integer is too large",
    scan.TOO_SMALL: "an unsigned integer is negative",
    scan.WRONG_LEAD: "the line starts with another field",
    scan.EXTRA_RECORDS: "there are more records than the header announces",
    scan.WRONG_ROW_COUNT: "there are more lines than the header announces",
    scan.OPEN_QUOTE: "a quoted field does not end in its line",
}
INT64, UINT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.float64)
MODE_OF_KIND = {"b": scan.INTEGER, "i": scan.INTEGER, "u": scan.UNSIGNED, "f": scan.REAL}
DTYPE_OF_MODE = {scan.INTEGER: INT64, scan.UNSIGNED: UINT64, scan.REAL: FLOAT64}
NARROW = 1 << 31  # vertices that INT32 holds; the first touch of INT64's pages takes twice as long

WORD = re.compile(r'"?[+-]?([^\s,"]*)')  # a field without quotes and sign
NAN = ("nan", "na", "n/a", "null", "none")  # what programs write for a missing number


def count_fields(text: str, comma: bool = False) -> int:
    """Return the number of fields that end in the first part of a line."""
    return text.count(",") if comma else len(text.split())


class Records(NamedTuple):
    """Scanned records, one per column: rows of vertices (from 0) and rows of values.

    The vertices are of dtype INT32, or INT64 if one does not fit. `fail` raises the
    ReadError of a record, with its line.
    """

    index: Any
    values: Any
    fail: RecordFailure


class TextFile:
    """A text file in memory, read from the front.

    `pos` is the position of the next line in `data`, `line` its number from 1. Lines that start
    with a byte of `comments` are skipped; `metadata` collects their metadata fields.
    `vertex_hint` is added to the error of a vertex that is a word, `weight_hint` to a weight's.
    With `text` it is a part of a file, of whole lines.
    """

    def __init__(
        self, path: Any, comments: bytes, vertex_hint: str = "", text: bytes | None = None
    ) -> None:
        self.vertex_hint, self.weight_hint = vertex_hint, ""
        self.path, self.comments = path, np.frombuffer(comments, np.uint8)
        self.data = read_text(path) if text is None else whole_lines(text)
        self._newlines = count_byte(self.data, scan.NEWLINE)
        self.lines = sum(self._newlines)
        has_mark = self.data[: len(codecs.BOM_UTF8)].tobytes() == codecs.BOM_UTF8
        self.pos, self.line = len(codecs.BOM_UTF8) if has_mark else 0, 1
        self.metadata: dict[str, Any] = {}

    def error(
        self, line: int, expected: str, start: int | None = None, hint: str = ""
    ) -> ReadError:
        """Return the ReadError of a line, with the line's text if its `start` is given."""
        if start is not None and start < self.data.size:
            text = bytes(self.data[start : start + 80]).split(b"\n")[0]
            expected += f": {text.decode('ascii', 'backslashreplace')!r}"
        return ReadError(self.path, line, expected + hint)

    def scan_error(
        self, status: int, line: int, start: int, pos: int, expected: str, *,
        is_weight: Callable[[str], bool],
    ) -> ReadError:  # fmt: skip
        """Return the ReadError of a scan that stopped at `pos`, in the line that begins at `start`.

        Characters of a line count from 1. `is_weight` says whether a weight follows a
        text, which is that of the line before `pos`.
        """
        before = bytes(self.data[start:pos]).decode("utf-8", "replace")
        place, hint = f"character {len(before) + 1}", ""
        problem = f"{STATUS_MESSAGES[status]} ({place})"
        if status == scan.WRONG_ROW_COUNT and start == self.data.size:
            problem = "the file ends early"
        elif status in (scan.NOT_A_NUMBER, scan.TOO_FEW):
            after = bytes(self.data[pos : pos + 80]).decode("utf-8", "replace")
            word = WORD.match(after)[1]  # type: ignore[index]  # it matches any text
            around = before.rstrip(" ")[-1:] + after.lstrip(" ")[:1]
            is_empty = not word and ("," in around or "\t" in around)
            if is_weight(before):
                if is_empty or word.lower() in NAN:
                    problem = f"NaN weight ({place}{': empty' * is_empty})"
                elif any(map(str.isalpha, word)):
                    hint = self.weight_hint
            elif any(map(str.isalpha, word)):
                hint = self.vertex_hint
        return self.error(line, f"expected {expected}; {problem}", start, hint)

    def header(self, expected: str, *, marks: bytes | None = None) -> list[str]:
        """Consume the next line that is neither blank nor a comment and return its words."""
        words = self.peek(marks)
        if not words:
            raise self.error(self.line, f"expected {expected}; the file ends")
        self.pos, self.line = scan.end_of_line(self.data, self.pos) + 1, self.line + 1
        return words

    def next_line(self) -> str:
        """Return the text of the line at `pos`, "" at the end of the file."""
        if self.pos == self.data.size:
            return ""
        end = scan.end_of_line(self.data, self.pos)
        return self.data[self.pos : end].tobytes().decode("utf-8", "backslashreplace")

    def has_quotes(self) -> bool:
        """Whether there is a double quote from `pos` on."""
        return any(count_byte(self.data[self.pos :], scan.QUOTE))

    def peek(self, marks: bytes | None = None) -> list[str]:
        """Skip blank lines and comments; return the next line's words, [] at the end of the file.

        `marks` replaces the bytes that start a comment. Metadata comments are parsed.
        """
        marks = self.comments.tobytes() if marks is None else marks
        while self.pos < self.data.size:
            end = scan.end_of_line(self.data, self.pos)
            text = self.data[self.pos : end].tobytes().decode("ascii", "backslashreplace").strip()
            if text and ord(text[0]) not in marks:
                return text.split()
            try:
                self.metadata.update(parse_metadata(text))
            except ValueError as error:
                raise self.error(
                    self.line, f"expected metadata such as 'graphla: n=7'; found {error}"
                ) from None
            self.pos, self.line = end + 1, self.line + 1
        return []

    def dtype(self, argument: np.dtype | None, default: Any) -> np.dtype | None:
        """Return the dtype of the argument, else of the metadata comment, else `default`."""
        if argument is not None:
            return argument
        dtype = self.metadata.get("dtype", default)
        return None if dtype is None else np.dtype(dtype)

    def count(self, word: str, name: str, line: int) -> int:
        """Return a word of the header as an integer in 0..2^60."""
        is_number = word.isascii() and word.isdigit() and len(word.lstrip("0")) <= 20
        if is_number and int(word) <= MAX_N:
            return int(word)
        raise self.error(line, f"expected the {name}, in 0..{MAX_N}; found {word!r}")

    def record_failure(self, find: Callable[[int], tuple[int, int]]) -> RecordFailure:
        """Return the function that raises the ReadError of a record.

        ``find(record)`` returns the number of the record's line and the position of its start.
        """

        def fail(record: int, expected: str) -> NoReturn:
            line, start = find(record)
            raise self.error(line, expected, start)

        return fail

    def table(
        self, expected: str, *, vertices: int, values: int = 0, dtype: np.dtype | None = INT64,
        count: int | None = None, lead: str = "", comma: bool = False, n: int = MAX_N,
        base: int = 0, roles: Sequence[int] | None = None, separator: str = ",",
    ) -> Records:  # fmt: skip
        """Scan the rest of the file as records, one per line.

        Parameters
        ----------
        expected : str
            Description of a record, for errors.
        vertices, values : int
            Number of vertex fields, and of value fields after them.
        dtype : dtype, optional
            Type of the values; None: INT64 if all are integers, UINT64 if that is too narrow,
            else FP64.
        count : int, optional
            Number of records that the header announces.
        lead : str
            Letter that starts each record.
        comma : bool
            Fields are separated by commas.
        n, base : int
            Vertices must be in base..base+n-1; they are returned from 0.
        roles : sequence of int, optional
            Role of each column (:mod:`graphla.io.csv_columns`), for columns in any order with
            quotes and `separator` between them; a blank stands for blanks and tabs. By default
            fields are in the order of a record.
        """

        chunks = cut_at_lines(self.data, self.pos, self.line, self._newlines)
        size = sum(chunk.lines for chunk in chunks)
        index, bits = _allocate(vertices, values, size, np.int32)
        limit = size if count is None else count
        mode = scan.INTEGER if dtype is None else MODE_OF_KIND[dtype.kind]
        overflows: dict[int, int] = {}  # chunk: its first record beyond FP64

        def scan_into(index: Any, bits: Any, chunk: Chunk, first: int, last: int) -> Any:
            data, place = self.data[: chunk.stop], (chunk.start, chunk.line, self.comments)
            most = min(n, NARROW) if index.dtype == np.int32 else n
            rest = (base, base + most - 1, mode, index, bits, first, last)
            if roles is None:
                return scan.scan_records(data, *place, ord(lead or "\0"), comma, *rest)
            return csv_columns.scan_columns(data, *place, ord(separator), np.array(roles), *rest)

        def scan_chunk(chunk: Chunk, last: int) -> Any:
            outcome = scan_into(index, bits, chunk, chunk.first, last)
            if mode == scan.REAL:
                for row in bits:
                    decimals = row[chunk.first : outcome[1]]
                    for record in scan.round_boxed_decimals(self.data[: chunk.stop], decimals)[:1]:
                        overflows[chunk.first] = int(record)
            return outcome

        def find(record: int) -> tuple[int, int]:
            ends = np.cumsum(counts)
            c = int(np.searchsorted(ends, record, side="right"))
            record -= int(ends[c]) - counts[c]
            room = _allocate(vertices, values, record, index.dtype)
            _, _, line, start, _ = scan_into(*room, chunks[c], 0, record)
            return line, start

        while True:
            status, counts, line, start, pos = scan_in_chunks(chunks, scan_chunk, limit)
            if status == scan.OUT_OF_RANGE and n > NARROW and index.dtype == np.int32:
                index = np.empty(index.shape, np.int64)
            elif dtype is None and status == scan.TOO_LARGE and mode == scan.INTEGER:
                mode = scan.UNSIGNED
            elif dtype is None and status == scan.NOT_AN_INTEGER and mode != scan.REAL:
                mode = scan.REAL
            else:
                break
        fail = self.record_failure(find)
        if status != scan.DONE:

            def is_weight(before: str) -> bool:
                if roles is None:
                    return count_fields(before, comma) >= vertices + bool(lead)
                fields = csv_columns.split_fields(before + "0", separator)
                return roles[min(len(fields), len(roles)) - 1] == csv_columns.WEIGHT

            raise self.scan_error(status, line, start, pos, expected, is_weight=is_weight)
        k = sum(counts)
        if count is not None and k < count:
            raise self.error(line, f"expected {count} times {expected}; the file ends after {k}")
        for chunk in chunks:
            if chunk.first in overflows:
                record = sum(counts[: chunks.index(chunk)]) + overflows[chunk.first]
                fail(record, f"expected {expected}; a number is too large for FP64")
        columns = close_gaps(bits, chunks, counts).view(DTYPE_OF_MODE[mode])
        return Records(close_gaps(index, chunks, counts), columns, fail)


def _allocate(vertices: int, values: int, size: int, dtype: Any) -> tuple[Any, Any]:
    """Return arrays for the vertices, of a dtype, and for the values of so many records."""
    return np.empty((vertices, size), dtype), np.empty((values, size), np.uint64)


def record_weights(records: Records, dtype: np.dtype | None) -> Any:
    """Return the first values of the records in `dtype`, None if Boolean (all must be 1)."""
    values = records.values[0]
    if dtype is None or values.dtype == dtype:
        return values
    weights, unrepresentable = cast_weights(values, dtype)
    if unrepresentable.size:
        records.fail(int(unrepresentable[0]), f"expected a weight of dtype {dtype.name}")
    return weights
