"""Degree centrality: the share of the other vertices that each is joined to.

    degree / (n - 1)

Cost: O(n), from degrees that the graph caches.

Source: L. Freeman, "Centrality in social networks", Social Networks 1 (1978).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select
from graphblas.dtypes import FP64, INT64

from graphla.core import validation
from graphla.core.properties import row_counts

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def degree_centrality(G: Graph) -> Any:
    """Divide each vertex's degree by n - 1.

    Parameters
    ----------
    G : Graph
        Weights are ignored. The degree in a directed graph is the sum of in- and
        out-degree; in an undirected one a self-loop adds 2 to it.

    Returns
    -------
    Vector
        FP64 with all n entries; 1 if there is only one vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.degree_centrality(gl.Graph.from_edges([0, 0], [1, 2])).to_dense().tolist()
    [1.0, 0.5, 0.5]
    """
    validation.check_graph(G)
    degree = G.out_degree
    if G.kind == "directed":
        degree = degree.ewise_add(G.in_degree, binary.plus).new()
    elif G.nself_edges:
        loops = row_counts(G.A.select(select.diag, 0).new())
        degree = degree.ewise_add(loops, binary.plus).new()
    return _divide_by_others(G, degree)


@validation.explains_wrong_calls
def in_degree_centrality(G: Graph) -> Any:
    """Divide each vertex's in-degree by n - 1.

    Parameters and result are those of :func:`degree_centrality`; a self-loop adds 1.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.in_degree_centrality(gl.Graph.from_edges([0, 0], [1, 2])).to_dense().tolist()
    [0.0, 0.5, 0.5]
    """
    validation.check_graph(G)
    return _divide_by_others(G, G.in_degree)


@validation.explains_wrong_calls
def out_degree_centrality(G: Graph) -> Any:
    """Divide each vertex's out-degree by n - 1.

    Parameters and result are those of :func:`degree_centrality`; a self-loop adds 1.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.out_degree_centrality(gl.Graph.from_edges([0, 0], [1, 2])).to_dense().tolist()
    [1.0, 0.0, 0.0]
    """
    validation.check_graph(G)
    return _divide_by_others(G, G.out_degree)


def _divide_by_others(G: Graph, degree: Any) -> Any:
    """Return degree / (n - 1) in FP64; 1 for a single vertex."""
    if G.n <= 1:
        return degree.apply(binary.second[INT64], right=1).new(FP64)
    return degree.apply(binary.truediv[FP64], right=G.n - 1).new(FP64)
