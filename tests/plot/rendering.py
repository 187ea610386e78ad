"""Rendered figures."""

from __future__ import annotations

import numpy as np


def count_colours(axes):
    """Render the figure and return the number of colours of its picture."""
    canvas = axes.figure.canvas
    canvas.draw()
    return len(np.unique(np.asarray(canvas.buffer_rgba()).reshape(-1, 4), axis=0))
