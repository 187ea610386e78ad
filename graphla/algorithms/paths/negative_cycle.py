"""A cycle of negative weight, by Bellman and Ford's iteration with parents.

    r = q' min.plus A,  q = r where r < d,  d = min(d, r)
    parent(v) = u  where q(u) + A(u, v) = r(v),  for the improved v alone
    P(v, parent(v)) = 1;    P^k = 0 for a k  if and only if the parents form no cycle

A parent is set only if it improves the distance, so a cycle of parents has a negative weight,
and after n rounds there is one if any such cycle can be reached. Powers of P are computed by
squaring, after 1, 2, 4, ... and n rounds.

Cost: O(n m) at worst.

Source: B. Cherkassky, A. Goldberg, "Negative-cycle detection algorithms", Math. Program. 85
(1999).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import BOOL

from graphla.algorithms.paths.tight_edges import find_tight_edges
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def negative_cycle(G: Graph, source: int) -> list[int]:
    """Find a cycle of negative weight that can be reached from a vertex.

    Parameters
    ----------
    G : Graph
        An undirected edge of negative weight is such a cycle: it can be walked back and forth.
    source : int
        Vertex in 0..n-1.

    Returns
    -------
    list of int
        The vertices in the order of the cycle, the first one again at the end; empty
        if no such cycle can be reached. It begins with `source` if that is on the cycle,
        otherwise with its smallest vertex. With floats it may be a cycle whose weight
        is zero except for rounding.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.
    InvalidValue
        A weight is NaN, or (n + 2) times the largest absolute weight does not fit
        the distances' dtype, which infinite weights never do.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [4, 1, 1, -3], n=4)
    >>> gl.negative_cycle(G, 0)
    [1, 2, 3, 1]
    """
    source = validation.check_vertex(G, source)
    if not G.weighted:
        return []
    validation.refuse_nan(G, "negative_cycle")
    T, _ = validation.distance_dtype(G, "negative_cycle")
    if not (G.min_weight or 0) < 0:
        return []
    G = G.astype(T)
    d, q, r = (G.vector(T) for _ in range(3))
    parent = G.vector(G.index_dtype)
    d[source] = q[source] = 0
    rounds, next_check = 0, 1
    while q.nvals:
        r << q.vxm(G.A, semiring.min_plus[T])
        # a new object: SuiteSparse 9.4.5 writes beyond a full output of one value
        better = r.ewise_mult(d, binary.lt[T]).new()
        better(~d.S) << r.apply(binary.pair[BOOL], right=True)
        better << better.select(select.valueeq[BOOL], True)
        r(better.S, replace=True) << r.dup()
        hits = find_tight_edges(G.A, q, r)
        parent(r.S) << q.vxm(hits, semiring.ss.any_secondi[G.index_dtype]).new()
        d(r.S) << r
        q << r
        rounds += 1
        if rounds in (next_check, G.n):
            next_check *= 2 if rounds == next_check else 1
            if cycle := _find_parent_cycle(G, parent):
                start = cycle.index(source if source in cycle else min(cycle))
                return [*cycle[start:], *cycle[: start + 1]]
    return []


def _find_parent_cycle(G: Graph, parent: Any) -> list[int]:
    """Return the vertices of a cycle of parents, from parent to child; empty if there is none."""
    v, p = parent.to_coo()
    P = G.matrix(BOOL)
    P.build(v, p, [True] * p.size)
    k = 1
    while k < G.n and P.nvals:
        P << P.mxm(P, semiring.any_pair[BOOL])
        k *= 2
    if not P.nvals:
        return []
    parent_of = dict(zip(v.tolist(), p.tolist(), strict=True))
    cycle = [int(P.to_coo(values=False)[1][0])]
    while (u := parent_of[cycle[-1]]) != cycle[0]:
        cycle.append(u)
    return cycle[::-1]
