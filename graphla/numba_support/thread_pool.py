"""Run independent searches in Python threads; the kernels release the GIL."""

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
    with ThreadPoolExecutor(num_threads) as pool:
        try:
            return list(pool.map(lambda t: worker(t, stopped), range(num_threads)))
        except BaseException:
            stopped.set()
            raise
