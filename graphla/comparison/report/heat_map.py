"""A heat map of algorithms and graphs: how many times faster the rival is than the algebra."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from graphla.comparison.pairs import UNCLEAR, Row, faster
from graphla.comparison.report.chart import FAMILIES, figure
from graphla.comparison.report.conclusions import capital
from graphla.comparison.report.costs import Cell, Cost, Grid, grid
from graphla.comparison.report.table import milliseconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EQUAL = "#F7F7F7"
NO_FACTOR = "#DADADA"
DARK, LIGHT = "#0D0D0D", "#FFFFFF"  # texts in cells; black would follow the page's colour
LARGEST = 32.0  # factors beyond have the same colour
CELL = (1.62, 0.5)  # inches
BAR_HEIGHT = 0.07  # inches; of the colour bar, as wide as the cells
MANY_GRAPHS = 4  # so many columns have room for the labels of WIDE_SCALE
NARROW_SCALE, WIDE_SCALE = (-5, 0, 5), (-5, -3, 0, 3, 5)  # powers of two


def heat_map(rows: Sequence[Row]) -> Figure:
    """Draw the heat map; each cell has its factor in words and both times."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    cells = grid(rows)
    columns, height = max(len(cells.graphs), 2), CELL[1] * max(len(cells.algorithms), 1)
    fig = figure(2.9 + CELL[0] * columns, 2.1 + height)
    axes = fig.subplots()
    for (algorithm, graph), cell in cells.cells.items():
        x, y = list(cells.graphs).index(graph), cells.algorithms.index(algorithm)
        _draw_cell(axes, x, y, cell)
    _name_axes(axes, cells)
    if cells.family:
        powers = np.linspace(-np.log2(LARGEST), np.log2(LARGEST), 65)
        shades = [colour(2**power, cells.family) for power in powers]
        colours = LinearSegmentedColormap.from_list("faster", shades)
        norm = Normalize(powers[0], powers[-1])
        bar = fig.colorbar(
            ScalarMappable(norm, colours), ax=axes, orientation="horizontal",
            fraction=2 * BAR_HEIGHT / height, pad=0.02, aspect=CELL[0] * columns / BAR_HEIGHT,
        )  # fmt: skip
        ticks = WIDE_SCALE if len(cells.graphs) >= MANY_GRAPHS else NARROW_SCALE
        bar.set_ticks(ticks, labels=[_factor_text(2.0**power) for power in ticks], fontsize=8)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=0)
    second_line = f"\nand, below, the median times of both, {cells.rival} : algebra"
    text = title(cells) + (second_line if cells.family else "")
    fig.suptitle(text, fontsize=12, x=0.01, ha="left")
    return fig


def title(cells: Grid) -> str:
    """Return what the cells say."""
    if cells.family is None:
        return "The algebra alone" if cells.cells else "No times of the algebra"
    return f"{capital(cells.rival)}, compared with the algebra"


def _factor_text(factor: float) -> str:
    """Return a label of the colour bar."""
    if factor == 1:
        return "as fast"
    return f"{max(factor, 1 / factor):.0f} times {'faster' if factor > 1 else 'slower'}"


def colour(factor: float, family: str) -> str:
    """Return the colour of a factor: of the algebra below 1, of the rival's family above 1."""
    share = min(abs(math.log2(factor)) / math.log2(LARGEST), 1.0)
    end = FAMILIES[family if factor > 1 else "algebraic"][0]
    mixed = (
        round((1 - share) * int(EQUAL[k : k + 2], 16) + share * int(end[k : k + 2], 16))
        for k in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02X}" for part in mixed)


def cell_colours(cell: Cell) -> tuple[str, str]:
    """Return the colours of a cell's background and of its text."""
    if cell.cost is None or cell.text:
        return NO_FACTOR, DARK
    background = colour(cell.cost.factor, cell.cost.rival["family"])
    return background, _ink(background)


def _draw_cell(axes: Any, x: int, y: int, cell: Cell) -> None:
    from matplotlib.patches import Rectangle

    background, ink = cell_colours(cell)
    axes.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, color=background, linewidth=0))
    middle: dict[str, Any] = {"ha": "center", "va": "center", "color": ink, "parse_math": False}
    if cell.cost is None:
        axes.text(x + 0.5, y + 0.5, cell.text, fontsize=8.5, **middle)
        return
    text = value_text(cell)
    axes.text(x + 0.5, y + 0.36, text, fontsize=10, weight="bold", **middle)
    axes.text(x + 0.5, y + 0.72, times_text(cell.cost), fontsize=7.5, **middle)


def value_text(cell: Cell) -> str:
    """Return the value of a cell: "2.1 times faster", "as fast", "unclear", or why it has none."""
    if cell.cost is None or cell.text:
        return cell.text
    ratio = cell.cost.ratio
    return "unclear" if ratio.outcome == UNCLEAR else faster(ratio.median)


def times_text(cost: Cost) -> str:
    """Return the median times of the rival and of the algebra."""
    rival, algebra = (milliseconds(row.get("median_s")) for row in (cost.rival, cost.algebra))
    return f"{rival} : {algebra} ms"


def _ink(background: str) -> str:
    """Return the text colour of higher contrast."""
    return max((DARK, LIGHT), key=lambda ink: contrast(ink, background))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG between two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG."""
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _name_axes(axes: Any, cells: Grid) -> None:
    axes.set_xlim(0, max(len(cells.graphs), 1))
    axes.set_ylim(max(len(cells.algorithms), 1), 0)
    axes.xaxis.tick_top()
    names = [
        f"{name}\n{row.get('n') or 0:,} vertices\n{row.get('nvals') or 0:,} entries"
        for name, row in cells.graphs.items()
    ]
    axes.set_xticks(
        np.arange(len(names)) + 0.5, names, fontsize=8.5, parse_math=False, linespacing=1.25
    )
    axes.set_yticks(
        np.arange(len(cells.algorithms)) + 0.5, cells.algorithms, fontsize=9.5, parse_math=False
    )
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def text_map(rows: Sequence[Row]) -> Table:
    """Return the heat map for a terminal: a table with the values in coloured cells."""
    cells = grid(rows)
    table = Table(title=title(cells), title_justify="left", pad_edge=False)
    table.add_column("algorithm")
    for graph in cells.graphs:
        table.add_column(Text(graph), justify="center")
    for algorithm in cells.algorithms:
        line = [cells.cells.get((algorithm, graph)) for graph in cells.graphs]
        table.add_row(algorithm, *(_text_cell(cell) if cell else "" for cell in line))
    return table


def _text_cell(cell: Cell) -> Text:
    background, ink = cell_colours(cell)
    return Text(f" {value_text(cell)} ", f"{ink} on {background}")
