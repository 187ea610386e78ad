"""Graphs of the device as sparse matrices of CuPy; without a device, of SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as ss

import graphla as gl
from graphla.cuda.runtime.device import device
from graphla.errors import DomainMismatch, EngineMismatch
from graphla.interop import cupy
from tests.graphs import edge_cases, random_graph


@pytest.fixture(autouse=True)
def scipy_without_a_device(monkeypatch):
    if device.xp.ndarray is np.ndarray:
        monkeypatch.setattr(cupy, "_csr_matrix", lambda: ss.csr_matrix)


@pytest.mark.parametrize("dtype", [None, "float32", "float64"])
def test_the_matrix_is_that_of_the_host(dtype):
    G = random_graph(40, 200, dtype=dtype)
    H = G.to("cuda")
    for x in (H, H.A):
        S = cupy.to_sparse(x)
        expected = gl.interop.scipy.to_sparse(G)
        assert S.dtype == expected.dtype
        np.testing.assert_array_equal(device.to_host(S.toarray()), expected.toarray())
    S.data[:] = 0
    assert H.A.reduce_scalar("max").new().value != 0


def test_edge_cases():
    for name, G in edge_cases().items():
        if G.n:
            S = cupy.to_sparse(G.astype("FP64").to("cuda"))
            assert (S.shape, S.nnz) == (G.A.shape, G.A.nvals), name


def test_refusals():
    with pytest.raises(DomainMismatch, match="no sparse INT64 matrices"):
        cupy.to_sparse(random_graph(5, 9, dtype="int64").to("cuda"))
    with pytest.raises(EngineMismatch, match="engine 'cuda'"):
        cupy.to_sparse(random_graph(5, 9))
