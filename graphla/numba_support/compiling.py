"""Print a notice when a call has to compile: that takes seconds, once for each set of types."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import config
from numba.core.event import Listener, install_listener


class _CompileNotice(Listener):
    """Print one line at the first function that is compiled and not loaded from the disk cache."""

    def __init__(self, name: str) -> None:
        self._name: str | None = name

    def on_start(self, event: Any) -> None:
        if self._name:
            print(
                f"graphla: compiling {self._name} for these types; the result is cached on disk",
                file=sys.stderr,
            )
        self._name = None

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announce_compilation(name: str) -> Iterator[None]:
    """Print a notice on stderr at the first compilation inside the `with` block."""
    with install_listener("numba:compile", _CompileNotice(name)):
        yield


def is_enabled() -> bool:
    """Whether Numba compiles functions; loops that it leaves to Python are slow."""
    return not config.DISABLE_JIT  # type: ignore[attr-defined]
