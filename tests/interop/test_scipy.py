"""Graphs and matrices to SciPy."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from tests.graphs import DTYPES, random_graph

KINDS = ["directed", "undirected"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_scipy_round_trip(dtype, kind):
    G = random_graph(30, 90, dtype=None if dtype == "bool" else dtype, kind=kind)
    S = gl.interop.scipy.to_sparse(G)
    assert (S.dtype, S.indices.dtype) == (dtype, np.int32)
    assert gl.Graph(S, kind=kind).A.isequal(G.A, check_dtype=True)
    S.data[:] = 0
    assert G.A.reduce_scalar("max").new().value != 0


def test_scipy_of_a_matrix():
    closure = gl.transitive_closure(gl.generate.cycle(4))
    assert gl.interop.scipy.to_sparse(closure).toarray().all()
