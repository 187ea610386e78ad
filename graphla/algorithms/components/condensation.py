"""Condensation: the acyclic graph of the strongly connected components.

    C = S' any.pair A any.pair S,    S(v, c) = 1 if vertex v is in component c

Source: F. Harary, R. Norman, D. Cartwright, "Structural models", Wiley 1965, ch. 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, indexunary, select, semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms._shared.edges import count_successors
from graphla.algorithms.components.strongly_connected_components import (
    strongly_connected_components,
)
from graphla.algorithms.traversal.topological_levels import topological_levels

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair, plus_pair = semiring.any_pair[BOOL], semiring.plus_pair[INT64]


class Condensation(NamedTuple):
    """The c strongly connected components of a graph of n vertices, and their edges.

    `component`, of length n and of dtype ``G.index_dtype``, is the component of each vertex;
    components are numbered 0..c-1 in the order of their smallest vertices. `size`, INT64 of
    length c, counts their vertices. `A`, Boolean c x c, has an entry (a, b) if an edge leads
    from a vertex of a to a vertex of b; a diagonal entry is an edge within a component.
    """

    component: Any
    size: Any
    A: Any

    def iterate_levels(self) -> Iterator[Any]:
        """Yield the components level by level, sinks first (see topological_levels)."""
        between = self.A.select(select.offdiag).new()
        degree = count_successors(between, self.size)
        return topological_levels(between.T.new(), degree)

    def expand(self, R: Any) -> Any:
        """Map a relation R on components to vertices: R[component, component]."""
        if R.nrows == self.component.size:  # each vertex is a component of its own
            return R
        members = self.component.to_coo()[1]
        return R[members, members].new()


def condense(G: Graph) -> Condensation:
    """Condense a graph; weights are ignored."""
    label = strongly_connected_components(G)
    T = label.dtype
    index = label.apply(indexunary.rowindex[T]).new()
    roots = label.ewise_mult(index, binary.eq).new().select("==", True).new().to_coo()[0]
    S = index.diag()[label.to_coo()[1], roots].new()
    size = index.vxm(S, plus_pair).new()
    component = S.mxv(size, semiring.ss.any_secondi[T]).new()
    return Condensation(component, size, any_pair(any_pair(S.T @ G.A).new() @ S).new())
