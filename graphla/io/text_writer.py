"""Spell columns of numbers as text, a chunk of records at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20  # records
LONGEST = 20  # bytes of an integer and the separator after it
NEWLINE, BLANK, COMMA, ZERO = b"\n ,0"


def format_records(
    vertices: tuple[Any, ...], weight: Any = None, *, base: int = 0, lead: str = "",
    sep: str = " ", breaks: Any = None,
) -> Iterator[Any]:  # fmt: skip
    """Yield the text of the records, each with ``breaks[k]`` newlines after it (1 by default).

    A weight is spelled as Python's `repr` does: the shortest decimal that reads back the
    same. FP32 becomes FP64 first, so that it does so in whichever type it is read.
    """
    for start in range(0, vertices[0].size, CHUNK):
        part = slice(start, start + CHUNK)
        index = np.stack([column[part] for column in vertices]) + base
        after = np.ones(index.shape[1], np.int64) if breaks is None else breaks[part]
        tokens = b"" if weight is None else f"{weight[part].tolist()},".encode()
        room = index.size * LONGEST + len(tokens) + (len(lead) + 2) * index.shape[1] + after.sum()
        out = np.empty(room, np.uint8)
        size = _spell(
            index, np.frombuffer(tokens, np.uint8), np.frombuffer(lead.encode(), np.uint8),
            ord(sep), after, out,
        )  # fmt: skip
        yield out[:size].data


@njit(cache=True, nogil=True)
def _spell(index: Any, tokens: Any, lead: Any, sep: int, breaks: Any, out: Any) -> int:
    """Write records to `out`; `tokens` is "[1.5, 2.0]," or empty."""
    at, token = 0, 1
    for k in range(index.shape[1]):
        for c in lead:
            out[at] = c
            at += 1
        for f in range(index.shape[0]):
            if f:
                out[at] = sep
                at += 1
            v, width = index[f, k], 1
            while v >= 10:
                v, width = v // 10, width + 1
            v = index[f, k]
            for place in range(at + width - 1, at - 1, -1):
                out[place] = ZERO + v % 10
                v //= 10
            at += width
        if tokens.size:
            out[at] = sep
            at += 1
            while tokens[token] != COMMA and tokens[token] != ord("]"):
                out[at] = tokens[token]
                at, token = at + 1, token + 1
            token += 2  # ", "
        for _ in range(breaks[k]):
            out[at] = NEWLINE
            at += 1
        if breaks[k] == 0:
            out[at] = BLANK
            at += 1
    return at
