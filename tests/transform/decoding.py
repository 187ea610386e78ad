"""Storage forms decode to the rows of the graph, on either engine."""

from __future__ import annotations

import numpy as np

import graphla as gl
from graphla import transform
from tests.transform.orders_and_forms import FORMS, arrays, host


def check_form(G, name):
    form = FORMS[name](G)
    rows = transform.rows_by_degree(G) if "degree" in name or "all" in name else None
    indptr, indices = (rows.indptr, rows.indices) if rows else arrays(G)[:2]
    found = form.decode()
    assert host(found.indptr).tolist() == host(indptr).tolist()
    assert host(found.indices).tolist() == host(indices).tolist()
    assert found.indices.dtype == np.int32
    assert (found.n, found.kind, found.engine) == (G.n, G.kind, G.engine)
    assert found.values is None


def spread(n, m, seed):
    """Return a graph with neighbours inside and outside the window of byte_ids."""
    rng = np.random.default_rng(seed)
    src = rng.integers(0, n, m)
    dst = np.where(rng.random(m) < 0.7, src + rng.integers(-700, 700, m), rng.integers(0, n, m))
    return gl.Graph.from_edges(src, dst.clip(0, n - 1), n=n)
