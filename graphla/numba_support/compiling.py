"""Say so when a call has to compile: it takes seconds, once, and the user would wonder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener


class _Announcer(Listener):
    """Prints one line at the first function that is compiled, not read from the disk."""

    def __init__(self, what: str) -> None:
        self._what: str | None = what

    def on_start(self, event: Any) -> None:
        if self._what:
            print(
                f"graphla: compiling {self._what} for these types; kept on disk from now on",
                file=sys.stderr,
            )
        self._what = None

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Announce on stderr the first compilation inside the block."""
    with install_listener("numba:compile", _Announcer(what)):
        yield
