"""Atomic updates: compiled and plain, each returns the old value; none is lost among threads."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from graphla.numba_support.atomics import compare_and_swap, fetch_add, fetch_min, fetch_or, load
from graphla.numba_support.thread_pool import run_in_threads
from graphla.numba_support.waiting import give_way


@njit(nogil=True)
def _add_to_few(counters, n):
    for i in range(n):
        fetch_add(counters, i % counters.size, 1)


@njit
def _each(array, value):
    olds = fetch_add(array, 0, value), fetch_or(array, 1, value), fetch_min(array, 2, value)
    return olds, compare_and_swap(array, 3, value, 9), compare_and_swap(array, 3, value, 8)


@njit(nogil=True)
def _answer(values, own, other, turns):
    """Add 1 once the other thread's value is above k, for each k; give up after many reads."""
    for k in range(turns):
        reads = 0
        while load(values, other) <= k:
            reads += 1
            if reads > 1 << 20:
                give_way()
            if reads > 1 << 26:
                return
        fetch_add(values, own, 1)


def test_load_sees_what_another_thread_stores():
    values, turns = np.array([0, 1]), 100
    run_in_threads(lambda t, stopped: _answer(values, t, 1 - t, turns), 2)
    assert values.tolist() == [turns, turns + 1]


@pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.float32])
def test_load(dtype):
    array = np.array([3, 7], dtype)
    assert [read(array) for read in (_second, _second.py_func)] == [7, 7]


@njit
def _second(array):
    return load(array, 1)


def test_no_update_is_lost():
    counters = np.zeros(3, np.int64)
    run_in_threads(lambda t, stopped: _add_to_few(counters, 300_000), 4)
    assert counters.tolist() == [400_000] * 3


@pytest.mark.parametrize("each", [_each, _each.py_func], ids=["compiled", "plain"])
def test_old_values_are_returned(each):
    array = np.array([5, 5, 5, 2], np.int64)
    olds, first, second = each(array, np.int64(2))
    assert olds == (5, 5, 5)
    assert (first, second) == (True, False)
    assert array.tolist() == [7, 7, 2, 9]
