"""The heat map: as a figure and on a terminal."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex
from rich.console import Console

from graphla.comparison.report import heat_map
from graphla.comparison.report.chart import FAMILIES
from graphla.comparison.report.costs import grid
from graphla.comparison.report.table import plain_text
from graphla.comparison.result import Comparison
from tests.comparison.rows import row

ROWS = Comparison([
    row(trials=(0.004,) * 3), row("native", "native", (0.001,) * 3),
    row(graph="$karate$"), row("native", "native", (0.01, 0.3, 0.02), graph="$karate$"),
    row(algorithm="bellman_ford"),
    row(algorithm="sssp"), row("native", "native", (0.0016, 0.0032, 0.0039), algorithm="sssp"),
]).rows  # fmt: skip


def test_cells_have_values_and_times(tmp_path):
    axes = heat_map.heat_map(ROWS).axes[0]
    assert [text.get_text() for text in axes.texts] == [
        *("4.0 times faster", "1.00 : 4.00 ms", "too noisy", "20.0 : 3.00 ms", "algebra only"),
        *("unclear", "3.20 : 3.00 ms"),
    ]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        *("bfs", "bellman_ford", "sssp")
    ]
    first, second = (label.get_text() for label in axes.get_xticklabels())
    assert first == "kron:6\n64 vertices\n1,000 entries"
    assert second.startswith("$karate$")
    Comparison(ROWS).heat_map(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_texts_lie_inside_their_cells():
    figure = heat_map.heat_map(ROWS)
    figure.draw_without_rendering()
    (axes, *_) = figure.axes
    cells = [patch.get_window_extent() for patch in axes.patches]
    for text in axes.texts:
        box = text.get_window_extent()
        assert any(
            cell.x0 <= box.x0 and box.x1 <= cell.x1 and cell.y0 <= box.y0 and box.y1 <= cell.y1
            for cell in cells
        ), text
    labels = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert labels[0].x1 < labels[1].x0


@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_the_title_and_the_labels_of_the_scale_have_room(count):
    rows = [{**r, "graph": f"graph {k}"} for k in range(count) for r in ROWS[:2]]
    figure = heat_map.heat_map(rows)
    figure.draw_without_rendering()
    assert figure.get_suptitle().startswith("By hand, compared with the algebra")
    boxes = [t.get_window_extent() for t in figure.axes[1].get_xticklabels()]
    assert len(boxes) >= 3
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    for box in (*boxes, figure._suptitle.get_window_extent()):
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1


def test_colours_are_those_of_the_faster_family():
    assert heat_map.colour(1, "native") == heat_map.EQUAL
    for factor, family in ((1000, "native"), (1e-3, "algebraic")):
        assert heat_map.colour(factor, "native") == FAMILIES[family][0]
    patch = heat_map.heat_map(ROWS).axes[0].patches[0]
    assert to_hex(patch.get_facecolor()).upper() == heat_map.colour(4, "native")


@pytest.mark.parametrize("family", ["native", "peer", "associative"])
def test_texts_have_contrast(family):
    for power in range(-10, 11):
        background = heat_map.colour(2 ** (power / 2), family)
        assert heat_map.contrast(background, heat_map._ink(background)) >= 4.3
    assert heat_map.contrast("#FFFFFF", "#000000") == pytest.approx(21)


def test_the_heat_map_of_a_terminal():
    text = plain_text(heat_map.text_map(ROWS))
    for part in ("4.0 times faster", "too noisy", "algebra only", "unclear", "$karate$", "By hand"):
        assert part in text
    console = Console(width=100, force_terminal=True, color_system="truecolor")
    with console.capture() as captured:
        console.print(heat_map.text_map(ROWS))
    colour = heat_map.colour(4, "native")
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    assert f"48;2;{red};{green};{blue}" in captured.get()


def test_the_title_keeps_upper_case_letters():
    rows = [row(), row("star", "associative")]
    assert heat_map.title(grid(rows)) == "The STAR-machine, compared with the algebra"


def test_rows_without_a_rival():
    alone = heat_map.heat_map([row()])
    assert len(alone.axes) == 1  # no colour bar
    assert {text.get_text() for text in alone.axes[0].texts} == {"algebra only"}
    heat_map.heat_map([])
