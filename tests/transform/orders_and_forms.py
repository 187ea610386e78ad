"""Helpers for tests of transforms: orders, storage forms, and equality on both engines."""

from __future__ import annotations

import numpy as np

from graphla import transform
from tests import strategies

ORDERS = {
    "by_degree": transform.by_degree,
    "by_degree, all": lambda G: transform.by_degree(G, cut=False),
    "breadth_first": transform.breadth_first,
    "reverse_cuthill_mckee": transform.reverse_cuthill_mckee,
    "renumber": lambda G: transform.renumber(G, np.random.default_rng(G.n).permutation(G.n)),
}
FORMS = {
    "compress": transform.compress,
    "compress rows by degree": lambda G: transform.compress(transform.rows_by_degree(G)),
    "interleave": transform.interleave,
    "interleave all": lambda G: transform.interleave(transform.rows_by_degree(G), 1),
    "interleave none": lambda G: transform.interleave(G, 0),
    "byte_ids": transform.byte_ids,
}
EVERY = strategies.graphs(weights=strategies.signed_weights, max_n=70, max_m=150)


def host(x):
    """Copy an array to host memory."""
    return x.get() if hasattr(x, "get") else x


def equal_matrices(A, B):
    assert A.dtype == B.dtype
    for a, b in zip(A.to_coo(), B.to_coo(), strict=True):
        assert host(a).tolist() == host(b).tolist()


def equal_vectors(x, y):
    assert x.dtype == y.dtype
    assert x.size == y.size
    assert host(x.to_dense(fill_value=-7)).tolist() == host(y.to_dense(fill_value=-7)).tolist()


def arrays(G):
    indptr, indices, values = G.A.to_csr()
    return indptr.astype(np.int64), indices, None if G.dtype == "BOOL" else values
