"""Shortest paths from one vertex with weights >= 0: Dijkstra's algorithm.

    while a reached row is not settled:
        v = the first unsettled row with the minimum distance;  v is settled
        T = W(v) + D(v)            the lengths of the paths through v, for all rows at once
        X = T < D                  in these rows  D = T, parent = v

Source: E. Dijkstra, Numerische Mathematik 1, 1959; on the machine: A. Nepomniaschaya,
M. Dvoskina, "A simple implementation of Dijkstra's shortest path algorithm on associative
parallel processors", Fund. Inform. 43, 2000.
"""

from __future__ import annotations

from graphla.errors import NegativeWeight
from graphla.star.paths import Paths
from graphla.star.procedures import minimum
from graphla.star.slices import Slice
from graphla.star.weights import Weights


def dijkstra(W: Weights, s: int) -> Paths:
    """Find the shortest paths from one vertex.

    Parameters
    ----------
    W : Weights
        Entry (i, j) is the weight of the arc from i to j, >= 0.
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
    NegativeWeight
        The weights are signed: use :func:`bellman_ford`.

    Examples
    --------
    >>> from graphla.star import Weights
    >>> from graphla.star.algorithms import dijkstra
    >>> W = Weights(4, 3)
    >>> W[1, 2], W[1, 3], W[3, 2] = 5, 1, 2
    >>> [x.tolist() for x in dijkstra(W, 1).to_numpy()]
    [[0, 3, 1, 0], [1, 3, 1, 0], [True, True, True, False]]
    """
    paths = Paths.start(W, s, W.n.bit_length() if isinstance(W, Weights) else 0)
    if W.signed:
        raise NegativeWeight("dijkstra needs weights >= 0; these are signed")
    unsettled = Slice(W.n, engine=W.engine).set_all()
    while v := int(minimum(paths.distance, paths.reached & unsettled).find()):
        unsettled[v] = False
        paths.relax(W, v, unsettled)
    return paths
