"""Draw a small graph as points and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.graph import Graph
from graphla.core.validation import check_graph, refuse_result
from graphla.errors import DimensionMismatch, InvalidValue
from graphla.interop.scipy import to_sparse
from graphla.io.columns import edge_columns
from graphla.io.files import import_optional
from graphla.plot.canvas import COLOUR_MAP, COLOURS, LINE_COLOUR, axes_or_new, entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_VERTICES = 2000
MISSING_COLOUR = "#CCCCCC"
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
    """Draw a small graph, with the values of a result as the colours of its vertices.

    Parameters
    ----------
    G : Graph
        A graph of up to 2,000 vertices. Directed edges are arrows.
    values : Vector or array of shape (n,), optional
        A number for each vertex; vertices without an entry are grey.
    labels : sequence of length n, optional
        Texts beside the vertices.
    layout : {"spring", "spectral", "circle"} or array of shape (n, 2)
        "spring" is NetworkX's; "spectral", for connected graphs, takes the second and third
        eigenvectors of the Laplacian as coordinates.
    seed : int, default 0
        Seed of the spring layout.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidValue
        The graph is larger (use :func:`spy`), or there is no such layout.
    DimensionMismatch
        The number of positions, values or labels is not n.
    MissingPackage
        matplotlib is not installed, or NetworkX is not installed and `layout` is "spring".
    """
    check_graph(G)
    if G.n > MAX_VERTICES:
        raise InvalidValue(
            f"{G.n:,} vertices are too many to draw (at most {MAX_VERTICES:,}); "
            "use graphla.plot.spy"
        )
    colour = None if values is None else _dense_values(G, values)
    if labels is not None and len(labels) != G.n:
        raise DimensionMismatch(f"there are {len(labels):,} labels for {G.n:,} vertices")
    position = _positions(G, layout, seed)
    axes = axes_or_new(axes)
    from matplotlib.collections import LineCollection

    src, dst, _ = edge_columns(G, "upper")
    radius = min(9.0, 120 / max(G.n, 1) ** 0.5)  # points
    if G.kind == "undirected":
        lines = position[np.stack([src, dst], 1)]
        axes.add_collection(LineCollection(lines, colors=LINE_COLOUR, linewidths=0.7))
    else:
        for i, j in zip(src[src != dst], dst[src != dst], strict=True):
            arrow = {"arrowstyle": "->", "color": LINE_COLOUR, "lw": 0.7, "shrinkB": radius / 2}
            axes.annotate("", position[j], position[i], arrowprops=arrow)
    x, y = position.T
    style: Any = {"s": radius**2, "zorder": 2, "edgecolors": "white"}
    if colour is None:
        axes.scatter(x, y, color=COLOURS[0], **style)
    else:
        has_value = ~np.isnan(colour)
        axes.scatter(x[~has_value], y[~has_value], color=MISSING_COLOUR, **style)
        points = axes.scatter(
            x[has_value], y[has_value], c=colour[has_value], cmap=COLOUR_MAP, **style
        )
        axes.figure.colorbar(points, ax=axes)
    for v, label in enumerate(() if labels is None else labels):
        axes.annotate(
            str(label), position[v],
            xytext=(radius / 2 + 1, 2), textcoords="offset points", fontsize=7,
        )  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    axes.set_axis_off()
    return axes


def _dense_values(G: Graph, values: Any) -> Any:
    """Return a number for each vertex, NaN for vertices without an entry."""
    refuse_result(values, "values")
    if hasattr(values, "to_coo"):
        size = values.size
        index, stored = entries(values, "values")
    else:
        stored = np.asarray(values)
        index, size = np.arange(stored.size), stored.size
    if size != G.n:
        raise DimensionMismatch(f"there are {size:,} values for {G.n:,} vertices")
    dense = np.full(G.n, np.nan)
    dense[index] = stored
    return dense


def _positions(G: Graph, layout: Any, seed: int) -> Any:
    """Return the positions of the vertices, n x 2."""
    if not isinstance(layout, str):
        position = np.asarray(layout, np.float64)
        if position.shape != (G.n, 2):
            raise DimensionMismatch(f"positions must be {G.n} x 2, not {position.shape}")
        return position
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
    position = networkx.spring_layout(networkx.from_scipy_sparse_array(S), seed=seed)
    return np.array([position[v] for v in range(G.n)])
