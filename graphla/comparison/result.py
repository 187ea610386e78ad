"""What a comparison returns: its rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Comparison:
    """The rows of a comparison, one for each graph, algorithm and implementation."""

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self.rows = list(rows)
