"""The checks of the benchmark's specification, on the edge list as it was generated.

1. The tree has no cycle: the parents lead from every vertex in it to the search key.
2. Tree edges join vertices whose levels differ by one (whose distances differ by the weight).
3. The ends of every input edge differ by at most one level (by at most the weight).
4. The tree spans the component: no input edge leaves it.
5. Every tree edge is an input edge.

The checks are array operations on the engine of the edge list, block by block; only the outcome
of a check is read by the host.

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

NOT_A_VERTEX = "check 1: the parent of vertex {} is {}: not a vertex"
LEAVES_TREE = "check 4: edge {1} -- {2} leaves the tree"
NO_TREE_EDGE = "check 5: no input edge joins vertex {} to its parent {}"


def validate_bfs(edges: EdgeList, root: int, parent: Any, level: Any = None) -> None:
    """Check a breadth-first tree.

    Parameters
    ----------
    edges : EdgeList
    root : int
        The search key.
    parent : array of int, shape (n,)
        -1 for unreached vertices; the root is its own parent.
    level : array of int, shape (n,), optional
        -1 for unreached vertices; by default the depth in the tree.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        Parents are not integers; an array does not have one value for each vertex.
    InvalidIndex
        The search key is not a vertex.
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
    root = _check_arguments(edges, root, parent, level)
    depth = _tree_depths(edges.xp, root, parent)
    if level is not None:
        text = "check 2: vertex {} is on level {}, in the tree on {}"
        fail_where(level != depth, text, level, depth)
    has_tree_edge = _mask_of(edges.xp, edges.n, root)
    text = "check 3: edge {1} -- {2} joins levels {3} and {4}"
    for src, dst, _ in edges.blocks():
        a, b = depth[src], depth[dst]
        fail_where((a < 0) != (b < 0), LEAVES_TREE, src, dst)
        fail_where(abs(a - b) > 1, text, src, dst, a, b)
        for above, below in ((src, dst), (dst, src)):
            has_tree_edge[below[parent[below] == above]] = True
    fail_where((parent >= 0) & ~has_tree_edge, NO_TREE_EDGE, parent)


def validate_sssp(
    edges: EdgeList, root: int, parent: Any, distance: Any, *, rtol: float = 1e-6
) -> None:
    """Check a tree of shortest paths.

    Parameters
    ----------
    edges : EdgeList
        With weights.
    root, parent
        As in :func:`validate_bfs`.
    distance : array of float, shape (n,)
        Infinity for unreached vertices.
    rtol : float
        Tolerance for one edge, relative to the larger distance of its ends: weights, and often
        distances, have single precision.

    Raises
    ------
    InvalidValue
        The edges have no weights.
    DimensionMismatch, DomainMismatch, InvalidIndex
        As in :func:`validate_bfs`.
    VerificationError
        A check fails; the message begins with its number.
    """
    if edges.weight is None:
        raise InvalidValue(f"validate_sssp: the {len(edges):,} edges have no weights")
    root = _check_arguments(edges, root, parent, distance)
    xp = edges.xp
    depth, reached = _tree_depths(xp, root, parent), distance != np.inf  # NaN fails check 2
    fail_where(reached != (depth >= 0), "check 2: vertex {} has a parent or a distance, not both")
    d = xp.where(reached, distance, 0).astype(np.float64)
    is_root = _mask_of(xp, edges.n, root)
    fail_where(is_root & (d != 0), "check 2: the search key {} is at distance {}", d)
    has_tree_edge, has_tight_edge = is_root, is_root.copy()
    text = "check 3: edge {1} -- {2} of weight {5} joins distances {3} and {4}"
    for src, dst, weight in edges.blocks():
        fail_where(reached[src] != reached[dst], LEAVES_TREE, src, dst)
        d_src, d_dst, w = d[src], d[dst], weight.astype(np.float64)
        slack = rtol * xp.maximum(d_src, d_dst)
        fail_where(abs(d_src - d_dst) > w + slack, text, src, dst, d_src, d_dst, weight)
        for above, below, rise in ((src, dst, d_dst - d_src), (dst, src, d_src - d_dst)):
            in_tree = parent[below] == above
            has_tree_edge[below[in_tree]] = True
            has_tight_edge[below[in_tree & (abs(rise - w) <= slack)]] = True
    fail_where((parent >= 0) & ~has_tree_edge, NO_TREE_EDGE, parent)
    text = "check 2: no edge to vertex {} from its parent {} is as long as their distances differ"
    fail_where((parent >= 0) & ~has_tight_edge, text, parent)


def _check_arguments(edges: EdgeList, root: Any, parent: Any, values: Any) -> int:
    """Return the search key as an int; the arrays must have one value for each vertex."""
    for array in (parent, values):
        if array is not None and getattr(array, "shape", None) != (edges.n,):
            shape = getattr(array, "shape", type(array).__name__)
            raise DimensionMismatch(f"shape {shape}; the list has {edges.n} vertices")
    if parent.dtype.kind not in "iu":
        raise DomainMismatch(f"parents must be integers, not {parent.dtype}")
    return validation.check_vertex_number(edges.n, root, "root")


def _mask_of(xp: Any, n: int, vertex: int) -> Any:
    """Return a Boolean array that is True at one vertex."""
    mask = xp.zeros(n, bool)
    mask[vertex] = True
    return mask


def _tree_depths(xp: Any, root: int, parent: Any) -> Any:
    """Return the depth of each vertex in the tree, -1 outside it, by pointer doubling (check 1)."""
    n = parent.size
    wrong = (parent < -1) | (parent >= n)
    fail_where(wrong, NOT_A_VERTEX, parent)
    vertex = xp.arange(n, dtype=parent.dtype)
    wrong = (vertex == root) & (parent != root)
    fail_where(wrong, "check 1: the parent of the search key {} is {}", parent)
    end = xp.where(parent < 0, vertex, parent)
    depth = (end != vertex).astype(np.int32)
    for _ in range(n.bit_length()):  # chains without a cycle end within n steps
        next_end = end[end]
        if bool((next_end == end).all()):
            break
        depth += depth[end]
        end = next_end
    wrong = (parent >= 0) & (end != root)
    fail_where(wrong, f"check 1: parents do not lead from vertex {{}} to the search key {root}")
    return xp.where(parent < 0, np.int32(-1), depth)
