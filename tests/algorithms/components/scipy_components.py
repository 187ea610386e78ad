"""Components by SciPy."""

from __future__ import annotations

import numpy as np
import scipy.sparse as ss
from scipy.sparse import csgraph


def smallest_by_scipy(G, connection):
    """Return the smallest vertex of each vertex's component, weakly or strongly connected."""
    rows, cols, _ = G.A.to_coo()  # a stored zero is an edge, which SciPy would drop
    S = ss.csr_array((np.ones(rows.size, np.int8), (rows, cols)), shape=(G.n, G.n))
    count, part = csgraph.connected_components(S, connection=connection)
    smallest = np.full(count, G.n)
    np.minimum.at(smallest, part, np.arange(G.n))
    return smallest[part]
