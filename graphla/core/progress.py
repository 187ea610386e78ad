"""A progress bar for long work, on request."""

from __future__ import annotations

from typing import Any


class Progress:
    """Counts steps on a tqdm bar where `show`, and costs nothing where not.

    Parameters
    ----------
    show : bool
        Whether there is a bar.
    what : str
        Its label.
    total : int or None
        Number of steps, where known beforehand.
    """

    def __init__(self, show: bool, what: str, total: int | None = None) -> None:
        self._bar: Any = None
        if show:
            from tqdm.auto import tqdm

            self._bar = tqdm(desc=what, total=total)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the bar as it is."""
        if self._bar is not None:
            self._bar.close()

    def step(self, done: int = 1) -> None:
        """Advance by `done` steps."""
        if self._bar is not None:
            self._bar.update(done)
