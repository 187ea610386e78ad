"""Whether all entries of a distributed matrix have one value, which then need not be sent."""

from __future__ import annotations

from typing import Any

import numpy as np

EMPTY, ONE, MANY = 0, 1, 2  # how many values a rank stores
WORD = 8  # bytes


def shared_value(communicator: Any, call: str, values: Any, count: int) -> Any:
    """Return the value that the entries of all ranks have, as an array of one element, or None.

    Parameters
    ----------
    communicator : Communicator
    call : str
        Name of the operation, for traces.
    values : array
        Of this rank's entries: one for each, or a single one for all. Of one dtype on all ranks.
    count : int
        The number of entries of this rank.

    Returns
    -------
    array or None
        The same on all ranks. None if a rank stores a value for each of several entries, even if
        these are equal, or if no rank has entries.
    """
    blocks, dtype = communicator.blocks, values.dtype

    def work() -> tuple[int, int]:
        if not count:
            return EMPTY, 0
        if values.size > 1:
            return MANY, 0
        value = dtype.type(blocks.read(values))
        return ONE, int.from_bytes(value.tobytes().ljust(WORD, b"\0"), "little", signed=True)

    kinds, bits = communicator.gather_words(call, *communicator.guarded(call, work))
    found = set(bits[kinds == ONE].tolist())
    if (kinds == MANY).any() or len(found) != 1:
        return None
    content = found.pop().to_bytes(WORD, "little", signed=True)[: dtype.itemsize]
    return blocks.xp.asarray(np.frombuffer(content, dtype))
