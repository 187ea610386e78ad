"""The checks of the benchmark's specification, on the list of edges as it was generated.

1. The tree is one: parents lead to the search key from everywhere, without cycles.
2. Its edges join vertices whose levels differ by one (whose distances differ by its weight).
3. The ends of no input edge differ by more than one level (by more than its weight).
4. The tree spans the component: no input edge leaves it.
5. Every edge of the tree is an input edge.

Whole arrays at a time, on the engine where the edges lie, in passes over blocks of them;
the host learns only whether a check holds.

Source: Graph500 benchmark specification, sections 7 (kernel 2) and 9 (kernel 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.verify.assertions import fail_where

if TYPE_CHECKING:
    from graphla.graph500.edges import EdgeList


def validate_bfs(edges: EdgeList, root: int, parent: Any, level: Any = None) -> None:
    """Check a breadth-first tree.

    Parameters
    ----------
    edges : EdgeList
    root : int
        The search key.
    parent : array of int, shape (n,)
        -1 where the search did not come; the root is its own parent.
    level : array of int, shape (n,), optional
        -1 where the search did not come; without it, that of each vertex in the tree.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        Parents are no integers; an array has not one value for each vertex.
    InvalidIndex
        The search key is no vertex.
    VerificationError
        A check fails; the message begins with its number.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla.graph500 import EdgeList
    >>> triangle = EdgeList(np.array([0, 1, 2]), np.array([1, 2, 0]), None, n=3)
    >>> validate_bfs(triangle, 0, np.array([0, 0, 0]))
    >>> validate_bfs(triangle, 0, np.array([0, 0, 1]))
    Traceback (most recent call last):
    graphla.errors.VerificationError: check 3: edge 2 -- 0 joins levels 2 and 0
    """
    root = _checked(edges, root, parent, level)
    depth = _depths(edges.xp, root, parent)
    if level is not None:
        fail_where(
            level != depth, "check 2: vertex {} is on level {}, in the tree on {}", level, depth
        )
    joined = _only(edges.xp, edges.n, root)
    for src, dst, _ in edges.blocks():
        a, b = depth[src], depth[dst]
        fail_where((a < 0) != (b < 0), "check 4: edge {1} -- {2} leaves the tree", src, dst)
        fail_where(
            abs(a - b) > 1, "check 3: edge {1} -- {2} joins levels {3} and {4}", src, dst, a, b
        )
        for above, below in ((src, dst), (dst, src)):
            joined[below[parent[below] == above]] = True
    _all_joined(joined, parent)


def validate_sssp(
    edges: EdgeList, root: int, parent: Any, distance: Any, *, rtol: float = 1e-6
) -> None:
    """Check a tree of shortest paths.

    Parameters
    ----------
    edges : EdgeList
        With weights.
    root, parent
        As of :func:`validate_bfs`.
    distance : array of float, shape (n,)
        Infinite where the search did not come.
    rtol : float
        Allowed per edge, relative to the distance that it leads to: weights, and mostly
        distances, are of single precision.

    Raises
    ------
    InvalidValue
        The edges have no weights.
    DimensionMismatch, DomainMismatch, InvalidIndex
        As of :func:`validate_bfs`.
    VerificationError
        A check fails; the message begins with its number.
    """
    if edges.weight is None:
        raise InvalidValue(f"validate_sssp: the {len(edges):,} edges have no weights")
    root = _checked(edges, root, parent, distance)
    xp = edges.xp
    depth, reached = _depths(xp, root, parent), distance != np.inf  # NaN is no distance
    fail_where(reached != (depth >= 0), "check 2: vertex {} has a parent or a distance, not both")
    d = xp.where(reached, distance, 0).astype(np.float64)
    fail_where(_only(xp, edges.n, root) & (d != 0), "check 2: the search key {} is at {}", d)
    joined, tight = _only(xp, edges.n, root), _only(xp, edges.n, root)
    text = "check 3: edge {1} -- {2} of weight {5} joins distances {3} and {4}"
    for src, dst, weight in edges.blocks():
        fail_where(
            reached[src] != reached[dst], "check 4: edge {1} -- {2} leaves the tree", src, dst
        )
        a, b, w = d[src], d[dst], weight.astype(np.float64)
        slack = rtol * xp.maximum(a, b)
        fail_where(abs(a - b) > w + slack, text, src, dst, a, b, weight)
        for above, below, rise in ((src, dst, b - a), (dst, src, a - b)):
            used = parent[below] == above
            joined[below[used]] = True
            tight[below[used & (abs(rise - w) <= slack)]] = True
    _all_joined(joined, parent)
    text = "check 2: no edge to vertex {} from its parent {} is as long as their distances differ"
    fail_where((parent >= 0) & ~tight, text, parent)


def _checked(edges: EdgeList, root: Any, parent: Any, other: Any) -> int:
    """Return the search key as an int; refuse columns that have not one value for each vertex."""
    for column in (parent, other):
        if column is not None and getattr(column, "shape", None) != (edges.n,):
            what = getattr(column, "shape", type(column).__name__)
            raise DimensionMismatch(f"shape {what}; the list has {edges.n} vertices")
    if parent.dtype.kind not in "iu":
        raise DomainMismatch(f"parents must be integers, not {parent.dtype}")
    return validation.vertex_of(edges.n, root, "root")


def _only(xp: Any, n: int, vertex: int) -> Any:
    """Return True at one vertex."""
    found = xp.zeros(n, bool)
    found[vertex] = True
    return found


def _all_joined(joined: Any, parent: Any) -> None:
    text = "check 5: no input edge joins vertex {} to its parent {}"
    fail_where((parent >= 0) & ~joined, text, parent)


def _depths(xp: Any, root: int, parent: Any) -> Any:
    """Return the depth of each vertex in the tree, -1 outside, by pointer doubling; check 1."""
    n = parent.size
    wrong = (parent < -1) | (parent >= n)
    fail_where(wrong, "check 1: the parent of vertex {} is {}: no vertex", parent)
    itself = xp.arange(n, dtype=parent.dtype)
    fail_where(
        (itself == root) & (parent != root),
        "check 1: the parent of the search key {} is {}",
        parent,
    )
    end = xp.where(parent < 0, itself, parent)
    depth = (end != itself).astype(np.int32)
    for _ in range(n.bit_length()):  # a chain that is longer has a cycle
        further = end[end]
        if bool((further == end).all()):
            break
        depth += depth[end]
        end = further
    astray = (parent >= 0) & (end != root)
    fail_where(astray, f"check 1: parents do not lead from vertex {{}} to the search key {root}")
    return xp.where(parent < 0, np.int32(-1), depth)
