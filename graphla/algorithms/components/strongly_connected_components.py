"""Strongly connected components: searches from a hub, then contraction of the rest.

    A = A without the component of a hub
    repeat:  A = peel(A),  S = groups(A),  A = S' A S

Most of a graph is usually one component (hub_component). In the rest, vertices that reach no
cycle are peeled off level by level (topological_levels), and vertices on common cycles are
contracted (cycle_contraction): S(v, r) = 1 if r represents the group of v. No loop runs over
components.

Cost: O(m) for the component of the hub and for each level of peeling or contraction of the rest.

Source of the order of the steps: G. Slota, S. Rajamanickam, K. Madduri, "BFS and
coloring-based parallel algorithms for strongly connected components", IPDPS 2014.
"""

from __future__ import annotations

from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING, Any

from graphblas import monoid, select, semiring
from graphblas.dtypes import BOOL

from graphla.algorithms._shared.edges import count_successors
from graphla.algorithms._shared.vectors import make_index_vector
from graphla.algorithms.components.connected_components import flatten_labels
from graphla.algorithms.components.cycle_contraction import contract
from graphla.algorithms.traversal.hub_component import hub_component
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core import validation
from graphla.core.display import Progress

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]


@validation.explains_wrong_calls
def strongly_connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label each vertex with the smallest vertex of its strongly connected component.

    Two vertices share a component when each has a path to the other.

    Parameters
    ----------
    G : Graph
        Weights are ignored.
    progress : bool
        Show a bar of the rounds of contraction.

    Returns
    -------
    Vector
        Of dtype ``G.index_dtype`` and length n, with all entries.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 1, 4, 3], n=6)
    >>> gl.strongly_connected_components(G).to_dense().tolist()
    [0, 1, 1, 3, 3, 5]
    """
    validation.check_graph(G)
    max_levels = 4 * isqrt(G.n)
    label = make_index_vector(G, G.n)
    core = label.dup(mask=hub_component(G, max_levels).S)
    label(core.S) << core.reduce(monoid.min).new().get(0)

    rest = label.dup(mask=~core.S).to_coo()[0]
    home = label[rest].new()  # the label of each contracted vertex
    A = G.A[rest, rest].new().select(select.offdiag).new()
    final = home.dup(BOOL)
    final << False
    bar = Progress(progress, "strongly_connected_components")
    while True:
        bar.step()
        unpeeled = _peel(A, home, final, max_levels)
        home, A = home[unpeeled].new(), A[unpeeled, unpeeled].new()
        if not home.size:
            bar.close()
            return flatten_labels(label)
        index = make_index_vector(G, home.size)
        root, final = contract(A, index)
        roots = root.to_coo()[1]
        S = index.diag()[roots, :].new()
        least = home.vxm(S, semiring.min_first[home.dtype]).new()
        label[home.to_coo()[1]] << least[roots]
        home = least
        A = any_pair(any_pair(S.T @ A).new() @ S).new().select(select.offdiag).new()


def _peel(A: Any, home: Any, final: Any, max_levels: int) -> Any:
    """Remove final vertices and then those without successors; return the indices of the rest."""
    degree = count_successors(A, home)
    degree(final.V) << 0
    for _ in islice(topological_levels(A.T.new(), degree), max_levels):
        pass
    return degree.select(">", 0).new().to_coo()[0]
