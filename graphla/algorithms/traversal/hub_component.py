"""The strongly connected component of a hub: what a search from it and a search to it both reach.

    q<~seen, replace> = q' any.pair A       forward; with A' backward

The hub has the largest product of in- and out-degree, so it lies in the giant
component, where there is one.

Source: L. Fleischer, B. Hendrickson, A. Pinar, "On identifying strongly connected
components in parallel", IPDPS 2000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import BOOL

from graphla.execution.fusion import fuse
from graphla.execution.push_pull import DirectionOptimizer
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]


def hub_component(G: Graph, deepest: int) -> Any:
    """Find the component of a hub as the entries of a Boolean Vector.

    There are none where no vertex has edges both ways, or where a search takes
    more than `deepest` levels: the graph is then better contracted.
    """
    component = G.vector(BOOL)
    traffic = G.out_degree.ewise_mult(G.in_degree, binary.times).new()
    most = traffic.reduce(monoid.max).new().get(0)
    if most:
        hub = int(traffic.select("==", most).new().to_coo()[0][0])
        forward = reached(G, hub, deepest)
        component << forward.ewise_mult(reached(G.reversed(), hub, deepest), binary.pair[BOOL])
    return component


def reached(G: Graph, source: int, deepest: int) -> Any:
    """Find what a search reaches, the source included; nothing where it is given up.

    It is given up after `deepest` levels. The result is a Boolean Vector.
    """
    seen, q = G.vector(BOOL), G.vector(BOOL)
    set_storage_hint(seen, form="bitmap")
    seen[source] = q[source] = True
    direction = DirectionOptimizer(G, q)
    discover, mark = q(~seen.S, replace=True), (seen(q.S), True)
    push = fuse((discover, q.vxm(G.A, any_pair)), mark)
    pull = fuse((discover, G.AT.mxv(q, any_pair)), mark)
    return seen if direction.traverse(push, pull, max_levels=deepest) else G.vector(BOOL)
