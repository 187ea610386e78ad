"""Calls by several threads that begin at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

THREADS = 8


def together(work):
    """Run ``work(k)`` in every thread, all of them beginning at once."""
    barrier = Barrier(THREADS)

    def begin(k):
        barrier.wait()
        return work(k)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))
