"""A text file in memory: its header line by line, its numbers in one scan, its errors by line."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np

from graphla.errors import ReadError
from graphla.io import scan
from graphla.io.files import read_bytes
from graphla.io.graph_columns import MAX_N, RecordFailure, cast_weights, parse_metadata

FOUND = {
    scan.FEW: "the line ends early",
    scan.MANY: "the line goes on",
    scan.NUMBER: "a field is not a number",
    scan.WHOLE: "a number is not an integer",
    scan.RANGE: "a vertex is out of range",
    scan.LARGE: "an integer is too large",
    scan.SMALL: "an integer is too small",
    scan.LEAD: "the line starts otherwise",
    scan.LONG: "there is more than the header promises",
    scan.ROWS: "there is more than the header promises",
}
INT64, UINT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.float64)
_MODE = {"b": scan.INTEGER, "i": scan.INTEGER, "u": scan.UNSIGNED, "f": scan.REAL}
SCANNED = {scan.INTEGER: INT64, scan.UNSIGNED: UINT64, scan.REAL: FLOAT64}


class Records(NamedTuple):
    """Vertices (from 0) and values of the records, a row for each field; `fail` names a line."""

    index: Any
    values: Any
    fail: RecordFailure


class TextFile:
    """The bytes of `path`, read from the front; `line` is the number of the next line."""

    def __init__(self, path: Any, comments: bytes) -> None:
        text = read_bytes(path)
        self.path, self.comments = path, np.frombuffer(comments, np.uint8)
        self.data = np.frombuffer(text if text[-1:] in b"\n" else text + b"\n", np.uint8)
        self.lines = int(np.count_nonzero(self.data == scan.NEWLINE))
        self.at, self.line = 0, 1
        self.metadata: dict[str, Any] = {}

    def error(self, line: int, expected: str, start: int | None = None) -> ReadError:
        """Return the error of a line, with its text where it is known."""
        if start is not None and start < self.data.size:
            shown = bytes(self.data[start : start + 80]).split(b"\n")[0]
            expected += f": {shown.decode('ascii', 'backslashreplace')!r}"
        return ReadError(self.path, line, expected)

    def header(self, expected: str, *, marks: bytes | None = None) -> list[str]:
        """Return the words of the next line that is neither blank nor a comment; heed notes."""
        words = self.peek(marks)
        if not words:
            raise self.error(self.line, f"expected {expected}; the file ends")
        self.at, self.line = scan.skip_line(self.data, self.at) + 1, self.line + 1
        return words

    def peek(self, marks: bytes | None = None) -> list[str]:
        """Move to the next line that holds something and return its words, none at the end."""
        marks = self.comments.tobytes() if marks is None else marks
        while self.at < self.data.size:
            end = scan.skip_line(self.data, self.at)
            text = self.data[self.at : end].tobytes().decode("ascii", "backslashreplace").strip()
            if text and ord(text[0]) not in marks:
                return text.split()
            try:
                self.metadata.update(parse_metadata(text))
            except ValueError as error:
                raise self.error(
                    self.line, f"expected a note such as 'graphla: n=7'; found {error}"
                ) from None
            self.at, self.line = end + 1, self.line + 1
        return []

    def dtype(self, asked: np.dtype | None, plain: Any) -> np.dtype | None:
        """Return the dtype asked for, else the note's, else `plain`."""
        if asked is not None:
            return asked
        said = self.metadata.get("dtype", plain)
        return None if said is None else np.dtype(said)

    def count(self, word: str, what: str, line: int, most: int = MAX_N) -> int:
        """Return a header's word as an integer in 0..most."""
        if word.isascii() and word.isdigit() and len(word.lstrip("0")) <= 20 and int(word) <= most:
            return int(word)
        raise self.error(line, f"expected the {what}, in 0..{most}; found {word!r}")

    def table(
        self, expected: str, *, vertices: int, values: int = 0, dtype: np.dtype | None = INT64,
        count: int | None = None, lead: str = "", comma: bool = False, n: int = MAX_N,
        base: int = 0,
    ) -> Records:  # fmt: skip
        """Scan the rest: `count` records, one a line, of `vertices` and `values` fields.

        Values of dtype None are INT64 where all are integers, UINT64 where that is too
        narrow, else FP64.
        """
        room = self.lines if count is None else min(count, self.lines)
        index = np.empty((vertices, room), np.int64)
        bits = np.empty((values, room), np.uint64)

        def scan_into(index: Any, bits: Any) -> Any:
            return scan.table(
                self.data, self.at, self.line, self.comments, ord(lead or "\0"), comma,
                base, base + n - 1, mode, index, bits, bits.view(np.float64),
            )  # fmt: skip

        def fail(record: int, expected: str) -> NoReturn:
            room = np.empty((vertices, record), np.int64), np.empty((values, record), np.uint64)
            _, _, line, start = scan_into(*room)  # stops where the record begins
            raise self.error(line, expected, start)

        mode = scan.INTEGER if dtype is None else _MODE[dtype.kind]
        status, k, line, start = scan_into(index, bits)
        if dtype is None and status == scan.LARGE:
            mode = scan.UNSIGNED
            status, k, line, start = scan_into(index, bits)
        if dtype is None and status == scan.WHOLE:
            mode = scan.REAL
            status, k, line, start = scan_into(index, bits)
        if status != scan.DONE:
            raise self.error(line, f"expected {expected}; {FOUND[status]}", start)
        if count is not None and k < count:
            raise self.error(line, f"expected {count} times {expected}; the file ends after {k}")
        columns = bits[:, :k].view(SCANNED[mode])
        if mode == scan.REAL:
            for row in bits:
                for record in scan.round_boxed_decimals(self.data, row[:k])[:1]:
                    fail(int(record), f"expected {expected}; a number is too large for FP64")
        return Records(index[:, :k], columns, fail)


def record_weights(records: Records, dtype: np.dtype | None) -> Any:
    """Return the first values of the records in `dtype`, None if Boolean."""
    values = records.values[0]
    if dtype is None or values.dtype == dtype:
        return values
    values, bad = cast_weights(values, dtype)
    if bad.size:
        records.fail(int(bad[0]), f"expected a weight of dtype {dtype.name}")
    return values
