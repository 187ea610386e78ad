"""Threads of both libraries, and their environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import graphblas as gb
import pytest

import graphla as gl
from graphla.core import threads
from graphla.errors import InvalidValue

ROOT = Path(__file__).parents[2]


CORES = getattr(os, "sched_getaffinity", lambda _: ())(0)


several_cores = pytest.mark.skipif(len(CORES) < 2, reason="one core, or no affinity mask")


def python(code, **environment):
    """Run code in a process of its own, whose environment says nothing else of OpenMP."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "NUMBA_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
        env=plain | {"PYTHONPATH": str(ROOT)} | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def test_both_libraries_are_set():
    import numba

    before = gl.set_threads(1)
    try:
        assert gb.ss.config["nthreads"] == 1
        assert numba.get_num_threads() == 1
        assert gl.set_threads(10_000) == 1
        assert numba.get_num_threads() == numba.config.NUMBA_NUM_THREADS
    finally:
        gl.set_threads(before)


def test_without_numba_only_suitesparse_is_set(monkeypatch):
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert gl.set_threads(gl.set_threads(1)) == 1


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "2", None])
def test_bad_numbers_are_refused(n):
    with pytest.raises(InvalidValue, match="threads"):
        gl.set_threads(n)


linux = pytest.mark.skipif(sys.platform != "linux", reason="where wheels bring libgomp")


def spins_of_libgomp(code, **environment):
    """Return the number of iterations that SuiteSparse's libgomp says it spins, once loaded."""
    (found,) = re.findall(
        r"GOMP_SPINCOUNT = '(\d+)'", python(code, OMP_DISPLAY_ENV="verbose", **environment).stderr
    )
    return int(found)


@linux
def test_threads_of_suitesparse_spin_for_a_short_time():
    assert spins_of_libgomp("import graphla, suitesparse_graphblas") == 20_000
    assert spins_of_libgomp("import graphblas, graphla; graphblas.Vector") == 20_000


@linux
def test_a_setting_of_spinning_by_the_user_is_respected():
    load = "import graphla, suitesparse_graphblas"
    assert spins_of_libgomp(load, GOMP_SPINCOUNT="77") == 77
    active, plain = (
        spins_of_libgomp(f"{imports}suitesparse_graphblas", OMP_WAIT_POLICY="active")
        for imports in ("import graphla, ", "import ")
    )
    assert active == plain > 20_000


@linux
def test_it_is_too_late_once_suitesparse_is_loaded():
    plain = spins_of_libgomp("import suitesparse_graphblas")
    assert spins_of_libgomp("import suitesparse_graphblas, graphla") == plain > 20_000


@pytest.mark.thorough
@several_cores
@pytest.mark.parametrize(
    "environment",
    [{"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"}, {"GOMP_CPU_AFFINITY": "0-1"}],
    ids=lambda environment: next(iter(environment)),
)
def test_binding_of_openmp_threads_binds_no_other_thread(environment):
    code = """
import os
import graphla as gl
before = os.sched_getaffinity(0)
gl.bfs(gl.generate.karate(), 0)
import numba
from numba import njit, prange
print(len(before), len(os.sched_getaffinity(0)), numba.config.NUMBA_NUM_THREADS)
@njit(parallel=True)
def total(n):
    found = 0
    for i in prange(n):
        found += i
    return found
total(10)
masks = [os.sched_getaffinity(int(thread)) for thread in os.listdir("/proc/self/task")]
print(len(set().union(*masks)), len(os.sched_getaffinity(0)))
"""
    done = python(code, **environment)
    assert set(map(int, done.stdout.split())) == {len(CORES)}
    assert "RuntimeWarning" not in done.stderr


@pytest.mark.thorough
@several_cores
def test_a_mask_that_cannot_be_restored_is_warned_of_once():
    code = "import suitesparse_graphblas, graphla, graphla.core.graph"
    stderr = python(code, OMP_PROC_BIND="true").stderr
    assert stderr.count("RuntimeWarning") == 1
    assert "OMP_PROC_BIND=true" in stderr
    assert "Import graphla before graphblas, or unset OMP_PROC_BIND" in stderr
    for environment in ({}, {"OMP_PROC_BIND": "false"}):
        assert python(code, **environment).stderr == ""


def test_without_binding_the_import_loads_no_engine():
    code = "import sys, graphla; print('suitesparse_graphblas' in sys.modules)"
    assert python(code).stdout == python(code, OMP_PROC_BIND="FALSE").stdout == "False\n"


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 11])
def test_blocks_cover_a_size_in_order(size, count, monkeypatch):
    monkeypatch.setattr(threads, "BLOCK", 4)
    before = gl.set_threads(count)
    try:
        found = threads.map_blocks(lambda start, stop: list(range(start, stop)), size)
    finally:
        gl.set_threads(before)
    assert [k for part in found for k in part] == list(range(size))
    assert all(len(part) == 4 for part in found[:-1])
