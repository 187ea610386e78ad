"""Wait in a kernel for a value that another thread stores, and let other threads run until then.

If there are more threads than free processors, a thread that only reads again and again keeps the
other one from running.
"""

from __future__ import annotations

import os
from typing import Any

from numba.core import types
from numba.extending import overload

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
