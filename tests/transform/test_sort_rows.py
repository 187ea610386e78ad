"""Rows sorted by weight against a stable sort: short and long rows, of each kind of weight."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.errors import InvalidValue
from graphla.transform.sort_rows import SHORT, csr_by_weight
from tests.graphs import random_graph


def check(G):
    indptr, indices, values = G.csr
    found = csr_by_weight(G)
    rows = np.repeat(np.arange(G.n), np.diff(indptr))
    by = np.lexsort((indices, values, rows))
    assert found.indptr.tolist() == indptr.tolist()
    assert found.indices.tolist() == indices[by].tolist()
    assert found.values.tolist() == values[by].tolist()


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("high", [3, 70_000])
def test_long_rows(dtype, high):
    """A weight range of one byte, and of several, in rows above the limit of insertion sort."""
    n = 3 * SHORT
    rng = np.random.default_rng(high)
    weight = rng.integers(-high, high, 2 * n).astype(dtype)
    src = np.repeat([0, n - 1], n)
    check(gl.Graph.from_edges(src, np.tile(np.arange(n), 2), weight, n=n))


def test_short_rows_and_equal_weights():
    check(random_graph(50, 300, dtype="int32", high=3))
    check(gl.generate.complete(9, weights=(4, 4)))


def test_kept_on_the_graph():
    G = random_graph(20, 60, dtype="int32")
    assert csr_by_weight(G) is csr_by_weight(G)
    assert csr_by_weight(G.astype("BOOL")).values is None


def test_nan_is_refused():
    with pytest.raises(InvalidValue, match="NaN"):
        csr_by_weight(gl.Graph.from_edges([0], [1], [np.nan], n=2))
