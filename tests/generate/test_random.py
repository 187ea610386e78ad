"""Random models: their distributions and sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.generate import random
from tests.generate.generators import generate, same
from tests.strategies import examples


@pytest.mark.parametrize("probabilities", [(0.57, 0.19, 0.19), (0.1, 0.2, 0.3), (0.25, 0.25, 0.5)])
def test_rmat_quadrants_have_their_probabilities_on_every_level(probabilities):
    """The drawn columns themselves, before duplicates merge: chi-squared with 3 degrees."""
    from graphla.generate.builder import GraphBuilder
    from graphla.generate.random import CHUNK, _rmat

    scale, m = 12, 16 << 12
    assert m <= CHUNK
    n, src, dst = _rmat(GraphBuilder("directed", None, 3), scale, 16, *probabilities)
    assert (n, src.size, src.dtype, dst.dtype) == (1 << scale, m, np.uint32, np.uint32)
    assert max(src.max(), dst.max()) < n
    expected = m * np.array([*probabilities, 1 - sum(probabilities)])
    for bit in range(scale):
        quadrant = 2 * (src >> bit & 1) + (dst >> bit & 1)
        counts = np.bincount(quadrant, minlength=4)
        assert (counts[expected < 1e-6] == 0).all()
        possible = expected > 1e-6
        chi2 = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
        assert chi2 < 25  # exceeded once in 65,000


def test_rmat_does_not_depend_on_the_chunk_size(monkeypatch):
    assert not same(generate.rmat(8, a=0.5, b=0.2, c=0.2), generate.rmat(8, a=0.2, b=0.2, c=0.5))
    monkeypatch.setattr(random, "CHUNK", 100)
    from graphla.generate.builder import GraphBuilder

    _, src, dst = random._rmat(GraphBuilder("directed", None, 1), 8, 5, 0.57, 0.19, 0.19)
    last = slice(src.size // 100 * 100, None)
    assert src[last].any()  # the last, shorter chunk is drawn too
    assert dst[last].any()


def test_kronecker_is_a_relabelled_rmat():
    G = generate.kronecker(9, seed=4)
    H = generate.rmat(9, a=0.57, b=0.19, c=0.19, seed=4, kind="undirected")
    mine, other = (K.out_degree.to_dense() for K in (G, H))
    assert (np.sort(mine) == np.sort(other)).all()
    assert np.corrcoef(other, np.arange(512))[0, 1] < -0.4
    assert (
        abs(np.corrcoef(mine, np.arange(512))[0, 1]) < 0.15
    )  # labels and degrees are uncorrelated


def test_kronecker_degrees_are_skewed_and_uniform_ones_are_not():
    skewed, flat = generate.kronecker(12), generate.uniform(12)
    assert skewed.n == flat.n == 4096
    assert skewed.out_degree.to_dense().max() > 500
    degree = flat.out_degree.to_dense()
    assert degree.max() < 70
    assert abs(degree.mean() - 32) < 0.5
    assert 16 * 4096 * 0.98 < flat.nedges <= 16 * 4096


def test_uniform_ends_are_uniform():
    G = generate.random_digraph(100, 60, seed=8)
    expected = 100 * 99 * (1 - (1 - 1 / 100**2) ** 6000)  # distinct pairs hit, loops apart
    assert abs(G.nedges - expected) < 5 * np.sqrt(expected)
    assert np.ptp(G.out_degree.to_dense()) < 40


@given(st.integers(0, 60), st.floats(0, 6), st.integers(0, 2**70))
@examples(40)
def test_dag_has_no_cycle_and_digraph_no_more_edges_than_drawn(n, degree, seed):
    dag = generate.random_dag(n, degree, seed=seed)
    rows, cols, _ = dag.A.to_coo()
    assert (rows < cols).all()
    assert dag.nedges <= round(n * degree)
    digraph = generate.random_digraph(n, degree, seed=seed)
    assert digraph.nedges <= round(n * degree)
    assert digraph.n == dag.n == n
