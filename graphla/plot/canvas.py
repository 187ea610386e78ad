"""What all plots share: Axes, colours, and access to the entries of a Vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.core.engines import on_host
from graphla.core.validation import full_name, refuse_result
from graphla.errors import DomainMismatch
from graphla.io.files import import_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00")  # palette of Okabe and Ito, as in graphla.comparison
LINE_COLOUR = "#999999"
COLOUR_MAP = "cividis"  # legible with colour blindness
TITLE_SIZE = 10  # points


def axes_or_new(axes: Axes | None) -> Any:
    """Return the given Axes, or the Axes of a new figure."""
    if axes is not None:
        return axes
    pyplot = import_optional("matplotlib.pyplot", "a plot", "'graphla[plot]'")
    return pyplot.subplots(figsize=(6, 4.5), layout="constrained")[1]


def entries(v: Any, name: str) -> tuple[Any, Any]:
    """Return (indices, values) of a Vector's entries as NumPy arrays; `name` is for errors."""
    refuse_result(v, name)
    if not hasattr(v, "to_coo"):
        raise DomainMismatch(f"{name} must be a Vector, not {full_name(v)}")
    index, values = on_host(v).to_coo()
    return index, values


def add_grid(axes: Any) -> Any:
    """Draw faint grid lines behind the plot, and return the Axes."""
    axes.grid(alpha=0.3)
    axes.set_axisbelow(True)
    return axes
