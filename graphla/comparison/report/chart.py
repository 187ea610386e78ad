"""Pictures of a comparison: times on a logarithmic axis, and ratios to the algebraic form."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphla.comparison.pairs import NOISY, Row, groups, quartiles
from graphla.comparison.report.table import has_failed, to_base, verdict
from graphla.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colours of Okabe and Ito, which the colour-blind tell apart; the markers differ as well.
FAMILIES = {
    "algebraic": ("#0072B2", "o"),
    "native": ("#D55E00", "s"),
    "associative": ("#009E73", "^"),
    "peer": ("#CC79A7", "D"),
}
OTHER = ("#999999", "v")
INK = "#767676"  # reads on white and on black
TITLE: dict[str, Any] = {"fontsize": 10, "loc": "left", "parse_math": False}


def figure(width: float, height: float) -> Figure:
    """Return an empty figure that needs no display."""
    try:
        from graphla.comparison.report.picture import Picture
    except ImportError as error:
        raise MissingPackage("a plot needs matplotlib: pip install 'graphla[plot]'") from error
    return Picture(figsize=(width, height), layout="constrained")


def draw(rows: Sequence[Row]) -> Figure:
    """Draw each graph and algorithm: on the left times, on the right ratios, with quartiles."""
    parts = list(groups(rows).items())
    heights = [len(at) + 1.6 for _, at in parts] or [1.0]
    fig = figure(11, 0.3 * sum(heights) + 0.6)
    ratios = to_base(rows)
    grid = fig.subplots(
        len(heights), 2, squeeze=False, sharey="row",
        gridspec_kw={"height_ratios": heights, "width_ratios": [3, 2]},
    )  # fmt: skip
    for (left, right), ((graph, algorithm), at) in zip(grid, parts, strict=False):
        left.set_title(f"{algorithm} on {graph}: time (ms)", **TITLE)
        right.set_title("ratio to the algebraic form", **TITLE)
        names = [rows[i]["implementation"] for i in at]
        for y, i in enumerate(at):
            trials, ratio = rows[i]["trials_s"], ratios[i]
            if trials:
                _dot(left, y, [1e3 * q for q in quartiles(trials)], rows[i])
            if ratio and not ratio.noisy:
                _dot(right, y, (ratio.low, ratio.median, ratio.high), rows[i])
            elif ratio:
                _write(right, y, NOISY, INK)
            if verdict(rows[i]) in ("FAILED", "skipped"):
                _write(left, y, verdict(rows[i]), "#D55E00" if has_failed(rows[i]) else INK)
        right.axvline(1, color=INK, linewidth=0.8, linestyle="--")
        for axes in (left, right):
            _log_axis(axes)
        left.set_yticks(range(len(at)), names, parse_math=False)
        left.set_ylim(len(at) - 0.4, -0.8)
    _legend(fig, rows)
    return fig


def _write(axes: Any, y: int, text: str, colour: str) -> None:
    """Write a text in place of a mark."""
    place = ("axes fraction", "data")
    axes.annotate(text, (0.02, y), xycoords=place, va="center", color=colour)


def _dot(axes: Any, y: int, spread: Sequence[float], row: Row) -> None:
    """Mark a median, with whiskers to the quartiles; hollow where it is not verified."""
    low, middle, high = spread
    colour, marker = FAMILIES.get(row["family"], OTHER)
    axes.errorbar(
        middle, y, xerr=[[max(middle - low, 0)], [max(high - middle, 0)]],
        fmt=marker, color=colour, capsize=3, markersize=7,
        markerfacecolor=colour if row["verified"] else "none",
    )  # fmt: skip
    axes.annotate(
        f"{middle:.3g}", (middle, y), xytext=(0, 7), textcoords="offset points",
        ha="center", fontsize=7,
    )  # fmt: skip


def _log_axis(axes: Any) -> None:
    """Make the axis logarithmic, with plain numbers and at least a factor of ten to see."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    if not axes.has_data():
        axes.set_xticks([])
        return
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    wide = max(1.0, (10 * low / high) ** 0.5) * 1.15
    axes.set_xlim(low / wide, high * wide)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 1e3 else (1,)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
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
    """Write a figure where a path is given, and return it."""
    if path is not None:
        fig.savefig(path, dpi=150)
    return fig


def svg(fig: Figure, mark: str) -> str:
    """Return a figure as SVG to stand within a page: text as text, its ids beginning with `mark`.

    Black becomes the colour of the page's text, so that it reads on light and on dark.
    """
    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.fonttype": "none"}):
        fig.savefig(text, format="svg", transparent=True)
    picture = text.getvalue()
    picture = picture[picture.index("<svg") :]
    picture = re.sub(r"<metadata>.*?</metadata>", "", picture, flags=re.DOTALL)
    picture = re.sub(r' xmlns(:\w+)?="[^"]*"', "", picture)
    picture = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{mark}-", picture)
    picture = re.sub(r"#000000\b", "currentColor", picture)
    return picture.replace("<text ", '<text fill="currentColor" ')
