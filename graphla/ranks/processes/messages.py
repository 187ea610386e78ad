"""Messages between the process that starts ranks and the processes of the ranks."""

from __future__ import annotations

from typing import NamedTuple

DONE, FAILED, ENDED = "done", "failed", "ended"  # kinds of replies


class Settings(NamedTuple):
    """What a rank has to know, in the first message."""

    rank: int
    size: int
    folder: str
    engine: str
    device: int  # on engine "cuda"
    threads: int
    path: list[str]  # sys.path
    check_calls: bool
