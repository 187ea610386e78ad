"""Searches in threads: results in order, and an early end after an exception."""

from __future__ import annotations

import threading
import time

import pytest

from graphla.numba_support.thread_pool import run_in_threads, run_tasks


def test_results_are_in_the_order_of_threads():
    barrier = threading.Barrier(3, timeout=30)  # passed only if all three run at once

    def worker(t, stopped):
        barrier.wait()
        return t * t, stopped.is_set()

    assert run_in_threads(worker, 3) == [(0, False), (1, False), (4, False)]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_exception_stops_the_others(failing):
    ended = []
    barrier = threading.Barrier(3, timeout=30)  # a thread that has not begun may be left out

    def worker(t, stopped):
        barrier.wait()
        if t == failing:
            raise ZeroDivisionError("first")
        assert stopped.wait(30)
        ended.append(t)

    with pytest.raises(ZeroDivisionError, match="first"):
        run_in_threads(worker, 3)
    assert sorted(ended) == sorted({0, 1, 2} - {failing})


@pytest.mark.parametrize("num_threads", [1, 3, 50])
def test_every_task_is_run_once(num_threads):
    done = []
    run_tasks(done.append, 20, num_threads)
    assert sorted(done) == list(range(20))
    run_tasks(done.append, 0, num_threads)
    assert len(done) == 20


@pytest.mark.parametrize("failing", [0, 1, 7])
def test_a_task_that_fails_ends_the_others(failing):
    done = []

    def task(k):
        if k == failing:
            raise ZeroDivisionError("first")
        done.append(k)
        time.sleep(0.001)

    for num_threads in (1, 2):
        with pytest.raises(ZeroDivisionError, match="first"):
            run_tasks(task, 10_000, num_threads)
        assert len(done) < 10_000
