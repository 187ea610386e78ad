"""Threads that wait for each other: what one writes before a fence, the other reads after it."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from graphla.numba_support.atomics import fence, fetch_add
from graphla.numba_support.thread_pool import run_in_threads
from graphla.numba_support.waiting import give_way, wait_until_above
from tests.native.threads import compiled

ROUNDS = 2000


@njit(nogil=True)
def _take_turns(data, turn, me):
    for i in range(ROUNDS):
        while fetch_add(turn, 0, 0) != 2 * i + me:
            give_way()
        fence()
        for k in range(data.size):
            data[k] += k
        fence()
        fetch_add(turn, 0, 1)


@njit(nogil=True)
def _wait_in_turn(data, turn, me):
    for i in range(ROUNDS):
        wait_until_above(turn, 0, 2 * i + me - 1)
        for k in range(data.size):
            data[k] += k
        fence()
        fetch_add(turn, 0, 1)


@compiled
@pytest.mark.parametrize("take_turns", [_take_turns, _wait_in_turn])
def test_threads_take_turns(take_turns):
    data, turn = np.zeros(50, np.int64), np.zeros(1, np.int64)
    run_in_threads(lambda t, stopped: take_turns(data, turn, t), 2)
    assert data.tolist() == [2 * ROUNDS * k for k in range(50)]


def test_uncompiled_calls_do_nothing():
    assert fence() is None
    assert give_way() is None


def test_no_wait_for_what_is_there_or_never_comes():
    assert wait_until_above(np.array([0, 7]), 1, 6) == 7
    assert wait_until_above(np.array([0, -1]), 1, 6) == -1
