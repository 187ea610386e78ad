"""Pictures of graphs and of what algorithms find: each function draws on one matplotlib Axes.

A function makes a figure of its own, which a notebook shows, or draws on the Axes it is given.
"""

from graphla.plot.curves import degree_distribution, distance_histogram, frontier
from graphla.plot.drawing import draw
from graphla.plot.matrix import spy

__all__ = ["degree_distribution", "distance_histogram", "draw", "frontier", "spy"]
