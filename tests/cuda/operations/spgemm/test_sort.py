"""Products that are sorted: where many of them crowd into few rows."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.cuda.operations.spgemm import sort
from tests.cuda.operations.spgemm.test_dispatch import check, random
from tests.cuda.semirings import TEXT


@pytest.mark.parametrize(("name", "dtype"), TEXT)
def test_sorted_products(cuda_device, name, dtype):
    rng = np.random.default_rng(5)
    for shape in ((1, 1, 1), (30, 20, 25), (3, 200, 70), (40, 1, 9)):
        m, k, n = shape
        A, B = random(rng, m, k, 3 * m + k, dtype), random(rng, k, n, 3 * k + n, dtype)
        check(cuda_device, A, B, name, dtype, method="sort")


def test_crowded_rows_are_sorted(cuda_device, monkeypatch):
    rng = np.random.default_rng(6)
    monkeypatch.setattr(sort, "CROWD", 50)
    ran = []
    multiply = sort.multiply
    monkeypatch.setattr(sort, "multiply", lambda *a: ran.append(1) or multiply(*a))
    A, B = random(rng, 5, 60, 120, "INT64"), random(rng, 60, 60, 400, "INT64")
    check(cuda_device, A, B, "plus_pair", "INT64")
    assert ran
