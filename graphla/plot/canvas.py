"""Where and in which colours is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.core.engines import on_host
from graphla.io.files import import_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00")  # of Okabe and Ito, as graphla.comparison draws
LINE = "#999999"
SCALE = "cividis"  # the colour-blind read it too
TITLE = 10  # points


def axes_or_new(axes: Axes | None) -> Any:
    """Return the Axes given, or those of a new figure."""
    if axes is not None:
        return axes
    pyplot = import_optional("matplotlib.pyplot", "a plot", "'graphla[plot]'")
    return pyplot.subplots(figsize=(6, 4.5), layout="constrained")[1]


def entries(v: Any) -> tuple[Any, Any]:
    """Return indices and values of a Vector's entries, as NumPy arrays."""
    index, values = on_host(v).to_coo()
    return index, values


def grid(axes: Any) -> Any:
    """Put faint lines behind what is drawn."""
    axes.grid(alpha=0.3)
    axes.set_axisbelow(True)
    return axes
