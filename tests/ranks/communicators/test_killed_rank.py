"""A process that is killed leaves one line; one that ends by itself leaves none."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, tempfile
from graphla.ranks.communicators.killed_rank import KilledRankMessage
messages = [KilledRankMessage(rank, 3, "token") for rank in (1, 1)]  # of one machine
{}
"""
KILL = "os.kill(os.getpid(), signal.SIGKILL)"


@pytest.mark.parametrize(
    ("end", "status", "lines"),
    [
        (KILL, -signal.SIGKILL, 1),
        ("os._exit(0)", 0, 1),
        (f"messages[0].suppress(); {KILL}", -signal.SIGKILL, 0),
        (f"[m.close() for m in messages]; {KILL}", -signal.SIGKILL, 0),
    ],
    ids=["killed", "exit", "suppressed", "closed"],
)
def test_line_of_a_process(tmp_path, end, status, lines):
    """It is printed before the shell closes its streams, for which `run` waits."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(end)],
        capture_output=True, text=True, timeout=60, env={"TMPDIR": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert ended.returncode == status
    found = ended.stderr.splitlines()
    assert len(found) == lines
    assert all(x.startswith("rank 1 of 3 (process ") and "was killed" in x for x in found)


def test_no_shell(monkeypatch):
    """Then the message of mpirun has to do."""
    from graphla.ranks.communicators import killed_rank

    def fail(*_, **__):
        raise FileNotFoundError("/bin/sh")

    monkeypatch.setattr(killed_rank.subprocess, "Popen", fail)
    message = killed_rank.KilledRankMessage(0, 2, "token")
    message.close()
