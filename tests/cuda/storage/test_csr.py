"""CSR matrices whose entries have one value, kept once."""

import graphblas as gb

import graphla as gl
from graphla.cuda.storage.csr import CSR


def test_equal_values_of_a_matrix_stay_one(monkeypatch):
    """One value stands for those of all edges: no product, no search spreads it."""

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
