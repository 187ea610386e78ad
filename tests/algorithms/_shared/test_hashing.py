"""The mixer: a bijection that scatters its values."""

from __future__ import annotations

import numpy as np
from graphblas import Matrix, Vector

from graphla.algorithms._shared.hashing import mix


def mixed(values):
    return mix(Vector.from_dense(np.asarray(values, dtype=np.uint64))).to_dense()


def by_hand(x):
    word = 2**64
    x = (x + 0x1E3779B97F4A7C15) % word
    x = (x ^ (x >> 27)) * 0x3C79AC492BA7B653 % word
    x = (x ^ (x >> 33)) * 0x1C69B3F74AC4AE35 % word
    return x ^ (x >> 27)


def test_it_is_the_published_function():
    values = [0, 1, 2, 12345, 2**40, 2**63, 2**64 - 1]
    assert mixed(values).tolist() == [by_hand(x) for x in values]


def test_different_numbers_stay_different_and_look_uniform():
    values = mixed(np.arange(100_000))
    assert len(np.unique(values)) == 100_000
    uniform = values / 2.0**64
    assert abs(uniform.mean() - 0.5) < 0.005
    counts, _ = np.histogram(uniform, bins=100, range=(0, 1))
    assert counts.min() > 850
    assert counts.max() < 1150
    assert abs(np.corrcoef(uniform[:-1], uniform[1:])[0, 1]) < 0.02


def test_in_place_on_vectors_and_matrices_and_keeps_what_is_missing():
    X = Matrix.from_coo([0, 1], [1, 0], np.array([0, 1], dtype=np.uint64), nrows=2, ncols=2)
    assert mix(X) is X
    assert X.nvals == 2
    assert X[0, 1].new().value == by_hand(0)
    assert X[1, 0].new().value == by_hand(1)
