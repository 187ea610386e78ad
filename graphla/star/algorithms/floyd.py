"""Distances between all pairs of vertices: Floyd's algorithm.

    for each k, each i with a path to k:
        T = D(k) + D(i, k)         the lengths from i through k to all vertices at once
        X = T < D(i)               in these rows  D(i) = T, P(i) = P(k)

Source: R. Floyd, "Algorithm 97: shortest path", Comm. ACM 5, 1962; on the machine:
A. Nepomniaschaya, "Solution of path problems using associative parallel processors",
ICPADS 1997.
"""

from __future__ import annotations

from graphla.errors import DomainMismatch, NegativeCycle
from graphla.star.procedures import add, less, merge
from graphla.star.slices import Word
from graphla.star.weights import Weights


def floyd(W: Weights) -> tuple[Weights, Weights]:
    """Find the distances, and the shortest paths, between all pairs of vertices.

    Parameters
    ----------
    W : Weights
        Entry (i, j) is the weight of the arc from i to j, of any sign.

    Returns
    -------
    distance : Weights
        Entry (i, j) is the length of the shortest path from i to j; (i, i) is 0.
    parent : Weights
        Entry (i, j) is the vertex before j on it; (i, i) is i.

    Raises
    ------
    NegativeCycle
        There is a cycle of negative weight.

    Examples
    --------
    >>> from graphla.star import Weights
    >>> from graphla.star.algorithms import floyd
    >>> W = Weights(3, 3)
    >>> W[1, 2], W[2, 3], W[1, 3] = 2, 1, 7
    >>> distance, parent = floyd(W)
    >>> distance[1, 3], parent[1, 3], distance[3, 1]
    (3, 2, None)
    """
    D, P = _start(W)
    for k in range(1, W.n + 1):
        if (loop := D[k, k]) is not None and loop < 0:
            raise NegativeCycle(f"vertex {k} is on a cycle of negative weight")
        bias = Word.from_integer(D.bias, D.bits, engine=D.engine)
        sources = D.present.row(k)
        sources[k] = False
        while i := int(sources.step()):
            X, known = D.has(k), D.has(i)
            through = add(D.field(k), D.word(i, k).subt(bias), X)
            better = less(through, D.field(i), X) | (X - known)
            merge(through, better, D.field(i))
            merge(P.field(k), better, P.field(i))
            known |= better
    P.present.data[...] = D.present.data
    return D, P


def _start(W: Weights) -> tuple[Weights, Weights]:
    """Return the distances and the parents for paths of at most one arc."""
    if not isinstance(W, Weights):
        raise DomainMismatch(f"expected Weights, not {type(W).__name__}")
    vertex_bits = W.n.bit_length()
    D = Weights(W.n, W.bits + vertex_bits, signed=W.signed, engine=W.engine)
    P = Weights(W.n, vertex_bits, engine=W.engine)
    for i in range(1, W.n + 1):
        X, known = W.has(i), D.has(i)
        add(W.field(i), D.bias - W.bias, X, out=D.field(i))
        merge(Word.from_integer(i, vertex_bits, engine=W.engine), X, P.field(i))
        known |= X
        D[i, i] = min(0, W[i, i] or 0)
        P[i, i] = i
    return D, P
