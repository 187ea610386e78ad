"""Communities by label propagation: each vertex gets the most frequent label of its neighbours.

    C = A plus.pair S,   S(j, label(j)) = 1;    label(i) = argmax_l C(i, l)

C(i, l) counts the neighbours of i with label l. All vertices of one colour are updated at once:
they are not adjacent, so labels cannot oscillate for ever. A vertex keeps its label if that is
among the most frequent; otherwise it gets the largest of these.

Cost: O(m) an iteration, in one product for each colour of a colouring.

Source: G. Cordasco, L. Gargano, "Community detection via semi-synchronous label propagation
algorithms", BASNA 2010.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid, select, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms._shared.vectors import make_index_vector
from graphla.algorithms.communities.greedy_color import greedy_color, split_by_color
from graphla.algorithms.communities.membership import find_smallest_members, make_membership
from graphla.core import validation
from graphla.core.display import Progress

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, minus, times = binary.plus[INT64], binary.minus[INT64], binary.times[INT64]
plus_pair = semiring.plus_pair[INT64]


@validation.explains_wrong_calls
def label_propagation(G: Graph, *, progress: bool = False) -> Any:
    """Label each vertex of an undirected graph with its community.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    progress : bool
        Show a bar of the sweeps.

    Returns
    -------
    Vector
        Of dtype ``G.index_dtype`` with all n entries: the smallest vertex of each vertex's
        community. The result is deterministic.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], kind="undirected")
    >>> gl.label_propagation(G).to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """
    validation.require_symmetric(G, "label_propagation")
    A, color = remove_self_loops(G), greedy_color(G)
    label = make_index_vector(G, G.n)
    classes = split_by_color(color, A)
    S, unchanged = make_membership(G, label), 0  # classes since the last change
    with Progress(progress, "label_propagation") as bar:
        while unchanged < len(classes):
            for vertices, rows in classes:
                unchanged += 1
                if _update_labels(S, label, vertices, rows):
                    S, unchanged = make_membership(G, label), 0
            bar.step()
    return find_smallest_members(G, S)


def _update_labels(S: Any, label: Any, vertices: Any, rows: Any) -> bool:
    """Update the labels of vertices of one colour; return whether any changed."""
    C = rows.mxm(S, plus_pair).new()
    current = label[vertices].new()
    current_count = current.dup(INT64)
    current_count << 0
    kept = C.ewise_mult(S[vertices, :].new(), binary.first[INT64]).new()
    current_count(plus) << kept.reduce_rowwise(monoid.plus)

    key = C.apply(times, right=S.ncols).new()  # orders by count, then by label
    key << key.ewise_mult(C.apply(indexunary.colindex).new(), plus)
    best = key.reduce_rowwise(monoid.max).new()
    count = best.apply(binary.cdiv[INT64], right=S.ncols).new()
    best_label = best.ewise_mult(count.apply(times, right=S.ncols).new(), minus).new()
    stale = current_count.ewise_mult(count, binary.lt).new()
    stale << stale.select(select.valueeq[BOOL], True)
    if not stale.nvals:
        return False
    current(stale.S) << best_label
    label[vertices] << current
    return True
