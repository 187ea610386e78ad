"""Shortest paths from one vertex with weights of any sign: the Bellman-Ford algorithm.

    each round:  X = the rows that the last round improved
                 for each v in X:   T = W(v) + D(v);   in the rows with T < D:  D = T, parent = v

After round k all shortest paths of k arcs are found. If round n improves a row, a cycle of
negative weight is reachable.

Source: R. Bellman, "On a routing problem", Q. Appl. Math. 16, 1958; on the machine:
A. Nepomniaschaya, "An associative version of the Bellman-Ford algorithm for finding the
shortest paths in directed graphs", PaCT 2001.
"""

from __future__ import annotations

from graphla.errors import NegativeCycle
from graphla.star.paths import Paths
from graphla.star.slices import Slice
from graphla.star.weights import Weights


def bellman_ford(W: Weights, s: int) -> Paths:
    """Find the shortest paths from one vertex; weights can be negative.

    Parameters
    ----------
    W : Weights
        Entry (i, j) is the weight of the arc from i to j.
    s : int
        The source, 1..n.

    Returns
    -------
    Paths
        `distance`, `parent` and `reached`.

    Raises
    ------
    InvalidIndex
        `s` is not a vertex.
    NegativeCycle
        A cycle of negative weight is reachable from `s`.

    Examples
    --------
    >>> from graphla.star import Weights
    >>> from graphla.star.algorithms import bellman_ford
    >>> W = Weights(3, 4, signed=True)
    >>> W[1, 2], W[1, 3], W[2, 3] = 4, 3, -2
    >>> [x.tolist() for x in bellman_ford(W, 1).to_numpy()[:2]]
    [[0, 4, 2], [1, 1, 2]]
    """
    paths = Paths.start(W, s, 2 * W.n.bit_length() if isinstance(W, Weights) else 0)
    all_vertices = Slice(W.n, engine=W.engine).set_all()
    improved = paths.reached.copy()
    for _ in range(W.n):
        if not improved:
            return paths
        queue, improved = improved, Slice(W.n, engine=W.engine)
        while v := int(queue.step()):
            improved |= paths.relax(W, v, all_vertices)
    if improved:
        raise NegativeCycle(f"source={s} reaches a cycle of negative weight")
    return paths
