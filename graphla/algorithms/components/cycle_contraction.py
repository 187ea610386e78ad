"""One round of contraction towards strong components, in O(log n) vector operations.

Every vertex v picks one successor p(v), which makes a functional graph: following
it from v drains into one cycle. By pointer doubling, p <- p o p, each vertex learns

    least(v)  = smallest vertex of the cycle that v drains into,
    forced(v) = whether no vertex on the way had another choice.

A cycle is strongly connected; so is with it what drains into it and is reached
from it, q<~seen> = q any.pair { (u, v) in A : least(u) = least(v) }. Where v is
forced, all that it can ever reach is on its way: its component is final.

Picks are mutual where possible, as most small components are pairs, and pseudo-random,
so that many cycles form at once. The search for q may stop at any time: after O(log n) steps.

Sources: J. JaJa, "An introduction to parallel algorithms", Addison-Wesley 1992, ch. 2
(pointer doubling); S. Hong, N. Rodia, K. Olukotun, "On fast parallel detection of
strongly connected components in small-world graphs", SC 2013 (pairs).
"""

from __future__ import annotations

from typing import Any

from graphblas import binary, semiring
from graphblas.dtypes import BOOL, INT64, UINT64

from graphla.algorithms._shared.hashing import mix
from graphla.execution.storage_hints import set_storage_hint

any_pair, plus_pair = semiring.any_pair[BOOL], semiring.plus_pair[INT64]
max_second = semiring.max_second[UINT64]
bits_and, bits_or = binary.band[UINT64], binary.bor[UINT64]
LOW, HIGH = 2**31 - 1, 2**63 - 2**31


def contract(A: Any, index: Any) -> tuple[Any, Any]:
    """Group vertices of which it is certain that they share a strong component.

    Parameters
    ----------
    A : Matrix
        Adjacency matrix of k < 2^31 vertices, without self-loops.
    index : Vector
        0..k-1, of an integer dtype that holds k.

    Returns
    -------
    root : Vector
        Of the dtype of `index`, all present: a vertex of its own group that stands for
        the group.
    forced : Vector
        BOOL, all present: whether the group is a whole strong component that
        reaches only whole ones.
    """
    p, degree = _picks(A, index), index.dup()
    degree << 0
    degree(binary.second) << A.mxv(index, plus_pair)
    least, forced = index.dup(), degree.apply(binary.le, right=1).new()
    doublings = index.size.bit_length()
    for _ in range(doublings):
        steps = p.to_coo()[1]
        least(binary.min) << least[steps]
        forced(binary.land) << forced[steps]
        p << p[steps]
    drain = p.to_coo()[1]
    cycle = least[drain].new()

    any_first, any_eq = semiring.any_first[index.dtype], semiring.any_eq[index.dtype]
    colour = cycle.diag()
    same = any_eq(any_first(colour @ A).new() @ colour).new()
    inside = same.select("==", True).new()
    q = index.vxm(index.diag()[drain, :].new(), any_pair).new()  # every vertex on a cycle
    seen = q.dup()
    set_storage_hint(seen, form="bitmap")
    discover, step = q(~seen.S, replace=True), q.vxm(inside, any_pair)
    for _ in range(doublings):
        discover << step
        seen(q.S) << True
    root = index.dup()
    root(seen.S) << cycle
    return root, forced


def _picks(A: Any, index: Any) -> Any:
    """A pseudo-random successor of each vertex, mutual where possible; itself where it has none."""
    number = index.dup(UINT64)
    key = mix(number.dup()).apply(bits_and, right=HIGH).new()
    key(bits_or) << number
    p = index.dup()
    for edges in (A, A.ewise_mult(A.T, binary.pair[BOOL]).new()):
        p(binary.second) << edges.mxv(key, max_second).new().apply(bits_and, right=LOW)
    return p
