"""A line that names the rank of an MPI job whose process was killed.

``mpirun`` then ends the other processes at once, so that none of them can print anything, and the
process number that mpich prints may be that of one of those. So each process starts a shell of its
own session, which waits until the process has ended. If the process has not said before that it
ends by itself, the shell prints the line; on each machine only the first one does.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from typing import Any

# $1: a directory that the first shell makes, and all remove; $2: the line.
# The shell closes its streams before it waits: mpirun waits for the end of what holds them.
SCRIPT = """\
read end && exit
mkdir "$1" 2>/dev/null && echo "$2" >&2
exec 0<&- 2>&-
sleep 5
rmdir "$1"
"""


class KilledRankMessage:
    """The shell that waits for the end of this process.

    Parameters
    ----------
    rank, size : int
    token : str
        The same for all ranks of the job on one machine, and for no other job.
    """

    def __init__(self, rank: int, size: int, token: str) -> None:
        self._directory = os.path.join(tempfile.gettempdir(), f"graphla-killed-{token}")
        place = f"process {os.getpid()} on {os.uname().nodename}"
        line = f"rank {rank} of {size} ({place}) was killed, or called os._exit"
        self._shell: Any = None
        with suppress(OSError):  # no shell: mpirun's message has to do
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", SCRIPT, "sh", self._directory, line],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    def suppress(self) -> None:
        """Print no line on this machine: another one says why the job ends."""
        with suppress(OSError):
            os.mkdir(self._directory)

    def close(self) -> None:
        """Say that the process ends by itself."""
        if self._shell is not None:
            with suppress(OSError):
                self._shell.communicate(b"\n")
