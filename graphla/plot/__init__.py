"""Plots of graphs and of results, each on one matplotlib Axes: the one given, or a new figure's."""

from graphla.plot.curves import degree_distribution, distance_histogram, frontier
from graphla.plot.drawing import draw
from graphla.plot.matrix import spy

__all__ = ["degree_distribution", "distance_histogram", "draw", "frontier", "spy"]
