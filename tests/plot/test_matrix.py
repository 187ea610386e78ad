"""The picture of a matrix, entry by entry or in blocks."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from graphblas import Matrix

import graphla as gl
from graphla.errors import InvalidValue
from graphla.plot.matrix import block_counts


@pytest.mark.parametrize("size", [1, 3, 7, 10, 64])
@pytest.mark.parametrize("shape", [(10, 10), (10, 4), (3, 17)])
def test_blocks_count_every_entry_once(shape, size):
    rng = np.random.default_rng(size)
    dense = rng.random(shape) < 0.3
    rows, cols = np.nonzero(dense)
    A = Matrix.from_coo(rows, cols, 0.0, nrows=shape[0], ncols=shape[1])
    height, width = (-(-n // size) for n in shape)
    expected = np.add.reduceat(dense.astype(int), range(0, shape[0], height), axis=0)
    expected = np.add.reduceat(expected, range(0, shape[1], width), axis=1)
    np.testing.assert_array_equal(block_counts(A, size), expected)


def test_a_large_matrix_is_a_small_image():
    n = 1_000_000
    step = np.arange(n - 1)
    G = gl.Graph.from_edges(step, step + 1, n=n)
    tracemalloc.start()
    axes = gl.plot.spy(G, size=100)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    (image,) = axes.images
    assert image.get_array().shape == (100, 100)
    assert image.get_array().sum() == n - 1
    assert image.get_array().mask.sum() == 100 * 100 - 199  # the diagonal, and the one beside it
    assert axes.get_xlim() == (-0.5, n - 0.5)
    assert axes.get_ylim() == (n - 0.5, -0.5)
    assert peak < 200 * n  # bytes
    with pytest.raises(InvalidValue, match="size"):
        gl.plot.spy(G, size=0)


def test_a_small_matrix_is_shown_entry_by_entry():
    axes = gl.plot.spy(gl.Graph([[0, 1, 0], [0, 0, 2], [3, 0, 0]]))
    filled = axes.images[0].get_array().filled(0)
    assert filled.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
