"""The strongly connected component of a hub: the vertices that it reaches and that reach it.

    q<~seen, replace> = q' any.pair A       forward; with A' backward

The hub has the largest product of in- and out-degree, so it is in the giant component if
there is one.

Source: L. Fleischer, B. Hendrickson, A. Pinar, "On identifying strongly connected
components in parallel", IPDPS 2000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL

from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import DirectionOptimizer

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]


def hub_component(G: Graph, max_levels: int) -> Any:
    """Find the component of a hub as the entries of a Boolean Vector.

    The Vector is empty if no vertex has edges both in and out, or if a search takes more
    than `max_levels` levels: contraction is then faster than searching.
    """
    component = G.vector(BOOL)
    degree_product = G.out_degree.ewise_mult(G.in_degree, binary.times).new()
    largest = degree_product.reduce(monoid.max).new().get(0)
    if largest:
        hub = int(degree_product.select("==", largest).new().to_coo()[0][0])
        forward = find_reached(G, hub, max_levels)
        backward = find_reached(G.reversed(), hub, max_levels)
        component << forward.ewise_mult(backward, binary.pair[BOOL])
    return component


def find_reached(G: Graph, source: int, max_levels: int) -> Any:
    """Return the vertices that a search reaches, the source included, as a Boolean Vector.

    The search is given up after `max_levels` levels; the Vector is then empty.
    """
    seen, q = G.vector(BOOL), G.vector(BOOL)
    set_storage_hint(seen, form="bitmap")
    seen[source] = q[source] = True
    direction = DirectionOptimizer(G, q)
    discover, mark = q(~seen.S, replace=True), (seen(q.S), True)
    push = fuse((discover, q.vxm(G.A, any_pair)), mark)
    pull = fuse((discover, G.AT.mxv(q, any_pair)), mark)
    is_complete = direction.traverse(push, pull, max_levels=max_levels, size=1)
    return seen if is_complete else G.vector(BOOL)
