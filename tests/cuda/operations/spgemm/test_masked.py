"""C<M> = A B by the methods dot and Gustavson, and each of their kernels."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda.operations.spgemm import dot, masked
from tests.cuda.operations.spgemm.products import check, random, spread

KERNELS = {  # SHORT_ROW, FEW_DOTS, SEARCH
    "thin": (100, 4, 0),
    "search": (0, 1 << 20, 0),
    "wide": (0, 0, 1 << 20),
}


def set_thresholds(monkeypatch, which):
    """Let all rows take one of the kernels."""
    constants = ((dot, "SHORT_ROW"), (dot, "FEW_DOTS"), (masked, "SEARCH"))
    for (module, constant), value in zip(constants, KERNELS[which], strict=True):
        monkeypatch.setattr(module, constant, value)


@pytest.mark.parametrize("word", [np.int32, np.uint32, np.int64])
@pytest.mark.parametrize("which", KERNELS)
@pytest.mark.parametrize("name", ["plus_first", "min_plus", "any_secondi", "plus_pair"])
@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_each_masked_kernel(cuda_device, monkeypatch, method, name, which, word):
    set_thresholds(monkeypatch, which)
    rng = np.random.default_rng(1)
    A, B = random(rng, 20, 50, 300, "INT64"), random(rng, 50, 400, 9000, "INT64")
    M = random(rng, 20, 400, 3000, "BOOL")
    check(cuda_device, A, B, name, "INT64", mask=M, method=method, word=word)
    if method == "dot":  # columns on both sides of PREFIX
        A, B = spread(A, 1, 1 << 18), spread(B, 0, 1 << 18)
    else:
        B, M = spread(B, 1, 1 << 18), spread(M, 1, 1 << 18)
    check(cuda_device, A, B, name, "INT64", mask=M, method=method, word=word)


@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_long_rows(cuda_device, method):
    """Rows and masks of more than a piece, more than TAIL entries beyond PREFIX, RATIO met."""
    rng = np.random.default_rng(3)
    n = 1 << 18
    A = random(rng, 3, n, 9000, "INT64")
    B = random(rng, n, 5000, 40_000, "INT64")
    hub = np.arange(n)
    B(gb.binary.second) << gb.Matrix.from_coo(hub, np.full(n, 7), hub % 5, nrows=n, ncols=5000)
    M = random(rng, 3, 5000, 9000, "BOOL")
    for name in ("plus_first", "plus_pair"):
        check(cuda_device, A, B, name, "INT64", mask=M, method=method)
    A, B, M = random(rng, 3, 40, 90, "INT64"), random(rng, 40, n, 200_000, "INT64"), None
    M = random(rng, 3, n, 9000, "BOOL")
    check(cuda_device, A, B, "plus_first", "INT64", mask=M, method=method)


UNSIGNED = pytest.param("plus_first", np.uint32, id="unsigned indices")
SIGNED = [
    pytest.param(name, np.int32, id=name) for name in ("plus_first", "min_plus", "any_secondi")
]


@pytest.mark.parametrize("which", KERNELS)
@pytest.mark.parametrize(("name", "word"), [*SIGNED, UNSIGNED])
@pytest.mark.parametrize("method", ["dot", "gustavson"])
def test_each_masked_kernel_by_warps(cuda_device, warps, monkeypatch, method, name, which, word):
    set_thresholds(monkeypatch, which)
    rng = np.random.default_rng(1)
    A, B = random(rng, 12, 200, 1000, "INT64"), random(rng, 200, 300, 30_000, "INT64")
    M = random(rng, 12, 300, 1500, "BOOL")
    check(cuda_device, A, B, name, "INT64", mask=M, method=method, word=word)
    if method == "dot":  # columns on both sides of PREFIX
        A, B = spread(A, 1, 1 << 18), spread(B, 0, 1 << 18)
    else:
        B, M = spread(B, 1, 1 << 18), spread(M, 1, 1 << 18)
    check(cuda_device, A, B, name, "INT64", mask=M, method=method, word=word)


def test_mask_of_several_pieces(cuda_device, warps):
    rng = np.random.default_rng(3)
    A, B = random(rng, 3, 40, 90, "INT64"), random(rng, 40, 5000, 20_000, "INT64")
    M = random(rng, 3, 5000, 9000, "BOOL")
    check(cuda_device, A, B, "plus_first", "INT64", mask=M, method="gustavson")
