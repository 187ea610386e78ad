"""All-pairs distances by Floyd and Warshall's algorithm, in blocks of vertices.

For each block K of intermediate vertices in turn,

    D(K, K) = D(K, K)*                                     closure: squared until it is stable
    D(K, :) = D(K, K) min.plus D(K, :),    D(:, K) = D(:, K) min.plus D(K, K)
    D       = D min (D(:, K) min.plus D(K, :))

Cost: O(n^3) operations and n^2 entries.

Source: R. Floyd, "Algorithm 97: shortest path", CACM 5 (1962); in blocks G. Venkataraman,
S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", J. Exp.
Algorithmics 8 (2003).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring
from graphblas.dtypes import INT64

from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.all_pairs_shortest_paths import allocate_distances
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.memory import available
from graphla.errors import NegativeCycle

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 64


@validation.explains_wrong_calls
def floyd_warshall(G: Graph, *, max_bytes: int | None = None, progress: bool = False) -> Any:
    """Find the distances between all pairs of vertices, for small or dense graphs.

    The work is n^3 if paths join most pairs; :func:`all_pairs_shortest_paths` does less if there
    are few edges.

    Parameters
    ----------
    G : Graph
        With weights of any sign; an unweighted edge has weight 1.
    max_bytes : int, optional
        Largest result to build; by default a fifth of the available memory, as the
        work takes up to about 34 bytes a pair of vertices beside it.
    progress : bool
        Show a bar of the vertices passed through.

    Returns
    -------
    Matrix
        n x n: entry (u, v) is the distance from u to v; there is none if no path leads
        there. The dtype is that of the weights; INT64 for integers that might overflow and
        for an unweighted graph.

    Raises
    ------
    InvalidValue
        A weight is NaN, or the weights are too large for paths.
    OutOfMemory
        The result may take more than `max_bytes`.
    NegativeCycle
        There is a cycle of negative weight.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2])
    >>> gl.floyd_warshall(G).to_dense(fill_value=99).tolist()
    [[0, 4, 2], [99, 0, -2], [99, 99, 0]]
    """
    validation.check_graph(G)
    validation.refuse_nan(G, "floyd_warshall")
    G = G if G.weighted else G.astype(INT64)
    T, _ = validation.distance_dtype(G, "floyd_warshall")
    minimum, min_plus = binary.min[T], semiring.min_plus[T]
    size = T.np_type.itemsize
    if max_bytes is None:  # 42 bytes a pair in all with 8-byte distances, the result included
        max_bytes = available(G.engine) * (size + 1) // (size + 34)
    D = allocate_distances(G, T, G.n, max_bytes, "floyd_warshall")
    D << G.A
    D(minimum) << make_full_vector(G, T).diag()
    with Progress(progress, "floyd_warshall", G.n) as bar:
        for first in range(0, G.n, BLOCK):
            K = slice(first, min(first + BLOCK, G.n))
            block = _close_block(D[K, K].new(), minimum, min_plus)
            row = block.mxm(D[K, :].new(), min_plus).new()
            column = D[:, K].new().mxm(block, min_plus).new()
            D(minimum) << column.mxm(row, min_plus)
            bar.step(K.stop - first)
    return D


def _close_block(B: Any, minimum: Any, min_plus: Any) -> Any:
    """Return the distances within a block; its diagonal is at most 0."""
    for _ in range(B.nrows.bit_length()):
        before = B.dup()
        B(minimum) << before.mxm(before, min_plus)
        if B.isequal(before):
            break
    if (B.diag().reduce(monoid.min).new().value or 0) < 0:
        raise NegativeCycle("floyd_warshall: the graph has a cycle of negative weight")
    return B
