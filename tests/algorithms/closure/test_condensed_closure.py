"""The closures over components, where graphs are deep and results sparse.

What holds for every form is tested in test_transitive_closure.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from tests.graphs import edges, random_graph

CONDENSED = [gl.transitive_closure_condensed, gl.transitive_closure_warshall]


@pytest.mark.parametrize("closure", CONDENSED)
def test_many_deep_paths(closure):
    """Bands of several levels in a sparse result."""
    count, length = 60, 50
    v = np.arange(count * length)
    inner = v[v % length != length - 1]
    R = closure(edges(inner, inner + 1, n=v.size))
    assert R.nvals == count * length * (length - 1) // 2
    rows, cols, _ = R.to_coo()
    assert (rows < cols).all()
    assert (rows // length == cols // length).all()


@pytest.mark.parametrize("closure", CONDENSED)
def test_paths_of_cycles_are_expanded(closure):
    """Chains of 8 three-cycles: each vertex reaches its own cycle and all later ones."""
    v = np.arange(100 * 24)
    onward = v - v % 3 + (v + 1) % 3
    last = v[(v % 3 == 2) & (v % 24 != 23)]
    R = closure(edges(np.r_[v, last], np.r_[onward, last + 1], n=v.size))
    rows, cols, _ = R.to_coo()
    assert R.nvals == 100 * 9 * (8 * 9 // 2)
    assert (rows // 24 == cols // 24).all()
    assert (rows // 3 <= cols // 3).all()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_both_agree_on_dense_and_sparse_results(seed):
    for degree in (0.7, 1.1, 3):
        G = random_graph(2500, int(2500 * degree), seed=seed)
        sweep, warshall = (closure(G) for closure in CONDENSED)
        assert sweep.isequal(warshall)
        assert sweep.isequal(gl.transitive_closure_linear(G))
