"""Buffers that threads append to one list: none overwrites another."""

from __future__ import annotations

import numpy as np

from graphla.numba_support.shared_list import append_buffer
from graphla.numba_support.thread_pool import run_in_threads


def test_every_entry_is_there_once():
    lists = np.arange(400, dtype=np.int32).reshape(4, 25, 4)
    counters, shared = np.array([7, 10, 8]), np.full(200, -1, np.int32)
    expected = [x for part in lists for k, row in enumerate(part) for x in row[: k % 4]]

    def worker(t, stopped):
        for k, buffer in enumerate(lists[t]):
            append_buffer(shared, counters, 1, buffer, k % 4)

    run_in_threads(worker, 4)
    end = 10 + len(expected)
    assert counters.tolist() == [7, end, 8]
    assert sorted(shared[10:end].tolist()) == sorted(expected)
    assert set(shared[:10].tolist()) == set(shared[end:].tolist()) == {-1}
