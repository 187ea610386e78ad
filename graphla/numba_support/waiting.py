"""Wait in a kernel for a value that another thread stores, and let other threads run until then.

If there are more threads than free processors, a thread that only reads again and again keeps the
other one from running.
"""

from __future__ import annotations

import os
from typing import Any

from numba import njit
from numba.core import types
from numba.extending import overload

from graphla.numba_support.atomics import fence, load

SPINS = 100  # reads of a counter before a waiting thread gives its processor away

_sched_yield = types.ExternalFunction("sched_yield", types.int32())


def give_way() -> None:
    """Let the system run another thread; do nothing where there is no `sched_yield`."""


@overload(give_way)
def _() -> Any:
    if not hasattr(os, "sched_yield"):
        return lambda: None

    def yield_processor():
        _sched_yield()

    return yield_processor


@njit(cache=True, nogil=True)
def wait_until_above(counters: Any, i: int, place: int) -> Any:
    """Wait until counters[i] is larger than `place`, or negative, and return it.

    What the thread that stored it wrote before a fence can be read after the call.
    """
    spins, end = 0, load(counters, i)
    while 0 <= end <= place:
        spins += 1
        if spins > SPINS:
            give_way()
        end = load(counters, i)
    fence()
    return end
