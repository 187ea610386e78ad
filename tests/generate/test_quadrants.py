"""The compiled loops of R-MAT graphs, against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.generate import random
from graphla.generate.builder import GraphBuilder
from graphla.generate.quadrants import append_bits, rename
from tests.generate.generators import generate, same


@pytest.fixture
def parallel(monkeypatch):
    """Let small graphs take the parallel path, by three threads."""

    def start():
        monkeypatch.setattr(random, "PARALLEL_FROM", 0)
        monkeypatch.setattr(random, "num_threads", lambda: 3)
        monkeypatch.setattr("graphla.numba_support.compiling.is_enabled", lambda: True)
        monkeypatch.setattr(random, "_append_quadrants", None)

    return start


@pytest.mark.parametrize(
    "probabilities", [(0.57, 0.19, 0.19), (0.25, 0.25, 0.5), (1, 0, 0), (0, 0, 0), (0, 1, 0)]
)
@pytest.mark.parametrize(("scale", "edgefactor"), [(7, 5), (0, 3), (1, 1)])
def test_edges_and_the_next_numbers_are_the_same(
    parallel, monkeypatch, probabilities, scale, edgefactor
):
    monkeypatch.setattr(random, "CHUNK", 100)
    builders = [GraphBuilder("directed", None, 5) for _ in range(2)]
    expected = random._rmat(builders[0], scale, edgefactor, *probabilities)
    parallel()
    found = random._rmat(builders[1], scale, edgefactor, *probabilities)
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)
    drawn = [make.rng.permutation(60).tolist() for make in builders]
    assert drawn[0] == drawn[1]


def test_kronecker_by_threads(parallel):
    G = generate.kronecker(8, seed=3, weights=(1, 9))
    parallel()
    assert same(generate.kronecker(8, seed=3, weights=(1, 9)), G)


def test_bits_of_each_quadrant():
    src, dst = np.full(4, 5, np.uint32), np.full(4, 6, np.uint32)
    u = np.array([0, 10, 20, 2**32 - 1], np.uint32)
    append_bits(src, dst, u, *(np.uint64(x) for x in (10, 20, 30)))
    assert src.tolist() == [10, 10, 11, 11]
    assert dst.tolist() == [12, 13, 12, 13]
    rename(src, np.arange(20, dtype=np.uint32)[::-1].copy())
    assert src.tolist() == [9, 9, 8, 8]
