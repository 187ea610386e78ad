"""Charts of a comparison: times on a logarithmic axis, and how much faster than the algebra."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphla.comparison.pairs import NOISY, Row, faster, group_positions, quartiles
from graphla.comparison.report.table import has_failed, ratios_to_base, verdict
from graphla.io.files import import_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The palette of Okabe and Ito is distinguishable with colour blindness; the markers differ, too.
FAMILIES = {
    "algebraic": ("#0072B2", "o"),
    "native": ("#D55E00", "s"),
    "associative": ("#009E73", "^"),
    "peer": ("#CC79A7", "D"),
}
OTHER = ("#999999", "v")
INK = "#767676"  # legible on white and on black
TITLE: dict[str, Any] = {"fontsize": 10, "loc": "left", "parse_math": False}


def figure(width: float, height: float) -> Figure:
    """Return an empty figure that needs no display."""
    import_optional("matplotlib.figure", "a plot", "'graphla[plot]'")
    from graphla.comparison.report.picture import Picture

    return Picture(figsize=(width, height), layout="constrained")


def draw(rows: Sequence[Row]) -> Figure:
    """Draw times (left) and ratios (right) with quartiles, one row for each graph and algorithm."""
    cases = list(group_positions(rows).items())
    heights = [len(positions) + 1.6 for _, positions in cases] or [1.0]
    fig = figure(11, 0.3 * sum(heights) + 0.6)
    ratios = ratios_to_base(rows)
    grid = fig.subplots(
        len(heights), 2, squeeze=False, sharey="row",
        gridspec_kw={"height_ratios": heights, "width_ratios": [3, 2]},
    )  # fmt: skip
    for (left, right), ((graph, algorithm), positions) in zip(grid, cases, strict=False):
        left.set_title(f"{algorithm} on {graph}: time (ms)", **TITLE)
        right.set_title("compared with the algebra (right: faster)", **TITLE)
        names = [rows[i]["implementation"] for i in positions]
        for y, i in enumerate(positions):
            trials, ratio = rows[i]["trials_s"], ratios[i]
            if trials:
                times = [1e3 * q for q in quartiles(trials)]
                _dot(left, y, times, rows[i], f"{times[1]:.3g}")
            if ratio and not ratio.noisy:
                factors = [1 / r for r in (ratio.high, ratio.median, ratio.low)]
                _dot(right, y, factors, rows[i], faster(ratio.median))
            elif ratio:
                _write(right, y, NOISY, INK)
            if verdict(rows[i]) in ("FAILED", "skipped"):
                _write(left, y, verdict(rows[i]), "#D55E00" if has_failed(rows[i]) else INK)
        right.axvline(1, color=INK, linewidth=0.8, linestyle="--")
        _log_axis(left, "{:g}".format)
        _log_axis(right, lambda factor: f"{factor:g}" if factor >= 1 else f"1/{1 / factor:g}")
        left.set_yticks(range(len(positions)), names, parse_math=False)
        left.set_ylim(len(positions) - 0.4, -0.8)
    _legend(fig, rows)
    return fig


def _write(axes: Any, y: int, text: str, colour: str) -> None:
    """Write a text instead of a marker."""
    coordinates = ("axes fraction", "data")
    axes.annotate(text, (0.02, y), xycoords=coordinates, va="center", color=colour)


def _dot(axes: Any, y: int, spread: Sequence[float], row: Row, text: str) -> None:
    """Mark a median, with whiskers to the quartiles; hollow if the result is not verified."""
    low, median, high = spread
    colour, marker = FAMILIES.get(row["family"], OTHER)
    axes.errorbar(
        median, y, xerr=[[max(median - low, 0)], [max(high - median, 0)]],
        fmt=marker, color=colour, capsize=3, markersize=7,
        markerfacecolor=colour if row["verified"] else "none",
    )  # fmt: skip
    axes.annotate(
        text, (median, y), xytext=(0, 7), textcoords="offset points",
        ha="center", fontsize=7,
    )  # fmt: skip


def _log_axis(axes: Any, label: Callable[[float], str]) -> None:
    """Make the x axis logarithmic, with these labels and a range of at least a factor of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if not axes.has_data():
        axes.set_xticks([])
        return
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    margin = max(1.0, (10 * low / high) ** 0.5) * 1.15
    axes.set_xlim(low / margin, high * margin)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 1e3 else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: label(x)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", alpha=0.3)


def _legend(fig: Figure, rows: Sequence[Row]) -> None:
    from matplotlib.lines import Line2D

    families = dict.fromkeys(row["family"] for row in rows)
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle="", label=family)
        for family in families
        for colour, marker in [FAMILIES.get(family, OTHER)]
    ]
    if any(row["verified"] is None and row["trials_s"] for row in rows):
        handles.append(
            Line2D([], [], color=INK, marker="o", linestyle="", mfc="none", label="not judged")
        )
    if handles:
        fig.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)


def save(fig: Figure, path: Any) -> Figure:
    """Save the figure if there is a path, and return it."""
    if path is not None:
        fig.savefig(path, dpi=150)
    return fig


def svg(fig: Figure, prefix: str) -> str:
    """Return a figure as SVG to embed in a page, with text as text and `prefix` on all ids.

    Black becomes the colour of the page's text, which is legible in light and dark mode.
    """
    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.fonttype": "none"}):
        fig.savefig(text, format="svg", transparent=True)
    picture = text.getvalue()
    picture = picture[picture.index("<svg") :]
    picture = re.sub(r"<metadata>.*?</metadata>", "", picture, flags=re.DOTALL)
    picture = re.sub(r' xmlns(:\w+)?="[^"]*"', "", picture)
    picture = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", picture)
    picture = re.sub(r"#000000\b", "currentColor", picture)
    return picture.replace("<text ", '<text fill="currentColor" ')
