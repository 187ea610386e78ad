"""Triangle count by a masked product of the lower triangle with itself.

    count = sum C,    C<L> = L plus.pair L  or  L plus.pair L',    L = tril(A, -1)

C(i, j) counts the k that form a triangle with the edge (i, j), i > j: those between j and i, or,
with L', those below j. Either way each triangle is counted once, and the engine chooses
(:mod:`graphla.execution.push_pull`). The work is the sum of |L(k)| over the edges (i, k). If
degrees are skewed, vertices are first renumbered by falling degree, which bounds a row of L by
sqrt(2m).

Cost: the work above: O(m^1.5) in the order by degree.

Source: A. Azad, A. Buluc, J. Gilbert, "Parallel triangle counting and
enumeration using matrix algebra", IPDPSW 2015; the order: M. Latapy, Theoretical
Computer Science 407 (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import monoid, select, semiring
from graphblas.dtypes import INT64

from graphla.core import validation
from graphla.execution.push_pull import choose_triangle_factor

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SKEWED = 8  # degrees are skewed if the largest is more than this many times the mean

plus_pair = semiring.plus_pair[INT64]


@validation.explains_wrong_calls
def triangle_count(G: Graph) -> int:
    """Count the triangles of an undirected graph.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.

    Returns
    -------
    int
        Number of sets of three vertices that are joined pairwise.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.triangle_count(G)
    1
    """
    validation.require_symmetric(G, "triangle_count")
    A = G.A
    if has_skewed_degrees(A, G.max_out_degree):
        A, _ = sort_by_degree(A, G.out_degree)
    L = A.select(select.tril, -1).new()
    C = L.dup(INT64, clear=True)
    C(L.S) << L.mxm(choose_triangle_factor(G, L), plus_pair)
    return int(C.reduce_scalar(monoid.plus).new().value or 0)


def has_skewed_degrees(A: Any, max_degree: int) -> bool:
    """Return whether renumbering vertices by degree is worth its cost."""
    return max_degree * A.nrows > SKEWED * A.nvals


def sort_by_degree(A: Any, degree: Any) -> tuple[Any, Any]:
    """Return A with vertices in the order of falling degree, and that order as an array."""
    order = (-degree.to_coo(indices=False)[1]).argsort()
    return A[order, order].new(), order
