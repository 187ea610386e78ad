"""Run independent work in Python threads; the kernels release the GIL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any


def run_in_threads(worker: Callable[[int, Event], Any], num_threads: int) -> list[Any]:
    """Call worker(t, stopped) for t in 0..num_threads - 1, each in its own thread.

    Return the results in the order of t. `stopped` is set once a worker has raised, or the user
    has interrupted the call: workers check it between two searches, so that all end early.
    """
    stopped = Event()

    def work(t: int) -> Any:
        try:
            return worker(t, stopped)
        except BaseException:
            stopped.set()
            raise

    with ThreadPoolExecutor(num_threads) as pool:
        try:
            return list(pool.map(work, range(num_threads)))
        except BaseException:  # also of this thread, as a KeyboardInterrupt
            stopped.set()
            raise


def run_tasks(task: Callable[[int], Any], num_tasks: int, num_threads: int) -> None:
    """Call task(k) for k in 0..num_tasks - 1; each thread takes the next one when it is free."""
    if num_threads == 1 or num_tasks <= 1:
        for k in range(num_tasks):
            task(k)
        return
    tasks = iter(range(num_tasks))

    def work(thread: int, stopped: Event) -> None:
        for k in tasks:
            if stopped.is_set():
                break
            task(k)

    run_in_threads(work, min(num_threads, num_tasks))
