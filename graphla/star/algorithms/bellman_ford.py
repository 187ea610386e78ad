"""Shortest paths from one vertex with weights of any sign, by Bellman and Ford's rounds.

    X = the rows that the last round improved
    for each v in X:   T = W(v) + D(v);   where T < D:  D = T, the parent is v

Round k settles all paths of k arcs; one that still improves after n rounds has met a
negative cycle.

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
    """Find the shortest paths from one vertex, whatever the signs of the weights.

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
        A cycle of negative weight can be reached from `s`.

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
    everywhere = Slice(W.n, engine=W.engine).set_all()
    improved = paths.reached.copy()
    for _ in range(W.n):
        if not improved:
            return paths
        last, improved = improved, Slice(W.n, engine=W.engine)
        while v := int(last.step()):
            improved |= paths.relax(W, v, everywhere)
    if improved:
        raise NegativeCycle(f"source={s} reaches a cycle of negative weight")
    return paths
