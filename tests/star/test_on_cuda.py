"""The kernels by warps of 32 lanes and two blocks, and through CUDA's compiler."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from graphla import star
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel_text import source
from graphla.native.cuda.transitive_closure_warshall import close_by_64_pivots
from graphla.star import Slice, Table, Word
from graphla.star.algorithms import warshall_adapted, warshall_blocked
from graphla.star.on_cuda import FOLDER
from tests.cuda import nvrtc
from tests.cuda.warp_simulator import WarpSimulator
from tests.star.algorithms.test_warshall import closed
from tests.star.models import same, tabled

KERNELS = sorted(path.stem for path in FOLDER.rglob("*.cu"))
assert KERNELS


@pytest.fixture
def lanes(monkeypatch):
    if shutil.which("g++") is None:
        pytest.skip("there is no g++ to run kernels")
    monkeypatch.setattr(device, "active", WarpSimulator())


@pytest.mark.parametrize("at", [[], [0], [9000, 9001, 40_000], [39_999], range(0, 40_001, 3)])
def test_what_is_found(lanes, at):
    x = np.zeros(40_001, bool)
    x[list(at)] = True
    a, first = Slice.from_numpy(x, engine="cuda"), next(iter(at), -1) + 1
    assert int(a.count()) == len(at)
    assert int(a.find()) == int(a.step()) == first
    x[list(at)[:1]] = False
    assert same(a, x)
    assert bool(a.some()) == (len(at) > 1)


@pytest.mark.parametrize("n", [1, 130, 5000, 9000])
def test_carries_run_through_the_shares_of_threads(lanes, n):
    rng = np.random.default_rng(n)
    small = int(rng.integers(1, 2 ** min(n, 60))) % 2**n
    for p, q in [(2**n - 1, 1), (2**n - 1, small), (2 ** (n - 1), small), (0, small)]:
        a, b = (Word.from_integer(v % 2**n, n, engine="cuda") for v in (p, q))
        assert int(a.add(b)) == (p + q) % 2**n
        assert int(a.subt(b)) == (p - q) % 2**n
        assert int(b.subt(a)) == (q - p) % 2**n


def test_rows_and_numbers(lanes):
    rng = np.random.default_rng(2)
    for n, k in [(1, 1), (200, 33), (130, 64)]:
        rows = rng.random((n, k)) < 0.5
        T = tabled(rows, "cuda")
        assert same(T.row(n), rows[-1])
        assert same(T.transpose(), rows.T)
        assert same(Table.from_integers(T.to_integers(), k, engine="cuda"), rows)
        assert same(star.match(T, T.row(1)), (rows == rows[0]).all(axis=1))


@pytest.mark.parametrize("form", [warshall_adapted, warshall_blocked])
def test_closure(lanes, form):
    rows = np.random.default_rng(4).random((130, 130)) < 0.01
    assert same(form(tabled(rows, "cuda")), closed(rows))


@pytest.mark.parametrize("bits", [4, 8])
def test_tables_of_unions(cuda_device, monkeypatch, bits):
    monkeypatch.setattr(type(device.active), "multiprocessors", 3)  # shares of the columns
    rows = np.random.default_rng(6).random((200, 200)) < 0.01
    T = tabled(rows, "cuda")
    close_by_64_pivots(T.data, bits)
    assert same(T, closed(rows))


@pytest.mark.parametrize("file", KERNELS)
def test_kernels_compile_as_cuda(file):
    for arch in ("sm_80", "sm_90"):
        nvrtc.compile(source(file, "", FOLDER), arch)
