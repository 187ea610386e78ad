"""The memory that every rank has: one number, on which all ranks agree."""

from __future__ import annotations

from typing import Any

from graphla.errors import InvalidValue

_agreed: dict[str, int] = {}


def agree_on_memory(communicator: Any) -> None:
    """Set :func:`available` to what the rank with the least memory has now, for all ranks.

    The ranks of one machine share its memory.
    """
    share = communicator.blocks.available_memory() // communicator.ranks_here
    allowed = communicator.limited_memory(share)
    _agreed["available"] = int(communicator.gather_words("memory", allowed).first.min())


def available() -> int:
    """Bytes that each rank can allocate, as agreed when the last graph was distributed.

    Raises
    ------
    InvalidValue
        There are no ranks yet.
    """
    if not _agreed:
        raise InvalidValue("there are no ranks yet: call gl.ranks.mpi() first")
    return _agreed["available"]
