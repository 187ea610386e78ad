"""The memory that every rank has: one number, on which all ranks agree."""

from __future__ import annotations

from typing import Any

from graphla.core import memory

_agreed: dict[str, int] = {}


def agree_on_memory(communicator: Any) -> None:
    """Set :func:`available` to what the rank with the least memory has now, for all ranks.

    The ranks of one machine share its memory.
    """
    words = communicator.gather_words("memory", memory.available("cpu")).first
    _agreed["available"] = int(words.min()) // communicator.size


def available() -> int:
    """Bytes that each rank can allocate, as agreed when the last graph was distributed."""
    return _agreed["available"]
