"""The sparse product by warps of 32 lanes and blocks with barriers, against SuiteSparse."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.cuda.operations.spgemm import hash
from graphla.cuda.runtime.device import device
from tests.cuda.test_spgemm import KERNELS, check, random, set_thresholds, spread
from tests.cuda.warp_simulator import WarpSimulator


@pytest.fixture
def lanes(monkeypatch):
    monkeypatch.setattr(device, "active", WarpSimulator())
    return device


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 1536), (128, 1536), (3, 20)])
def test_each_table(lanes, monkeypatch, sizes, complement):
    monkeypatch.setattr(hash, "WARP_ENTRIES", sizes[0])
    monkeypatch.setattr(hash, "BLOCK_ENTRIES", sizes[1])
    rng = np.random.default_rng(1)
    A, B = random(rng, 20, 50, 200, "FP64"), random(rng, 50, 200, 1000, "FP64")
    M = random(rng, 20, 200, 1000, "BOOL") if complement else None
    check(lanes, A, B, "plus_times", "FP64", mask=M, complement=complement)
    if not complement:  # more columns than a table has bits
        check(lanes, A, spread(B, 1, 1 << 18), "plus_times", "FP64")


@pytest.mark.parametrize("which", KERNELS)
@pytest.mark.parametrize("name", ["plus_first", "min_plus", "any_secondi"])
@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_each_masked_kernel(lanes, monkeypatch, method, name, which):
    set_thresholds(monkeypatch, which)
    rng = np.random.default_rng(1)
    A, B = random(rng, 12, 200, 1000, "INT64"), random(rng, 200, 300, 30_000, "INT64")
    M = random(rng, 12, 300, 1500, "BOOL")
    check(lanes, A, B, name, "INT64", mask=M, method=method)
    if method == "dot":  # columns on both sides of PREFIX
        A, B = spread(A, 1, 1 << 18), spread(B, 0, 1 << 18)
    else:
        B, M = spread(B, 1, 1 << 18), spread(M, 1, 1 << 18)
    check(lanes, A, B, name, "INT64", mask=M, method=method)


def test_mask_of_several_pieces(lanes):
    rng = np.random.default_rng(3)
    A, B = random(rng, 3, 40, 90, "INT64"), random(rng, 40, 5000, 20_000, "INT64")
    M = random(rng, 3, 5000, 9000, "BOOL")
    check(lanes, A, B, "plus_first", "INT64", mask=M, method="gustavson")


def test_one_entry_a_row(lanes):
    rng = np.random.default_rng(5)
    D = random(rng, 50, 1, 40, "FP64")[:, 0].new().diag()
    check(lanes, D, random(rng, 50, 60, 450, "FP64"), "plus_times", "FP64")
