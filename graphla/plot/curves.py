"""How many vertices there are: of each degree, at each level, at each distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import DomainMismatch
from graphla.plot.canvas import COLOURS, TITLE, axes_or_new, entries, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def degree_distribution(G: Graph, *, axes: Axes | None = None) -> Axes:
    """Draw how many vertices have each degree, on logarithmic axes.

    Parameters
    ----------
    G : Graph
        A directed one gives two series, out-degrees and in-degrees.
    axes : matplotlib Axes, optional
        Where to draw; by default on a figure of its own.

    Returns
    -------
    matplotlib.axes.Axes
        Vertices of degree 0, for which a logarithmic axis has no place, are told in the legend.

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
    axes = axes_or_new(axes)
    names = ("degree",) if G.AT is G.A else ("out-degree", "in-degree")
    for name, degree, colour, marker in zip(
        names, (G.out_degree, G.in_degree), COLOURS, "o^", strict=False
    ):
        degrees, vertices = np.unique(entries(degree)[1], return_counts=True)
        lonely = int(vertices[degrees == 0].sum())
        some = degrees > 0
        label = name + (f" ({lonely:,} of degree 0)" if lonely else "")
        axes.plot(degrees[some], vertices[some], marker, ms=4, alpha=0.7, color=colour, label=label)
    axes.set(xscale="log", yscale="log", xlabel="degree", ylabel="vertices")
    if not G.A.nvals:  # a logarithmic axis finds no limits by itself
        axes.set(xlim=(0.8, 10), ylim=(0.8, 10))
    axes.legend(frameon=False)
    return grid(axes)


def frontier(level: Any, *, axes: Axes | None = None) -> Axes:
    """Draw how many vertices a breadth-first search finds at each level.

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
    _, levels = entries(getattr(level, "level", level))
    if levels.dtype.kind not in "iu":
        raise DomainMismatch(f"levels are integers, not {levels.dtype}")
    vertices = np.bincount(levels.astype(np.int64))
    axes = axes_or_new(axes)
    marker = "o" if vertices.size <= 50 else ""
    axes.plot(np.arange(vertices.size), vertices, marker=marker, color=COLOURS[0])
    axes.set(xlabel="level", ylabel="vertices in the frontier", yscale="symlog")
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="x", integer=True)
    return grid(axes)


def distance_histogram(distance: Any, *, bins: Any = 50, axes: Axes | None = None) -> Axes:
    """Draw how many vertices lie at each distance.

    Parameters
    ----------
    distance : Vector, or a result with a field `distance`
        As :func:`graphla.sssp` returns it.
    bins : int or str, default 50
        As ``numpy.histogram`` takes them; integers are never cut finer than 1.
    axes : matplotlib Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        Its title tells how many vertices of how many are reached.
    """
    distance = getattr(distance, "distance", distance)
    _, values = entries(distance)
    if values.dtype.kind in "iub" and isinstance(bins, int) and values.size:
        values = values.astype(np.float64)
        low, high = values.min(), values.max()
        step = max(1, int(np.ceil((high - low + 1) / bins)))
        bins = np.arange(low - 0.5, high + 0.5 + step, step)
    axes = axes_or_new(axes)
    axes.hist(values, bins=bins, color=COLOURS[0])
    axes.set(xlabel="distance from the source", ylabel="vertices")
    axes.set_title(f"{values.size:,} of {distance.size:,} vertices reached", fontsize=TITLE)
    return grid(axes)
