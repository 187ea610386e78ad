"""Tables with a header: which columns are the source, the target and the weight, and their scan.

`choose_columns` finds the columns by name. `scan_columns` scans a table whose columns are in any
order, with quotes around fields, and columns that are not read: :mod:`graphla.io.scan` scans
the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.io import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

SRC_NAMES = ("src", "source", "from")
DST_NAMES = ("dst", "target", "to")
WEIGHT_NAMES = ("weight",)
INDEX_NAMES = ("", "unnamed: 0")  # of the index that pandas writes as the first column
SRC, DST, WEIGHT, UNREAD = range(4)  # role of a column


def split_fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line without quotes and blanks around them.

    Any text has fields: a quote that is not closed ends with the line.
    """
    fields, start, is_quoted = [], 0, False
    for k, c in enumerate(line):
        if c == '"':  # one inside is written twice, which changes nothing
            is_quoted = not is_quoted
        elif c == separator and not is_quoted:
            fields.append(line[start:k])
            start = k + 1
    fields = [field.strip() for field in (*fields, line[start:])]
    return [
        field[1:].removesuffix('"').replace('""', '"').strip() if field[:1] == '"' else field
        for field in fields
    ]


def choose_columns(
    names: Sequence[str], src: str | None, dst: str | None, weight: str | None
) -> list[int]:
    """Return the role of each column of a table.

    Parameters
    ----------
    names : sequence of str
        The header.
    src, dst, weight : str, optional
        Names of columns. Default: those called `SRC_NAMES`, `DST_NAMES` and `WEIGHT_NAMES`, in any
        case; else, in a table of two or three columns beside an index, the first, the second and
        the third.

    Raises
    ------
    ValueError
        A column does not exist or occurs twice, has two roles, or the default is not defined; the
        message says what was expected.
    """
    lower = [name.lower() for name in names]
    found = {
        role: _find(names, name) if name is not None else _first(lower, usual)
        for role, name, usual in (
            (SRC, src, SRC_NAMES), (DST, dst, DST_NAMES), (WEIGHT, weight, WEIGHT_NAMES)
        )
    }  # fmt: skip
    rest = [k for k in range(len(names)) if not (k == 0 and lower[k] in INDEX_NAMES)]
    if found[SRC] is None or found[DST] is None:
        if src is not None or dst is not None or len(rest) not in (2, 3):
            raise ValueError(f"src= and dst= that name two of the columns {list(names)}")
        found[SRC], found[DST] = [k for k in rest if k != found[WEIGHT]][:2]
    if found[WEIGHT] is None and src is None and dst is None:
        unused = [k for k in rest if k not in found.values()]
        if len(unused) > 1:
            raise ValueError(f"weight=, or src= and dst=, that name columns of {list(names)}")
        found[WEIGHT] = unused[0] if unused else None
    columns = [k for k in found.values() if k is not None]
    if len(set(columns)) < len(columns):
        raise ValueError(f"different columns as src, dst and weight; found {list(names)}")
    roles = {k: role for role, k in found.items() if k is not None}
    return [roles.get(k, UNREAD) for k in range(len(names))]


def _find(names: Sequence[str], name: str) -> int:
    if names.count(name) != 1:
        what = "a column" if name not in names else "one column"
        raise ValueError(f"{what} {name!r}; found {list(names)}")
    return names.index(name)


def _first(lower: Sequence[str], usual: Sequence[str]) -> int | None:
    """Return the only column with one of the usual names, None if there is none or several."""
    found = [k for k, name in enumerate(lower) if name in usual]
    return found[0] if len(found) == 1 else None


@njit(cache=True, nogil=True)
def skip_field(data: Any, pos: int, separator: int) -> int:
    """Return the position after a field that is not read, -1 if its quote is not closed.

    Quotes may enclose separators; a quote inside is written twice.
    """
    if data[pos] == scan.QUOTE:
        pos += 1
        while data[pos] != scan.QUOTE or data[pos + 1] == scan.QUOTE:
            if data[pos] == scan.NEWLINE:
                return -1
            pos += 2 if data[pos] == scan.QUOTE else 1
    while data[pos] != separator and data[pos] != scan.NEWLINE:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def skip_spaces(data: Any, pos: int) -> int:
    while data[pos] == scan.BLANK or data[pos] == scan.RETURN:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def scan_columns(
    data: Any, pos: int, line: int, comments: Any, separator: int, roles: Any, low: int, high: int,
    mode: int, index: Any, bits: Any, reals: Any,
) -> Any:  # fmt: skip
    """Scan one record per line; ``roles[k]`` says what column k is.

    Fields may be enclosed in quotes, which end in the same line. Fills ``index``
    and ``bits`` and returns the same as :func:`graphla.io.scan.scan_records`.
    """
    k = 0
    while pos < data.size:
        start = pos
        pos = skip_spaces(data, pos)
        is_comment = False
        for mark in comments:
            is_comment = is_comment or data[pos] == mark
        if is_comment or data[pos] == scan.NEWLINE:
            pos, line = scan.skip_line(data, pos) + 1, line + 1
            continue
        if k == index.shape[1]:
            return scan.EXTRA_RECORDS, k, line, start, pos
        for column in range(roles.size):
            if column:
                if data[pos] == scan.NEWLINE:
                    return scan.TOO_FEW, k, line, start, pos
                pos = skip_spaces(data, pos + 1)
            role = roles[column]
            if role == UNREAD:
                end = skip_field(data, pos, separator)
                if end < 0:
                    return scan.OPEN_QUOTE, k, line, start, pos
                pos = end
                continue
            is_quoted = data[pos] == scan.QUOTE
            first = skip_spaces(data, pos + 1) if is_quoted else pos
            end, whole, m, e, negative, fits = scan.scan_number(data, first)
            after = skip_spaces(data, end) if end >= 0 else end
            if is_quoted and end >= 0:
                after = skip_spaces(data, after + 1) if data[after] == scan.QUOTE else -1
            if after < 0 or (data[after] != separator and data[after] != scan.NEWLINE):
                return scan.NOT_A_NUMBER, k, line, start, pos
            if role == WEIGHT and mode == scan.REAL:
                x = scan.real_value(m, e, negative, fits)
                bits[0, k] = scan.BOXED | np.uint64(first)
                if x == x:
                    reals[0, k] = x
                pos = after
                continue
            number_mode = mode if role == WEIGHT else scan.INTEGER
            status, word = scan.integer_bits(whole, m, negative, fits, number_mode)
            if status != scan.DONE:
                return status, k, line, start, pos
            if role == WEIGHT:
                bits[0, k] = word
            else:
                v = np.int64(word)
                if v < low or v > high:
                    return scan.OUT_OF_RANGE, k, line, start, pos
                index[role, k] = v - low
            pos = after
        if data[pos] != scan.NEWLINE:
            return scan.TOO_MANY, k, line, start, pos
        k, pos, line = k + 1, pos + 1, line + 1
    return scan.DONE, k, line, data.size, data.size
