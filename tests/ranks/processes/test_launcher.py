"""Ranks as processes of this machine: results, errors of one rank, and how the processes end."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import numpy as np
import pytest

import graphla as gl
from graphla.errors import (
    ConvergenceFailure,
    DivergedRanks,
    EngineMismatch,
    EngineUnavailable,
    InvalidCall,
    InvalidIndex,
    InvalidValue,
    NotSupported,
    OutOfMemory,
    RankFailure,
    RankLost,
    RemoteError,
    VerificationError,
)
from graphla.ranks.processes import launcher
from tests.ranks.processes import rank_programs as programs

ROOT = Path(gl.__file__).parents[1]
SECONDS = 10  # within which the loss of a rank is raised


@pytest.fixture(scope="module")
def ranks():
    with gl.ranks.start(2, threads=1) as found:
        yield found


@pytest.fixture(scope="module")
def G():
    return gl.generate.kronecker(7, seed=1)


@pytest.fixture
def H(ranks, G):
    return ranks.distribute(G)


def test_results(H, G):
    level, parent = gl.bfs(H, 1)
    for ours, theirs in zip(level.to_coo(), gl.bfs_levels(G, 1).to_coo(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert parent.nvals == level.nvals
    assert gl.triangle_count(H) == gl.triangle_count(G)
    assert sum(H.run(programs.sizes)) == G.n
    H.run(programs.exchange)


def test_verification(H):
    level, parent = gl.bfs(H, 1)
    gl.verify.bfs(H, 1, level, parent)
    gl.verify.connected_components(H, gl.connected_components(H))
    gl.verify.pagerank(H, gl.pagerank(H).rank)
    with pytest.raises(VerificationError):
        gl.verify.bfs(H, 2, level)
    with pytest.raises(NotSupported):
        gl.verify.triangle_count(H, 0)


def test_facts_and_texts(H, G, ranks):
    assert (H.n, H.nedges, H.kind, H.dtype, H.engine) == (G.n, G.nedges, G.kind, G.dtype, "cpu")
    assert "2 ranks" in repr(H)
    assert repr(ranks) == "<LocalProcesses: 2 ranks, cpu>"


# ---- errors, after which the ranks go on


def test_refusal_of_all_ranks(H):
    with pytest.raises(InvalidIndex, match="source=1000") as caught:
        gl.bfs(H, 1000)
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize(
    "error", [ZeroDivisionError, OutOfMemory, MemoryError, RankFailure, DivergedRanks]
)
def test_error_of_one_rank_names_it(H, rank, error):
    with pytest.raises(error, match="on one rank alone") as caught:
        H.run(programs.fail_on, rank, error)
    assert caught.value.__notes__[-1] == f"raised on rank {rank} of 2"
    if error is ZeroDivisionError:
        assert "in fail_on" in caught.value.__notes__[0]
    assert gl.bfs(H, 0).level.nvals > 1


@pytest.mark.parametrize("rank", [0, 1])
def test_error_that_is_raised_again_on_one_rank(H, rank):
    """The ranks had agreed on it before; those that go on must not wait for the other one."""
    for _ in range(2):
        with pytest.raises(Exception, match="no such operator"):
            H.run(programs.fail_again_on, rank)
        with pytest.raises(ValueError, match="the module keeps"):
            H.run(programs.fail_with_kept_error_on, rank)
    assert gl.bfs(H, 0).level.nvals > 1


def test_error_that_takes_no_attributes(H):
    with pytest.raises(RemoteError, match="Frozen: on one rank alone"):
        H.run(programs.fail_on, 1, programs.Frozen)
    assert gl.bfs(H, 0).level.nvals > 1


def test_vector_that_does_not_fit_on_one_rank(H):
    with pytest.raises(OutOfMemory, match="all of a Vector") as caught:
        H.run(programs.gather_without_memory_on, 1)
    assert caught.value.__notes__[-1] == "raised on rank 1 of 2"
    assert gl.bfs(H, 0).level.nvals > 1


def test_ranks_that_differ(H):
    with pytest.raises(DivergedRanks, match="rank 1"):
        H.run(programs.differ)
    assert gl.bfs(H, 0).level.nvals > 1


def test_function_that_exits(H):
    with pytest.raises(InvalidCall, match="SystemExit"):
        H.run(programs.exit_on, 1)
    assert gl.bfs(H, 0).level.nvals > 1


def test_arguments_and_results_that_cannot_be_sent(H):
    with pytest.raises(TypeError):
        H.run(programs.sizes, Lock())
    with pytest.raises(TypeError) as caught:
        H.run(programs.lock)
    assert "the result of a call on ranks" in caught.value.__notes__
    assert gl.bfs(H, 0).level.nvals > 1


def test_result_of_a_failed_iteration(H):
    with pytest.raises(ConvergenceFailure) as caught:
        gl.pagerank(H, tol=1e-15, max_iter=2)
    assert caught.value.result.to_dense().sum() == pytest.approx(1)


def test_objects_of_two_groups(H):
    with gl.ranks.start(1) as others:
        found = gl.connected_components(others.distribute(gl.generate.path(128)))
        with pytest.raises(EngineMismatch, match="two groups"):
            gl.modularity(H, found)


def test_refused_arguments(G):
    with pytest.raises(InvalidValue, match="engine='gpu'"):
        gl.ranks.start(2, engine="gpu")
    with pytest.raises(InvalidValue):
        gl.ranks.start(0)
    with pytest.raises(InvalidValue, match="devices=2"):
        G.to("cpu", devices=2)


@pytest.mark.parametrize("devices", [3, [0, 0], [2], []])
def test_devices_that_are_not_there(monkeypatch, devices):
    from graphla.cuda.runtime.device import device

    runtime = SimpleNamespace(getDeviceCount=lambda: 2)
    module = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))
    monkeypatch.setattr(device, "active", SimpleNamespace(xp=module))
    with pytest.raises(EngineUnavailable, match="there are 2 GPUs"):
        launcher.start(engine="cuda", devices=devices)


# ---- the end of the processes


def has_ended(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for_end(pids):
    end = time.monotonic() + SECONDS
    while not all(has_ended(pid) for pid in pids):
        assert time.monotonic() < end, "a process goes on"
        time.sleep(0.05)


def test_closed_ranks(G):
    with gl.ranks.start(2, threads=1) as ranks:
        H = ranks.distribute(G)
        pids = H.run(programs.pids)
    wait_for_end(pids)
    ranks.close()
    with pytest.raises(RankFailure, match="closed"):
        gl.bfs(H, 0)


@pytest.mark.parametrize("in_call", [True, False])
def test_killed_process(G, in_call):
    with gl.ranks.start(3, threads=1) as ranks:
        H = ranks.distribute(G)
        pids = H.run(programs.pids)
        begin = time.monotonic()
        if not in_call:
            os.kill(pids[1], signal.SIGKILL)
        with pytest.raises(RankLost) as caught:
            H.run(programs.kill_on, 1)
        assert time.monotonic() - begin < SECONDS
        error = caught.value
        assert (error.rank, error.host) == (1, os.uname().nodename)
        assert "kill_on, collective" in error.step
        wait_for_end(pids)
        with pytest.raises(RankLost):
            gl.bfs(H, 0)


def test_error_while_others_wait_for_data(G):
    """The other ranks cannot go on: all processes end, and the caller raises the cause."""
    with gl.ranks.start(2, threads=1) as ranks:
        H = ranks.distribute(G)
        pids = H.run(programs.pids)
        with pytest.raises(ZeroDivisionError, match="in a gather"):
            H.run(programs.fail_in_gather)
        wait_for_end(pids)
        with pytest.raises(RankFailure, match="in a gather"):
            gl.bfs(H, 0)


INTERRUPTED = """
import graphla as gl, os, signal, threading
from tests.ranks.processes import rank_programs as programs

ranks = gl.ranks.start(2, threads=1)
H = ranks.distribute(gl.generate.path(20))
print(*H.run(programs.pids), ranks._folder, flush=True)
threading.Timer(0.5, os.kill, (os.getpid(), signal.{signal})).start()
try:
    H.run(programs.wait_for_ever)
except KeyboardInterrupt:
    print(repr(ranks))
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_interrupted_caller(name):
    """Ctrl-C, or the loss of the process that started them, ends the processes of the ranks."""
    command = [sys.executable, "-c", INTERRUPTED.format(signal=name)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    first, *others = found.stdout.splitlines()
    *pids, folder = first.split()
    wait_for_end([int(pid) for pid in pids])
    assert not Path(folder).exists()
    expected = ["<LocalProcesses: 2 ranks, cpu, ended>"] if name == "SIGINT" else []
    assert others == expected, found.stderr


@pytest.mark.parametrize("name", ["graphla", "numpy"])
def test_modules_in_the_working_directory(name, tmp_path):
    """The processes import the modules that their caller imports."""
    here, script = tmp_path / "here", tmp_path / "script.py"
    (here / name).mkdir(parents=True)
    (here / name / "__init__.py").write_text("raise ImportError('another module')")
    script.write_text(
        "import graphla as gl\n"
        "if __name__ == '__main__':\n"
        "    with gl.ranks.start(1, threads=1) as ranks:\n"
        "        H = ranks.distribute(gl.generate.path(4))\n"
        "        print(gl.bfs_levels(H, 0).to_dense().tolist())\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script)]
    options = {"cwd": here, "env": environment, "timeout": 60, "check": False}
    found = subprocess.run(command, capture_output=True, text=True, **options)
    assert found.stdout == "[0, 1, 2, 3]\n", found.stderr


def test_devices_are_for_cuda_and_instead_of_a_size():
    with pytest.raises(InvalidValue, match="engine='cuda'"):
        gl.ranks.start(devices=[0, 1])
    with pytest.raises(InvalidValue, match="not by both"):
        gl.ranks.start(2, engine="cuda", devices=2)


@pytest.fixture
def cpus_for_gpus(monkeypatch):
    """Let ranks with blocks on the CPU stand for those of GPUs; return the ones that start."""
    started = []

    def start(engine, devices):
        started.append(launcher.start(devices, threads=1))
        return started[-1]

    monkeypatch.setattr(gl.ranks, "start", start)
    return started


def test_a_graph_on_devices_owns_its_processes(G, cpus_for_gpus):
    with gl.ranks.start_on_devices(G, 2) as H:
        assert repr(H).endswith("cpu, 2 ranks>")
        level, parent = gl.bfs(H, 1)
        assert repr(level) == f"<VectorHandle: 128 INT32, {level.nvals} entries>"
        with pytest.raises(InvalidValue, match="give a fill_value"):
            parent.to_dense()
        with pytest.raises(NotSupported, match="can be pickled"):
            pickle.dumps(level)
        same = H.run(programs.of_containers, [level], {"parent": (parent,)})
        assert [x.nvals for x in (same["level"][0], *same["parent"])] == [level.nvals] * 2
    with pytest.raises(RankFailure):
        gl.bfs(H, 1)


def test_processes_of_a_graph_that_is_not_distributed_end(G, monkeypatch, cpus_for_gpus):
    monkeypatch.setattr(launcher.LocalProcesses, "distribute", lambda self, G: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        gl.ranks.start_on_devices(G, 2)
    assert repr(cpus_for_gpus[0]) == "<LocalProcesses: 2 ranks, cpu, ended>"
