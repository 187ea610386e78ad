"""Transitivity: the share of the paths of two edges that a third edge closes to a triangle.

    sum C / sum d (d - 1),    C<A> = A plus.pair A'

In an undirected graph the numerator is six times the number of triangles.

Cost: O(m^1.5), as triangle_count.

Source: M. Newman, S. Strogatz, D. Watts, Phys. Rev. E 64, 026118 (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphblas import monoid

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.triangles.clustering_coefficient import count_neighbor_pairs, plus_pair
from graphla.algorithms.triangles.triangle_count import triangle_count
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def transitivity(G: Graph) -> float:
    """Find the share of the pairs of neighbours in the whole graph that an edge joins.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored. In a directed graph the pairs are
        those of the successors of a vertex, in order.

    Returns
    -------
    float
        In [0, 1]; 0 if no vertex has two neighbours.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.transitivity(G)
    0.6
    """
    validation.check_graph(G)
    A = remove_self_loops(G)
    pairs = count_neighbor_pairs(A).reduce(monoid.plus).new().value or 0
    if not pairs:
        return 0.0
    if G.is_symmetric:
        return 6 * triangle_count(G) / pairs
    closed = A.mxm(A.T, plus_pair).new(mask=A.S).reduce_scalar(monoid.plus).new().value
    return (closed or 0) / pairs
