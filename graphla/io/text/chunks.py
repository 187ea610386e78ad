"""A large text by all threads: it is cut at line ends into chunks, which are scanned independently.

The number of records of a chunk is not known before its scan, but it has at most as many as lines.
So each chunk has places for that many, and gaps, which comments and blank lines leave, are closed
after the scan. The threads are Python's: all they call releases the global lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from numba import njit

from graphla.core.threads import num_threads
from graphla.io.text import scan
from graphla.numba_support.thread_pool import run_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BLOCK = 1 << 22  # bytes of a chunk, to the next line end


class Chunk(NamedTuple):
    """Lines data[start:stop] of a text.

    Attributes
    ----------
    start, stop : int
    line : int
        Number of the first line, from 1.
    lines : int
    first : int
        Place of the first record.
    """

    start: int
    stop: int
    line: int
    lines: int
    first: int


class Scanned(NamedTuple):
    """Outcome of a scan: a status, the records of each chunk up to there, and the error's place.

    `start` is the position of the line's start, `pos` that of the error in the line.
    """

    status: int
    counts: list[int]
    line: int
    start: int
    pos: int


def map_in_threads(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Return work(x) of all items, in order; `work` should release the global lock."""
    results: list[Any] = [None] * len(items)

    def task(k: int) -> None:
        results[k] = work(items[k])

    run_tasks(task, len(items), num_threads())
    return results


def blocks(size: int) -> list[slice]:
    """Return the blocks of a text of so many bytes."""
    return [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]


@njit(cache=True, nogil=True)
def _count_byte(data: Any, byte: int) -> int:
    count = 0
    for c in data:
        count += c == byte
    return count


def count_byte(data: Any, byte: int) -> list[int]:
    """Return how often a byte occurs in each block."""
    return map_in_threads(lambda block: _count_byte(data[block], byte), blocks(data.size))


def cut_at_lines(data: Any, pos: int, line: int, newlines: Sequence[int]) -> list[Chunk]:
    """Return chunks of the text from `pos`, where line number `line` starts; at least one.

    `newlines` counts those of each block of `data`.
    """
    starts, numbers = [pos], [line]
    before = 0  # newlines before the block
    for block, count in enumerate(newlines):
        last_before = block * BLOCK - 1
        if last_before >= starts[-1]:
            newline = scan.end_of_line(data, last_before)
            if newline + 1 < data.size:
                starts.append(newline + 1)
                numbers.append(before + (newline > last_before) + 1)
        before += count
    starts.append(data.size)
    numbers.append(before + 1)
    return [
        Chunk(starts[k], starts[k + 1], numbers[k], numbers[k + 1] - numbers[k], numbers[k] - line)
        for k in range(len(starts) - 1)
    ]


def scan_in_chunks(
    chunks: Sequence[Chunk], scan_chunk: Callable[[Chunk, int], Any], limit: int
) -> Scanned:
    """Scan all chunks, with the outcome of a scan in one piece that has room for `limit` records.

    ``scan_chunk(chunk, last)`` scans the records of a chunk into the places from ``chunk.first``
    on, and returns (status, place after the last record, line, start, pos). Its status is
    EXTRA_RECORDS if there is a record for place `last`.
    """
    first_failed = [len(chunks)]

    def work(c: int) -> Any:
        if c > first_failed[0]:
            return None  # not looked at
        chunk = chunks[c]
        outcome = scan_chunk(chunk, chunk.first + chunk.lines)
        if outcome[0] != scan.DONE:
            first_failed[0] = min(c, first_failed[0])
        return outcome

    counts: list[int] = []
    total = 0
    for chunk, outcome in zip(chunks, map_in_threads(work, range(len(chunks))), strict=True):
        status, end, line, start, pos = outcome
        is_full = total + end - chunk.first == limit
        if total + end - chunk.first > limit or (is_full and status != scan.DONE):
            status, end, line, start, pos = scan_chunk(chunk, chunk.first + limit - total)
        counts.append(end - chunk.first)
        total += counts[-1]
        if status != scan.DONE:
            break
    return Scanned(status, counts, line, start, pos)


def close_gaps(columns: Any, chunks: Sequence[Chunk], counts: Sequence[int]) -> Any:
    """Move the records of each row to the front; return the part that holds them."""
    end = 0
    for chunk, count in zip(chunks, counts, strict=True):
        if chunk.first != end:
            columns[:, end : end + count] = columns[:, chunk.first : chunk.first + count]
        end += count
    return columns[:, :end]
