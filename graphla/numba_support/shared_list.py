"""A list that the threads of a kernel fill together: an array and the atomic counter of its end.

A thread collects entries in its own buffer and appends the whole buffer, so that it updates
the counter once for many entries.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from graphla.numba_support.atomics import fetch_add


@njit(cache=True, nogil=True, inline="always")
def append_buffer(shared: Any, counters: Any, end: int, buffer: Any, size: int) -> None:
    """Append buffer[:size] to `shared`, whose number of entries is counters[end]."""
    first = fetch_add(counters, end, size)
    for i in range(size):
        shared[first + i] = buffer[i]
