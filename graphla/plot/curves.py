"""Numbers of vertices by degree, by level and by distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.graph import Graph
from graphla.core.validation import check_graph
from graphla.errors import DomainMismatch
from graphla.plot.canvas import COLOURS, TITLE_SIZE, add_grid, axes_or_new, entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def degree_distribution(G: Graph, *, axes: Axes | None = None) -> Axes:
    """Draw the number of vertices of each degree, on logarithmic axes.

    Parameters
    ----------
    G : Graph
        For a directed graph there are two series, out-degrees and in-degrees.
    axes : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The legend has the number of vertices of degree 0, which a logarithmic axis cannot show.

    Raises
    ------
    MissingPackage
        matplotlib is not installed.

    Examples
    --------
    >>> import graphla as gl
    >>> axes = gl.plot.degree_distribution(gl.generate.kronecker(8, seed=1))
    >>> axes.get_xscale(), axes.get_xlabel()
    ('log', 'degree')
    """
    check_graph(G)
    axes = axes_or_new(axes)
    names = ("degree",) if G.AT is G.A else ("out-degree", "in-degree")
    for name, degree, colour, marker in zip(
        names, (G.out_degree, G.in_degree), COLOURS, "o^", strict=False
    ):
        degrees, vertices = np.unique(entries(degree, name)[1], return_counts=True)
        isolated = int(vertices[degrees == 0].sum())
        label = name + (f" ({isolated:,} of degree 0)" if isolated else "")
        degrees, vertices = degrees[degrees > 0], vertices[degrees > 0]
        axes.plot(degrees, vertices, marker, ms=4, alpha=0.7, color=colour, label=label)
    axes.set(xscale="log", yscale="log", xlabel="degree", ylabel="vertices")
    if not G.A.nvals:  # a logarithmic axis without data has no limits
        axes.set(xlim=(0.8, 10), ylim=(0.8, 10))
    axes.legend(frameon=False)
    return add_grid(axes)


def frontier(level: Any, *, axes: Axes | None = None) -> Axes:
    """Draw the number of vertices at each level of a breadth-first search.

    Parameters
    ----------
    level : Vector of integers, or a result with a field `level`
        As :func:`graphla.bfs` and :func:`graphla.bfs_levels` return it.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import graphla as gl
    >>> axes = gl.plot.frontier(gl.bfs(gl.generate.cycle(6), 0))
    >>> axes.lines[0].get_ydata().tolist()
    [1, 2, 2, 1]
    """
    _, levels = entries(getattr(level, "level", level), "level")
    if levels.dtype.kind not in "iu":
        raise DomainMismatch(f"levels must be integers, not {levels.dtype}")
    vertices = np.bincount(levels.astype(np.int64))
    axes = axes_or_new(axes)
    marker = "o" if vertices.size <= 50 else ""
    axes.plot(np.arange(vertices.size), vertices, marker=marker, color=COLOURS[0])
    axes.set(xlabel="level", ylabel="vertices in the frontier", yscale="symlog")
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="x", integer=True)
    return add_grid(axes)


def distance_histogram(distance: Any, *, bins: Any = 50, axes: Axes | None = None) -> Axes:
    """Draw a histogram of the distances of the reached vertices.

    Parameters
    ----------
    distance : Vector, or a result with a field `distance`
        As :func:`graphla.sssp` returns it.
    bins : int or str, default 50
        As in ``numpy.histogram``; the bins of integer distances have width 1 or more.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        The title has the numbers of reached vertices and of all vertices.
    """
    distance = getattr(distance, "distance", distance)
    _, values = entries(distance, "distance")
    if values.dtype.kind in "iub" and isinstance(bins, int) and values.size:
        values = values.astype(np.float64)
        low, high = values.min(), values.max()
        step = max(1, int(np.ceil((high - low + 1) / bins)))
        bins = np.arange(low - 0.5, high + 0.5 + step, step)
    axes = axes_or_new(axes)
    axes.hist(values, bins=bins, color=COLOURS[0])
    axes.set(xlabel="distance from the source", ylabel="vertices")
    axes.set_title(f"{values.size:,} of {distance.size:,} vertices reached", fontsize=TITLE_SIZE)
    return add_grid(axes)
