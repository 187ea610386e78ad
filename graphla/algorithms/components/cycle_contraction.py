"""One round of contraction towards strong components, in O(log n) vector operations.

Every vertex v picks one successor p(v). The picks form a functional graph, in which the path
from v ends in one cycle. Pointer doubling, p <- p o p, computes for each vertex

    least(v)  = smallest vertex of that cycle,
    forced(v) = whether no vertex on the path had another successor.

A cycle is strongly connected, together with the vertices that it reaches among those whose
paths end in it: q<~seen> = q any.pair { (u, v) in A : least(u) = least(v) }. A forced v can
reach only the vertices on its path, so its component is final.

Picks are mutual if possible, because most small components are pairs, and pseudo-random, so
that many cycles form at once. The search from q may stop early: it does after O(log n) steps.

Sources: J. JaJa, "An introduction to parallel algorithms", Addison-Wesley 1992, ch. 2
(pointer doubling); S. Hong, N. Rodia, K. Olukotun, "On fast parallel detection of
strongly connected components in small-world graphs", SC 2013 (pairs).
"""

from __future__ import annotations

from typing import Any

from graphblas import binary, semiring
from graphblas.dtypes import BOOL, UINT64

from graphla.algorithms._shared.edges import count_successors, select_edges_within
from graphla.algorithms._shared.hashing import mix
from graphla.execution.hints import set_storage_hint

any_pair = semiring.any_pair[BOOL]
max_second = semiring.max_second[UINT64]
bits_and, bits_or = binary.band[UINT64], binary.bor[UINT64]
LOW, HIGH = 2**31 - 1, 2**63 - 2**31


def contract(A: Any, index: Any) -> tuple[Any, Any]:
    """Group vertices that are known to share a strong component.

    Parameters
    ----------
    A : Matrix
        Adjacency matrix of k < 2^31 vertices, without self-loops.
    index : Vector
        0..k-1, of an integer dtype that holds k.

    Returns
    -------
    root : Vector
        Of the dtype of `index`, all present: the representative of each vertex's group,
        one of its vertices.
    forced : Vector
        BOOL, all present: whether the group is a complete strong component that reaches
        only complete ones.
    """
    p, least = _pick_successors(A, index), index.dup()
    forced = count_successors(A, index).apply(binary.le, right=1).new()
    doublings = index.size.bit_length()
    for _ in range(doublings):
        steps = p.to_coo()[1]
        least(binary.min) << least[steps]
        forced(binary.land) << forced[steps]
        p << p[steps]
    end = p.to_coo()[1]
    cycle = least[end].new()

    inside = select_edges_within(A, cycle)
    q = index.vxm(index.diag()[end, :].new(), any_pair).new()  # every vertex on a cycle
    seen = q.dup()
    set_storage_hint(seen, form="bitmap")
    discover, step = q(~seen.S, replace=True), q.vxm(inside, any_pair)
    for _ in range(doublings):
        discover << step
        seen(q.S) << True
    root = index.dup()
    root(seen.S) << cycle
    return root, forced


def _pick_successors(A: Any, index: Any) -> Any:
    """Return a pseudo-random successor per vertex, mutual if possible; itself if it has none."""
    number = index.dup(UINT64)
    key = mix(number.dup()).apply(bits_and, right=HIGH).new()
    key(bits_or) << number
    p = index.dup()
    for edges in (A, A.ewise_mult(A.T, binary.pair[BOOL]).new()):
        p(binary.second) << edges.mxv(key, max_second).new().apply(bits_and, right=LOW)
    return p
