"""Format columns of numbers as text, one chunk of records at a time (Numba)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20  # records
INTEGER_BYTES = 20  # most bytes of an integer and the separator after it
NEWLINE, BLANK, COMMA, ZERO = b"\n ,0"


def format_records(
    vertices: tuple[Any, ...], weight: Any = None, *, base: int = 0, lead: str = "",
    sep: str = " ", newlines: Any = None,
) -> Iterator[Any]:  # fmt: skip
    """Yield the text of the records, each followed by ``newlines[k]`` newlines (default: 1).

    A record is `lead`, the vertices plus `base`, and the weight, separated by `sep`. Weights are
    written as Python's `repr` does: the shortest decimal that reads back the same. FP32 is
    converted to FP64 first, so that the text reads back the same as either type.
    """
    for start in range(0, vertices[0].size, CHUNK):
        chunk = slice(start, start + CHUNK)
        index = np.stack([column[chunk] for column in vertices]) + base
        breaks = np.ones(index.shape[1], np.int64) if newlines is None else newlines[chunk]
        weights = b"" if weight is None else f"{weight[chunk].tolist()},".encode()
        capacity = index.size * INTEGER_BYTES + len(weights) + breaks.sum()
        out = np.empty(capacity + (len(lead) + 2) * index.shape[1], np.uint8)
        size = _format_into(
            index, np.frombuffer(weights, np.uint8), np.frombuffer(lead.encode(), np.uint8),
            ord(sep), breaks, out,
        )  # fmt: skip
        yield out[:size].data


@njit(cache=True, nogil=True)
def _format_into(index: Any, weights: Any, lead: Any, sep: int, breaks: Any, out: Any) -> int:
    """Write records to `out`, return the number of bytes; `weights` is "[1.5, 2.0]," or empty."""
    pos, token = 0, 1  # positions in `out` and in `weights`, after the bracket
    for k in range(index.shape[1]):
        for c in lead:
            out[pos] = c
            pos += 1
        for field in range(index.shape[0]):
            if field:
                out[pos] = sep
                pos += 1
            v, width = index[field, k], 1
            while v >= 10:
                v, width = v // 10, width + 1
            v = index[field, k]
            for digit in range(pos + width - 1, pos - 1, -1):
                out[digit] = ZERO + v % 10
                v //= 10
            pos += width
        if weights.size:
            out[pos] = sep
            pos += 1
            while weights[token] != COMMA and weights[token] != ord("]"):
                out[pos] = weights[token]
                pos, token = pos + 1, token + 1
            token += 2  # ", "
        for _ in range(breaks[k]):
            out[pos] = NEWLINE
            pos += 1
        if breaks[k] == 0:
            out[pos] = BLANK
            pos += 1
    return pos
