"""A cluster of Dask in a job of MPI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ranks.communicators.test_mpi_communicator import MPIRUN, SECONDS, with_mpi

ROOT = Path(__file__).parents[4]


@pytest.mark.thorough
@with_mpi
def test_results_are_equal():
    pytest.importorskip("dask_mpi")
    module = "tests.ranks.processes.dask.mpi_script"
    command = [MPIRUN, "-n", "4", sys.executable, "-m", module]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert "equal on 2 ranks" in ended.stdout
