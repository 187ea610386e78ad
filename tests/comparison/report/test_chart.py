"""The plot of a comparison."""

from __future__ import annotations

import re
import sys

import pytest

from graphla.comparison.report.chart import draw, svg
from graphla.comparison.result import Comparison
from graphla.errors import MissingPackage
from tests.comparison.rows import row, rows_of_every_outcome


def test_the_plot_shows_times_and_ratios(comparison, tmp_path):
    figure = comparison.plot(tmp_path / "times.png")
    assert (tmp_path / "times.png").read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 4  # two algorithms: times and ratios
    times, ratios = figure.axes[:2]
    assert [t.get_text() for t in times.get_yticklabels()] == [
        r["implementation"] for r in rows_of_every_outcome()[:6]
    ]
    texts = {t.get_text() for t in times.texts}
    assert {"FAILED", "skipped"} < texts
    assert times.get_xscale() == ratios.get_xscale() == "log"
    assert "2.0 times faster" in {t.get_text() for t in ratios.texts}


def test_a_plot_omits_noisy_ratios():
    noisy = row("native", "native", (0.001, 0.2, 0.003))
    ratios = draw([row(), noisy]).axes[1]
    assert {t.get_text() for t in ratios.texts} == {"as fast", "too noisy to conclude"}


def test_a_plot_of_rows_without_times(tmp_path):
    Comparison([row("wrong", "peer", (), verified=False)]).plot(tmp_path / "none.svg")
    assert "FAILED" in {t.get_text() for t in draw([row(trials=(), verified=False)]).axes[0].texts}


def test_names_in_a_plot_are_not_formulas(tmp_path):
    draw([row("$\\frac$", graph="$_$")]).savefig(tmp_path / "names.svg")


def test_a_plot_without_matplotlib(comparison, monkeypatch):
    monkeypatch.delitem(sys.modules, "graphla.comparison.report.picture", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackage, match="pip install"):
        comparison.plot()


def test_a_notebook_shows_the_plot(comparison):
    assert comparison.plot()._repr_png_().startswith(b"\x89PNG")


def test_a_plot_as_part_of_a_page(comparison):
    one, two = (svg(draw(comparison.rows), mark) for mark in ("one", "two"))
    assert one.startswith("<svg")
    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for reference in re.findall(r'(?:href="#|url\(#)([^")]+)', one):
        assert reference in ids[0]
