"""Reciprocity: the share of the edges whose reverse is an edge, too.

    B = A any.pair A'  by elements;      nvals B / nvals A, B being without self-loops

Cost: O(m).

Source: M. Newman, S. Forrest, J. Balthrop, "Email networks and the spread of computer
viruses", Phys. Rev. E 66, 035101 (2002); the definitions are NetworkX's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.errors import InvalidGraph

if TYPE_CHECKING:
    from graphla.core.graph import Graph

pair, plus, truediv = binary.pair[BOOL], binary.plus[INT64], binary.truediv[FP64]


@validation.explains_wrong_calls
def reciprocity(G: Graph) -> float:
    """Divide the edges whose reverse is an edge by all edges.

    Parameters
    ----------
    G : Graph
        Weights are ignored. A self-loop is an edge without a reverse.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    InvalidGraph
        There is no edge.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.reciprocity(gl.Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 3]))
    0.5
    """
    validation.check_graph(G)
    if not G.A.nvals:
        raise InvalidGraph(f"reciprocity is undefined for n={G.n} vertices without edges")
    return _select_mutual(G).select(select.offdiag, 0).new().nvals / G.A.nvals


@validation.explains_wrong_calls
def vertex_reciprocity(G: Graph) -> Any:
    """Divide the edges at each vertex whose reverse is an edge by all edges at the vertex.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Unlike in :func:`reciprocity`, a self-loop is its own reverse;
        it counts twice, as leaving and as entering.

    Returns
    -------
    Vector
        FP64 in [0, 1]; a vertex without edges has no entry.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 1], [1, 0, 2], n=4)
    >>> gl.vertex_reciprocity(G).to_dense(fill_value=-1).round(3).tolist()
    [1.0, 0.667, 0.0, -1.0]
    """
    validation.check_graph(G)
    mutual = row_counts(_select_mutual(G))
    both = mutual.ewise_mult(mutual, plus).new()
    total = G.out_degree.ewise_mult(G.in_degree, plus).new().select(">", 0).new()
    return both.ewise_mult(total, truediv).new()


def _select_mutual(G: Graph) -> Any:
    """Return the edges whose reverse is an edge."""
    return G.A.ewise_mult(G.AT, pair).new()
