"""cuGraph on NVIDIA GPUs, written from its documented interface and not yet run.

`prepare` copies the graph to the device; results stay there until they are verified. The vertex
list is passed explicitly because of isolated vertices.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import negative_weights
from graphla.core.results import BFS, SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def to_cugraph(G: Graph) -> Any:
    """Return a cugraph.Graph with the vertices 0..n-1."""
    import cudf
    import cugraph

    src, dst, weight = convert.columns(G)
    table = {"src": src.astype(np.int32), "dst": dst.astype(np.int32)}
    if weight is not None:
        table["weight"] = weight.astype(np.float64)
    H = cugraph.Graph(directed=G.kind == "directed")
    H.from_cudf_edgelist(
        cudf.DataFrame(table),
        source="src",
        destination="dst",
        weight=None if weight is None else "weight",
        vertices=cudf.Series(np.arange(G.n, dtype=np.int32)),
        store_transposed=True,
        symmetrize=False,
    )
    return H


def call(H: Any, start: Any, *, name: str, **options: Any) -> Any:
    import cugraph

    function = getattr(cugraph, name)
    return function(H, **options) if start is None else function(H, start, **options)


def betweenness(H: Any, sources: list[int]) -> Any:
    """Return scores that are not normalised; the parameter `k` accepts a list of sources."""
    import cugraph

    return cugraph.betweenness_centrality(H, k=sources, normalized=False)


def column(G: Graph, table: Any, name: str) -> Any:
    """Return a column of a result, sorted by vertex."""
    values = np.zeros(G.n, table[name].dtype)
    values[table["vertex"].to_numpy()] = table[name].to_numpy()
    return values


def parents(G: Graph, table: Any, reached: Any) -> Any:
    """Return the predecessors, which are -1 at the source and at unreached vertices, as parents."""
    predecessor = column(G, table, "predecessor")
    source = int(np.flatnonzero(reached & (predecessor < 0))[0])
    return convert.parents(predecessor, source)


def as_bfs(G: Graph, table: Any) -> Any:
    level = column(G, table, "distance")
    reached = (level >= 0) & (level < np.iinfo(np.int32).max)
    return BFS(convert.vector(level, reached), parents(G, table, reached))


def as_sssp(G: Graph, table: Any) -> Any:
    distance = column(G, table, "distance")
    reached = distance < np.finfo(distance.dtype).max
    return SSSP(convert.vector(distance, reached), parents(G, table, reached))


def as_scores(G: Graph, table: Any) -> Any:
    """Double the scores of undirected graphs: cuGraph counts each unordered pair once."""
    scores = column(G, table, "betweenness_centrality")
    return convert.vector(scores * (1 if G.kind == "directed" else 2))


def unweighted(G: Graph) -> str | None:
    return None if G.weighted else "needs weights"


entry = partial(
    Implementation, name="cugraph", engine="cuda", prepare=to_cugraph, library="cugraph"
)
IMPLEMENTATIONS = (
    entry(
        algorithm="bfs",
        returns="levels, parents",
        run=partial(call, name="bfs"),
        result=as_bfs,
    ),
    entry(
        algorithm="sssp",
        returns="distances, parents",
        run=partial(call, name="sssp"),
        result=as_sssp,
        refuses=lambda G: unweighted(G) or negative_weights(G),
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=partial(call, name="weakly_connected_components"),
        result=lambda G, table: convert.smallest_vertices(column(G, table, "labels")),
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        run=partial(call, name="pagerank", alpha=0.85, tol=1e-4, max_iter=100),
        result=lambda G, table: convert.ranks(column(G, table, "pagerank")),
    ),
    entry(
        algorithm="triangle_count",
        returns="counts of vertices",
        run=partial(call, name="triangle_count"),
        result=lambda G, table: int(table["counts"].sum()) // 3,
    ),
    entry(
        algorithm="betweenness_centrality",
        returns="scores",
        run=betweenness,
        result=as_scores,
    ),
)
