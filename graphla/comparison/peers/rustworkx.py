"""rustworkx: algorithms in Rust on graphs whose edges have Python objects.

A weight is read by a Python call for each inspected edge; `float` of a float is the fastest
such call. There is no betweenness from given sources and no triangle count.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import directed, negative_weights, too_long

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def to_rustworkx(G: Graph, *, directed: bool = False) -> Any:
    """Return a PyGraph or PyDiGraph whose edges have their weights as floats."""
    import rustworkx as rx

    directed |= G.kind == "directed"
    H = (rx.PyDiGraph if directed else rx.PyGraph)(multigraph=False)
    H.add_nodes_from(range(G.n))
    src, dst, weight = convert.columns(G) if directed else convert.edges(G)
    if weight is None:
        H.add_edges_from_no_data(list(zip(src.tolist(), dst.tolist(), strict=True)))
    else:
        floats = weight.astype(np.float64).tolist()
        H.add_edges_from(list(zip(src.tolist(), dst.tolist(), floats, strict=True)))
    return H


def to_simple(G: Graph) -> Any:
    """Return the graph without self-loops."""
    return to_rustworkx(convert.without_self_edges(G))


def to_weighted(G: Graph) -> Any:
    """Return the graph with weights; unweighted edges get weight 1."""
    return to_rustworkx(G if G.weighted else G.astype("FP64"))


def levels(H: Any, source: int) -> Any:
    import rustworkx as rx

    return rx.bfs_layers(H, [source])


def distances(H: Any, source: int, *, method: str) -> Any:
    import rustworkx as rx

    return source, getattr(rx, f"{method}_shortest_path_lengths")(H, source, float)


def spanning_forest(H: Any, start: None) -> Any:
    import rustworkx as rx

    return rx.minimum_spanning_edges(H, weight_fn=float)


def closure(H: Any, start: None) -> Any:
    """Return the descendants of every vertex, and itself if its strong component has a cycle."""
    import rustworkx as rx

    rows = [rx.descendants(H, i) for i in range(len(H))]
    for part in rx.strongly_connected_components(H):
        if len(part) > 1 or H.has_edge(part[0], part[0]):
            for i in part:
                rows[i].add(i)
    return rows


def components(H: Any, start: None) -> Any:
    import rustworkx as rx

    directed = isinstance(H, rx.PyDiGraph)
    return (rx.weakly_connected_components if directed else rx.connected_components)(H)


def strong_components(H: Any, start: None) -> Any:
    import rustworkx as rx

    return rx.strongly_connected_components(H)


def pagerank(H: Any, start: None, *, damping: float = 0.85, tol: float = 1e-4) -> Any:
    """Divide `tol` by n: rustworkx stops when the L1 change is below n tol, as NetworkX does."""
    import rustworkx as rx

    return rx.pagerank(H, damping, tol=tol / max(len(H), 1), max_iter=1000)


def closeness(H: Any, start: None) -> Any:
    import rustworkx as rx

    return rx.closeness_centrality(H)


def cores(H: Any, start: None) -> Any:
    import rustworkx as rx

    return rx.core_number(H)


def colors(H: Any, start: None) -> Any:
    import rustworkx as rx

    return rx.graph_greedy_color(H)


def as_levels(G: Graph, layers: Any) -> Any:
    return convert.vector_from_dict(G, {v: k for k, layer in enumerate(layers) for v in layer})


def as_distances(G: Graph, result: Any) -> Any:
    source, distance = result
    return convert.vector_from_dict(G, {**dict(distance.items()), source: 0.0}, np.float64)


def as_forest(G: Graph, edges: Any) -> Any:
    src, dst, weight = np.array(list(edges), np.float64).reshape(-1, 3).T
    return convert.forest(src, dst, weight)


def as_closure(G: Graph, rows: Any) -> Any:
    return convert.closure(G, [list(row) for row in rows])


entry = partial(Implementation, name="rustworkx", prepare=to_rustworkx, library="rustworkx")
IMPLEMENTATIONS = (
    entry(algorithm="bfs_levels", returns="layers", run=levels, result=as_levels),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        prepare=to_weighted,
        run=partial(distances, method="dijkstra"),
        result=as_distances,
        refuses=negative_weights,
    ),
    entry(
        algorithm="minimum_spanning_forest",
        returns="forest",
        prepare=to_weighted,
        run=spanning_forest,
        result=as_forest,
    ),
    entry(
        algorithm="transitive_closure",
        returns="sets of vertices",
        prepare=partial(to_rustworkx, directed=True),
        run=closure,
        result=as_closure,
        refuses=lambda G: too_long(G.n * G.A.nvals * 1e-7, "a search from each vertex"),
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=components,
        result=convert.components_from_sets,
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        prepare=partial(to_rustworkx, directed=True),
        run=strong_components,
        result=convert.components_from_sets,
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        prepare=partial(to_rustworkx, directed=True),
        run=pagerank,
        result=lambda G, ranks: convert.ranks([ranks[v] for v in range(G.n)]),
    ),
    entry(
        algorithm="closeness_centrality",
        returns="scores",
        run=closeness,
        result=partial(convert.vector_from_dict, dtype=np.float64),
        refuses=lambda G: too_long(G.n * G.A.nvals * 5e-8, "a search from each vertex"),
    ),
    entry(
        algorithm="core_number",
        returns="core numbers",
        prepare=to_simple,
        run=cores,
        result=convert.vector_from_dict,
        refuses=directed,  # a neighbour in both directions counts once
    ),
    entry(
        algorithm="greedy_color",
        returns="colours",
        prepare=to_simple,
        run=colors,
        result=convert.vector_from_dict,
    ),
)
