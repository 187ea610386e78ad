"""Real processes: equal results, and a rank that fails ends them all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import graphla as gl
from graphla.errors import MissingPackage

ROOT = Path(__file__).parents[3]
MPIRUN = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
EXAMPLE = ROOT / "examples" / "four_ranks.py"
SECONDS = 60  # after which a test that hangs is ended

with_mpi = pytest.mark.skipif(
    MPIRUN is None or find_spec("mpi4py") is None,
    reason="mpi4py, or mpirun, is not installed: pip install 'graphla[mpi]'",
)


def run(part, ranks=3):
    """Run a part of mpi_script on ranks, all of which end with this function."""
    command = [MPIRUN, "-n", str(ranks), sys.executable, "-m", "tests.ranks.mpi_script", part]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)


@with_mpi
def test_results_are_equal():
    ended = run("search")
    assert (ended.returncode, ended.stdout) == (0, "equal on 3 ranks\n"), ended.stderr


@with_mpi
@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("raised_on_one", "rank 1 of 3"),
        ("out_of_memory", "rank 1 of 3"),
        ("ended_early", "rank "),
        pytest.param("refused_on_all", "rank ", marks=pytest.mark.thorough),
    ],
)
def test_uncaught_error_ends_all_ranks(part, line):
    ended = run(part)
    assert ended.returncode != 0  # 1, or 9 if mpirun's SIGKILL of another rank was first
    assert any(text.startswith(line) for text in ended.stderr.splitlines())
    assert "was killed" not in ended.stderr


@with_mpi
def test_example():
    """As its users run it; one rank prints."""
    command = [MPIRUN, "-n", "2", sys.executable, str(EXAMPLE), "--scale", "8"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("triangles: ") == 1


@with_mpi
def test_script_that_ends_mpi():
    ended = run("finalized")
    assert ended.returncode == 0, ended.stderr


@with_mpi
def test_killed_rank_ends_all_ranks():
    ended = run("killed")
    assert ended.returncode != 0
    lines = [line for line in ended.stderr.splitlines() if "was killed" in line]
    assert len(lines) == 1
    assert re.fullmatch(r"rank 2 of 3 \(process \d+ on .*\) was killed, or .*", lines[0])


def test_without_mpi4py(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(MissingPackage, match=r"graphla\[mpi\]"):
        gl.ranks.mpi()
