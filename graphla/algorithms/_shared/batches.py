"""Work in batches, with one progress bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graphla.core.display import Progress


def iterate_batches(
    items: Sequence[Any], size: int, algorithm: str, progress: bool
) -> Iterator[Any]:
    """Yield consecutive slices of at most `size` items; the bar advances after each."""
    with Progress(progress, algorithm, len(items)) as bar:
        for first in range(0, len(items), size):
            batch = items[first : first + size]
            yield batch
            bar.step(len(batch))
