"""SciPy: graphs and matrices to sparse arrays. (``Graph(S)`` converts back.)"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.graph import Graph
from graphla.core.properties import to_csr


def to_sparse(x: Any) -> Any:
    """Return a graph's adjacency matrix, or a Matrix, as a SciPy sparse array.

    Parameters
    ----------
    x : Graph or Matrix, on engine "cpu"

    Returns
    -------
    scipy.sparse.csr_array
        A copy with sorted rows, and 32-bit indices if they fit. An unweighted graph has dtype
        bool and all entries True. Stored zeros are kept.

    Raises
    ------
    EngineMismatch
        `x` is on another engine.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph([[0, 5], [0, 0]])
    >>> gl.interop.scipy.to_sparse(G).toarray().tolist()
    [[0, 5], [0, 0]]
    """
    from scipy.sparse import csr_array

    A = x.A if isinstance(x, Graph) else x
    indptr, indices, values = to_csr(A)
    values = np.ones(indices.size, bool) if values is None else values
    return csr_array((values, indices, indptr), shape=A.shape)
