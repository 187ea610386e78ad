"""C = A B by hash tables of warps, blocks and all warps, against SuiteSparse."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda.operations.spgemm import hash
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from tests.cuda.operations.spgemm.products import check, random, spread


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 1536), (128, 1536), (3, 20)])
def test_each_table_by_warps(cuda_device, warps, monkeypatch, sizes, complement):
    monkeypatch.setattr(hash, "WARP_ENTRIES", sizes[0])
    monkeypatch.setattr(hash, "BLOCK_ENTRIES", sizes[1])
    rng = np.random.default_rng(1)
    A, B = random(rng, 20, 50, 200, "FP64"), random(rng, 50, 200, 1000, "FP64")
    M = random(rng, 20, 200, 1000, "BOOL") if complement else None
    check(cuda_device, A, B, "plus_times", "FP64", mask=M, complement=complement)
    if not complement:  # more columns than a table has bits
        check(cuda_device, A, spread(B, 1, 1 << 18), "plus_times", "FP64")


def test_one_entry_a_row_by_warps(cuda_device, warps):
    rng = np.random.default_rng(5)
    D = random(rng, 50, 1, 40, "FP64")[:, 0].new().diag()
    check(cuda_device, D, random(rng, 50, 60, 450, "FP64"), "plus_times", "FP64")


@pytest.mark.parametrize("word", [np.int32, np.int64])
@pytest.mark.parametrize("case", ["none", "~S"])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 1536), (128, 128), (3, 20)])
def test_each_table(cuda_device, monkeypatch, sizes, case, word):
    monkeypatch.setattr(hash, "WARP_ENTRIES", sizes[0])
    monkeypatch.setattr(hash, "BLOCK_ENTRIES", sizes[1])
    rng = np.random.default_rng(1)
    A, B = random(rng, 60, 50, 400, "FP64"), random(rng, 50, 300, 2000, "FP64")
    M = random(rng, 60, 300, 2000, "BOOL") if case == "~S" else None
    options = {"mask": M, "complement": case == "~S", "word": word}
    check(cuda_device, A, B, "plus_times", "FP64", limit=100_000, **options)  # some rows at a time
    check(cuda_device, A, B, "plus_times", "FP64", limit=1, **options)  # one row at a time
    if case == "none":  # more columns than a table has bits
        check(cuda_device, A, spread(B, 1, 1 << 19), "plus_times", "FP64", word=word)


def test_huge_row(cuda_device):
    rng = np.random.default_rng(4)
    A, B = random(rng, 3, 400, 1200, "INT64"), random(rng, 400, 6000, 400_000, "INT64")
    check(cuda_device, A, B, "plus_pair", "INT64")
    check(
        cuda_device,
        A,
        B,
        "plus_first",
        "INT64",
        mask=random(rng, 3, 6000, 9000, "BOOL"),
        complement=True,
    )


def test_many_products_of_few_entries(cuda_device):
    rng = np.random.default_rng(10)
    A, B = random(rng, 2, 9000, 17_000, "INT64"), random(rng, 9000, 3, 25_000, "INT64")
    check(cuda_device, A, B, "plus_first", "INT64")
    M = random(rng, 2, 3, 3, "BOOL")
    check(cuda_device, A, B, "min_plus", "INT64", mask=M, complement=True)


@pytest.mark.parametrize("name", ["plus_times", "min_plus"])
def test_one_entry_a_row(cuda_device, name):
    rng = np.random.default_rng(5)
    A = gb.Matrix.from_coo([0, 2, 3], [4, 1, 1], [1.0, 2.0, 3.0], "FP32", nrows=6, ncols=50)
    check(cuda_device, A, random(rng, 50, 300, 2000, "FP32"), name, "FP32")
    check(cuda_device, random(rng, 9, 6, 30, "FP32"), A, name, "FP32")


def test_every_row_is_of_one_class():
    """Also at the size limits of each table; empty rows have no class."""
    limits = (hash.WARP_ENTRIES, hash.BLOCK_ENTRIES)
    sizes = [0, 1, *(limit + more for limit in limits for more in (-1, 0, 1))]
    size = device.xp.asarray(np.array(sizes, np.int64))
    few, many = size * 0 + 1, size * 0 + hash.WARP_PRODUCTS + 1  # products of a row
    A = CSR.empty(len(sizes), 4000, gb.dtypes.FP64)
    for work in (few, many):
        product = hash.HashProduct(A, A, None, "", 1 << 20, work, products=0)
        rows = [row for found in product._classify(size) for row in device.to_host(found).tolist()]
        assert sorted(rows) == list(range(1, len(sizes)))
