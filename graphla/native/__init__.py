"""Hand-written twins of the algebraic algorithms: same names, signatures and results.

They run on the engine of the graph; on the CPU they are Numba kernels over
``G.csr``, compiled at the first call and kept on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla import checks

if TYPE_CHECKING:
    from graphla.graph import Graph
    from graphla.results import BFS


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the twin of :func:`graphla.bfs`, without algebra.

    Parameters, result and errors are those of its twin.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> gl.native.bfs(G, 0).level.to_dense(fill_value=-1).tolist()
    [0, 1, 2, 1, -1]
    """
    source = checks.vertex(G, source)
    from graphla.native.cpu.bfs import bfs

    return bfs(G, source)


def connected_components(G: Graph) -> Any:
    """Label weak components: the twin of :func:`graphla.connected_components`, without algebra.

    Parameters, result and errors are those of its twin.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.native.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    checks.room(G)
    from graphla.native.cpu.connected_components import connected_components

    return connected_components(G)
