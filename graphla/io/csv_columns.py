"""Tables with a header: which columns are the source, the target and the weight, and their scan.

`choose_columns` finds the columns by name. `scan_columns` scans a table whose columns are in any
order, with quotes around fields, and columns that are not read: :mod:`graphla.io.text.scan` scans
the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.io.text import scan
from graphla.io.text.text_bytes import byte, text_of
from graphla.suggestions import argument

if TYPE_CHECKING:
    from collections.abc import Sequence

SRC, DST, WEIGHT, UNREAD = range(4)  # role of a column
ROLE_OF_NAME = {
    **dict.fromkeys(("src", "source", "from"), SRC),
    **dict.fromkeys(("dst", "target", "to"), DST),
    "weight": WEIGHT,
}
INDEX_NAMES = ("", "unnamed: 0")  # of the index that pandas writes as the first column
PARQUET_INDEX = "__index_level_0__"  # the index that pandas writes as the last column
SPACES = " "  # separator of columns between which there are blanks and tabs


def split_fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line without quotes and blanks around them.

    Any text has fields: a quote that is not closed ends with the line.
    """
    separators = " \t\r" if separator == SPACES else separator
    fields, start, is_quoted = [], 0, False
    for k, c in enumerate(line):
        if c == '"':  # one inside is written twice, which changes nothing
            is_quoted = not is_quoted
        elif c in separators and not is_quoted:
            fields.append(line[start:k])
            start = k + 1
    fields = [field.strip() for field in (*fields, line[start:])]
    if separator == SPACES:
        fields = [field for field in fields if field]
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
        Names of columns. Default: those named in `ROLE_OF_NAME`, in any case. Other columns
        become the ends in a table of two or three columns beside an index: in order, except that
        a column named in `ROLE_OF_NAME` has no other role.

    Raises
    ------
    ValueError
        A column does not exist or occurs twice, has two roles, or the default is not defined; the
        message says what was expected.
    """
    given = ((SRC, src), (DST, dst), (WEIGHT, weight))
    found = {role: find_column(names, name) for role, name in given if name is not None}
    lower = [name.lower() for name in names]
    usual = {
        k: ROLE_OF_NAME[name]
        for k, name in enumerate(lower)
        if name in ROLE_OF_NAME and k not in found.values()
    }
    for role in (SRC, DST, WEIGHT):
        columns = [k for k in usual if usual[k] == role]
        if role not in found and len(columns) == 1:
            found[role] = columns[0]
    others = [k for k, name in enumerate(lower) if not _is_index(k, name)]
    if SRC not in found or DST not in found:
        order = None
        if src is None and dst is None and len(others) in (2, 3):
            order = _order_of_roles([k for k in others if k != found.get(WEIGHT)], usual)
        if order is None:
            ends = f"{argument('src')} and {argument('dst')}"
            raise ValueError(
                f"columns 'source' and 'target', or {ends} that name two of the columns "
                f"{list(names)}"
            )
        found |= order
    if WEIGHT not in found and src is None and dst is None:
        unused = [k for k in others if k not in found.values()]
        if len(unused) > 1:
            raise ValueError(
                f"a column 'weight', or {argument('weight')} that names one of {list(names)}; "
                f"{argument('src')} and {argument('dst')} alone read no weights"
            )
        if unused:
            found[WEIGHT] = unused[0]
    if len(set(found.values())) < len(found):
        raise ValueError(f"different columns as src, dst and weight; found {list(names)}")
    roles = {k: role for role, k in found.items()}
    return [roles.get(k, UNREAD) for k in range(len(names))]


def find_column(names: Sequence[str], name: str) -> int:
    """Return the position of the column with a name; ValueError unless there is exactly one."""
    if names.count(name) != 1:
        what = "a column" if name not in names else "one column"
        raise ValueError(f"{what} {name!r}; found {list(names)}")
    return names.index(name)


def _is_index(k: int, name: str) -> bool:
    """Whether column k, of this name in lower case, is an index that pandas wrote."""
    return (k == 0 and name in INDEX_NAMES) or name == PARQUET_INDEX


def _order_of_roles(columns: list[int], usual: dict[int, int]) -> dict[int, int] | None:
    """Return the column of each role, None if every order gives a usual name another role."""
    orders = [columns, columns[::-1]] if len(columns) == 2 else [columns] * (len(columns) == 3)
    for order in orders:
        roles = dict(zip((SRC, DST, WEIGHT), order, strict=False))
        if all(usual.get(k, role) == role for role, k in roles.items()):
            return roles
    return None


@njit(cache=True, nogil=True)
def skip_field(text: Any, pos: int, separator: int) -> int:
    """Return the position after a field that is not read, -1 if its quote is not closed.

    Quotes may enclose separators; a quote inside is written twice.
    """
    if byte(text, pos) == scan.QUOTE:
        pos += 1
        while byte(text, pos) != scan.QUOTE or byte(text, pos + 1) == scan.QUOTE:
            if byte(text, pos) == scan.NEWLINE:
                return -1
            pos += 2 if byte(text, pos) == scan.QUOTE else 1
    while not is_column_separator(byte(text, pos), separator) and byte(text, pos) != scan.NEWLINE:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def is_column_separator(c: int, separator: int) -> bool:
    return c == separator or (separator == scan.BLANK and c in (scan.TAB, scan.RETURN))


@njit(cache=True, nogil=True)
def skip_spaces(text: Any, pos: int, separator: int) -> int:
    """Skip the blanks around a field: a tab is one unless it separates columns."""
    while (
        byte(text, pos) == scan.BLANK
        or byte(text, pos) == scan.RETURN
        or (byte(text, pos) == scan.TAB and separator != scan.TAB)
    ):
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def end_of_field(text: Any, pos: int, separator: int) -> int:
    """Return the position of the separator or newline after a field, -1 if there is other text.

    Of several blanks that separate two columns it is the last.
    """
    end = skip_spaces(text, pos, separator)
    if byte(text, end) == scan.NEWLINE or is_column_separator(byte(text, end), separator):
        return end
    return end - 1 if end > pos and is_column_separator(byte(text, end - 1), separator) else -1


@njit(cache=True, nogil=True)
def scan_columns(
    data: Any, pos: int, line: int, comments: Any, separator: int, roles: Any, low: int, high: int,
    mode: int, index: Any, bits: Any, first: int, last: int,
) -> Any:  # fmt: skip
    """Scan one record per line; ``roles[k]`` says what column k is.

    Fields may be enclosed in quotes, which end in the same line. Lines that start with a byte of
    ``comments`` are skipped if the first column holds vertices: any other may hold such a text.
    Fills ``index`` and ``bits`` and returns the same as :func:`graphla.io.text.scan.scan_records`.
    """
    text, k = text_of(data), first
    while pos < data.size:
        start = pos
        pos = skip_spaces(text, pos, separator)
        is_comment = False
        if roles[0] == SRC or roles[0] == DST:
            for mark in range(comments.size):
                is_comment = is_comment or byte(text, pos) == comments[mark]
        if is_comment or byte(text, pos) == scan.NEWLINE:
            pos, line = scan.skip_line(text, pos) + 1, line + 1
            continue
        if k == last:
            return scan.EXTRA_RECORDS, k, line, start, pos
        for column in range(roles.size):
            if column:
                if byte(text, pos) == scan.NEWLINE:
                    return scan.TOO_FEW, k, line, start, pos
                pos = skip_spaces(text, pos + 1, separator)
            role = roles[column]
            if role == UNREAD:
                end = skip_field(text, pos, separator)
                if end < 0:
                    return scan.OPEN_QUOTE, k, line, start, pos
                pos = end_of_field(text, end, separator)
                continue
            is_quoted = byte(text, pos) == scan.QUOTE
            begin = skip_spaces(text, pos + 1, separator) if is_quoted else pos
            end, whole, m, e, negative, fits = scan.scan_number(text, begin)
            if is_quoted and end >= 0:
                end = skip_spaces(text, end, separator)
                end = end + 1 if byte(text, end) == scan.QUOTE else -1
            after = end_of_field(text, end, separator) if end >= 0 else end
            if after < 0:
                return scan.NOT_A_NUMBER, k, line, start, pos
            if role == WEIGHT and mode == scan.REAL:
                bits[0, k] = scan.real_bits(text, begin, m, e, negative, fits)
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
        if byte(text, pos) != scan.NEWLINE:
            return scan.TOO_MANY, k, line, start, pos
        k, pos, line = k + 1, pos + 1, line + 1
    return scan.DONE, k, line, data.size, data.size
