"""Iso-valued CSR matrices, which store their one value once."""

import graphblas as gb
import numpy as np

import graphla as gl
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR, LONG


def test_equal_values_of_a_matrix_stay_one(monkeypatch):
    """The value is stored once: no product and no search expands it."""

    def spread(A):
        raise AssertionError(f"{A.nvals} values")

    G = gl.generate.kronecker(7, seed=1).astype("BOOL").to("cuda")
    assert G.A._store.iso
    monkeypatch.setattr(CSR, "full_values", spread)
    for search in (gl.bfs, gl.bfs_levels):
        assert search(G, 0) is not None
    for whole in (gl.connected_components, gl.pagerank):
        assert whole(G) is not None
    assert G.A.mxm(G.A, gb.semiring.any_pair).nvals


def test_long_rows_begin_at_their_least_length():
    """Every entry of the long rows is in one piece."""
    lengths = [LONG - 1, LONG, LONG + 1, 0, 2 * LONG]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.concatenate([np.arange(length) for length in lengths])
    csr = CSR(
        *(device.xp.asarray(x, np.int32) for x in (indptr, columns)),
        device.xp.ones(1, np.int64),
        ncols=2 * LONG,
        iso=True,
    )
    pieces = csr.long_row_pieces
    assert device.to_host(pieces.rows).tolist() == [1, 2, 4]
    assert device.to_host(pieces.ends).tolist() == [1, 3, 5]
