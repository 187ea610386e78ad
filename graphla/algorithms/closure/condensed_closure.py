"""Transitive closure over the strongly connected components, which form an acyclic graph A.

    sweep       R[level, :] |= A[level, :] any.pair R       levels from the sinks up
    Warshall    R |= R[:, level] any.pair R[level, :]       outer products of pivots

and then R[component, component]. Warshall's algorithm uses all pivots of a level in one
product, because none of them reaches another.

Cost: O(m) for the components and O(c^3 / 64) for c of them; n^2 / 8 bytes for bits, more for a
result with many pairs.

Sources: P. Purdom, "A transitive closure algorithm", BIT 10, 1970; S. Warshall,
"A theorem on Boolean matrices", J. ACM 9, 1962.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring
from graphblas.dtypes import BOOL

from graphla.algorithms.closure.closure_size import make_plan
from graphla.algorithms.traversal.level_sweep import count_levels, sweep
from graphla.core import validation
from graphla.core.display import Progress
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

any_pair = semiring.any_pair[BOOL]


@validation.explains_wrong_calls
def transitive_closure_condensed(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs of vertices that a path joins, by a sweep over the components.

    Parameters, result and errors are those of
    :func:`graphla.algorithms.closure.transitive_closure.transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.transitive_closure_condensed(gl.Graph.from_edges([0, 1], [1, 0], n=3)).nvals
    4
    """
    condensed, height, form = make_plan(G, max_bytes)
    R = condensed.A.dup()
    set_storage_hint(R, form=form)
    band = (isqrt(count_levels(height)) or 1) if form == "sparse" else 1
    with Progress(progress, "transitive_closure", count_levels(height)) as bar:
        sweep(condensed.A, height, R, any_pair, binary.any, band, on_band=bar.step)
    return condensed.expand(R)


@validation.explains_wrong_calls
def transitive_closure_warshall(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs of vertices that a path joins, by Warshall's algorithm on the components.

    Parameters, result and errors are those of
    :func:`graphla.algorithms.closure.transitive_closure.transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.transitive_closure_warshall(gl.Graph.from_edges([0, 1], [1, 0], n=3)).nvals
    4
    """
    condensed, height, form = make_plan(G, max_bytes)
    R = condensed.A.dup()
    set_storage_hint(R, form=form)
    with Progress(progress, "transitive_closure_warshall", count_levels(height)) as bar:
        for level in range(count_levels(height)):
            pivots = height.select("==", level).new().to_coo()[0]
            R(binary.any) << R[:, pivots].new().mxm(R[pivots, :].new(), any_pair)
            bar.step()
    return condensed.expand(R)
