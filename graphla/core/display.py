"""What a user sees of work and results: progress bars, HTML tables and warnings."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from contextvars import ContextVar
from html import escape
from typing import Any
from warnings import warn

INSIDE = ("graphblas", "graphla")  # packages that no warning points at


hides_progress = ContextVar("hides_progress", default=False)  # in a thread: on ranks but the first


class Progress:
    """Counts steps on a tqdm bar if `show`; otherwise it does nothing.

    Parameters
    ----------
    show : bool
        Whether there is a bar.
    label : str
    total : int or None
        Number of steps, if known.
    estimate : bool, default True
        Show the rate and the time that is left. False for steps of very different length.
    """

    def __init__(
        self, show: bool, label: str, total: int | None = None, *, estimate: bool = True
    ) -> None:
        self._bar: Any = None
        if show and not hides_progress.get():
            from tqdm.auto import tqdm

            layout = None if estimate else "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}]"
            self._bar = tqdm(desc=label, total=total, bar_format=layout)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the bar; it stays visible."""
        if self._bar is not None:
            self._bar.close()

    def set_label(self, label: str) -> None:
        """Replace the label: what runs now."""
        if self._bar is not None:
            self._bar.set_description(label)

    def step(self, done: int = 1) -> None:
        """Advance by `done` steps."""
        if self._bar is not None:
            self._bar.update(done)


def html_table(
    rows: Iterable[Sequence[str]],
    head: Sequence[str] = (),
    *,
    caption: str = "",
    numbers: Collection[str] = (),
) -> str:
    """Return an HTML table; all texts are escaped.

    Parameters
    ----------
    rows : iterable of sequences of str
        If there is no `head`, the first cell of each row is a heading.
    head : sequence of str
        Names of the columns.
    caption : str
    numbers : collection of str
        The columns whose cells get the class "number".
    """

    def line(tags: Iterable[str], texts: Sequence[str]) -> str:
        classes = (' class="number"' if name in numbers else "" for name in head or texts)
        cells = zip(tags, classes, map(escape, texts), strict=False)
        return "<tr>" + "".join(f"<{t}{c}>{text}</{t}>" for t, c, text in cells) + "</tr>"

    if head:
        body = "".join(line(["td"] * len(head), row) for row in rows)
        body = f"<thead>{line(['th'] * len(head), head)}</thead><tbody>{body}</tbody>"
    else:
        body = "".join(line(["th", *["td"] * (len(row) - 1)], row) for row in rows)
    return f"<table>{f'<caption>{escape(caption)}</caption>' if caption else ''}{body}</table>"


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, with the line of the innermost caller outside the packages of INSIDE."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    warn(message, category, stacklevel=level)
