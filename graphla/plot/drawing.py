"""A small graph as points and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import DimensionMismatch, InvalidValue
from graphla.interop.scipy import to_sparse
from graphla.io.files import import_optional
from graphla.io.graph_columns import edge_columns
from graphla.plot.canvas import COLOURS, LINE, SCALE, axes_or_new, entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 2000  # vertices
MISSING = "#CCCCCC"
LAYOUTS = ("spring", "spectral", "circle")


def draw(
    G: Graph,
    values: Any = None,
    *,
    labels: Any = None,
    layout: Any = "spring",
    seed: int = 0,
    axes: Axes | None = None,
) -> Axes:
    """Draw a small graph, with what an algorithm found as the colours of its vertices.

    Parameters
    ----------
    G : Graph
        Of up to 2,000 vertices. Directed edges have arrows.
    values : Vector or array of shape (n,), optional
        A number for each vertex; vertices without an entry are grey.
    labels : sequence of length n, optional
        What stands beside the vertices.
    layout : {"spring", "spectral", "circle"} or array of shape (n, 2)
        "spring" is NetworkX's; "spectral", for connected graphs, puts vertices at the second
        and third eigenvector of the Laplacian.
    seed : int, default 0
        Of the spring layout.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidValue
        The graph is larger (:func:`spy` draws it), or there is no such layout.
    DimensionMismatch
        There is not one position, value or label for each vertex.
    MissingPackage
        matplotlib is not installed, or "spring" is asked for and NetworkX is not.
    """
    if G.n > LARGEST:
        raise InvalidValue(f"{G.n:,} vertices are too many to draw; graphla.plot.spy shows them")
    colour = None if values is None else _per_vertex(G, values)
    if labels is not None and len(labels) != G.n:
        raise DimensionMismatch(f"there are {len(labels):,} labels for {G.n:,} vertices")
    place = _place(G, layout, seed)
    axes = axes_or_new(axes)
    from matplotlib.collections import LineCollection

    src, dst, _ = edge_columns(G, "upper")
    radius = min(9.0, 120 / max(G.n, 1) ** 0.5)  # points
    if G.kind == "undirected":
        lines = place[np.stack([src, dst], 1)]
        axes.add_collection(LineCollection(lines, colors=LINE, linewidths=0.7))
    else:
        for i, j in zip(src[src != dst], dst[src != dst], strict=True):
            arrow = {"arrowstyle": "->", "color": LINE, "lw": 0.7, "shrinkB": radius / 2}
            axes.annotate("", place[j], place[i], arrowprops=arrow)
    x, y = place.T
    look: Any = {"s": radius**2, "zorder": 2, "edgecolors": "white"}
    if colour is None:
        axes.scatter(x, y, color=COLOURS[0], **look)
    else:
        there = ~np.isnan(colour)
        axes.scatter(x[~there], y[~there], color=MISSING, **look)
        points = axes.scatter(x[there], y[there], c=colour[there], cmap=SCALE, **look)
        axes.figure.colorbar(points, ax=axes)
    for v, label in enumerate(() if labels is None else labels):
        axes.annotate(
            str(label), place[v], xytext=(radius / 2 + 1, 2), textcoords="offset points", fontsize=7
        )
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    axes.set_axis_off()
    return axes


def _per_vertex(G: Graph, values: Any) -> Any:
    """Return a number for each vertex, NaN where there is none."""
    if hasattr(values, "to_coo"):
        index, found = entries(values)
        size = values.size
    else:
        found = np.asarray(values)
        index, size = np.arange(found.size), found.size
    if size != G.n:
        raise DimensionMismatch(f"there are {size:,} values for {G.n:,} vertices")
    colour = np.full(G.n, np.nan)
    colour[index] = found
    return colour


def _place(G: Graph, layout: Any, seed: int) -> Any:
    """Return the positions of the vertices, n x 2."""
    if not isinstance(layout, str):
        place = np.asarray(layout, np.float64)
        if place.shape != (G.n, 2):
            raise DimensionMismatch(f"positions are {G.n} x 2; got {place.shape}")
        return place
    if layout not in LAYOUTS:
        raise InvalidValue(f"layout must be one of {LAYOUTS} or an array, not {layout!r}")
    if layout == "circle" or G.n < 3:
        angle = 2 * np.pi * np.arange(G.n) / max(G.n, 1)
        return np.column_stack([np.cos(angle), np.sin(angle)])
    S = to_sparse(G).astype(bool)
    S = (S + S.T).astype(np.float64)
    if layout == "spectral":
        laplacian = np.diag(S.sum(axis=1)) - S.toarray()
        return np.linalg.eigh(laplacian)[1][:, 1:3]
    networkx = import_optional("networkx", "the spring layout", "'graphla[networkx]'")
    place = networkx.spring_layout(networkx.from_scipy_sparse_array(S), seed=seed)
    return np.array([place[v] for v in range(G.n)])
