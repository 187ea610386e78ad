"""The plots and the page of a comparison."""

from __future__ import annotations

import base64
import json
import re
import sys

import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.report.chart import draw, svg
from graphla.comparison.report.reasons import REASONS
from graphla.comparison.result import Comparison
from graphla.errors import MissingPackage
from tests.comparison.reader import Reader
from tests.comparison.rows import row, rows_of_every_outcome

# ---- plots


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
    assert "0.5" in {t.get_text() for t in ratios.texts}


def test_a_plot_omits_noisy_ratios():
    noisy = row("native", "native", (0.001, 0.2, 0.003))
    ratios = draw([row(), noisy]).axes[1]
    assert {t.get_text() for t in ratios.texts} == {"1", "too noisy to conclude"}


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


# ---- the page


def test_the_page_loads_no_files(page):
    elements = Reader(page).elements
    assert not {tag for tag, _ in elements} & {"link", "img", "iframe", "object", "embed"}
    for tag, attributes in elements:
        assert "src" not in attributes
        for name in ("href", "xlink:href"):
            assert attributes.get(name, "#").startswith(("#", "data:"))
        assert tag != "script" or attributes["type"] == "application/json"
    assert not re.search(r"https?:|@import|url\((?!#)", page)


def test_the_page_has_pictures_tables_and_reasons(page):
    tags = [tag for tag, _ in Reader(page).elements]
    assert tags.count("svg") == 1
    assert tags.count("table") == 2
    assert REASONS["bfs"] in page
    assert REASONS["pagerank"] in page
    assert "prefers-color-scheme" in page or "color-scheme: light dark" in page
    assert "a &lt;cpu&gt;, 2 cores, 2 threads, 8 GiB" in page
    assert "numba 0.60" in page
    assert "<b>3" not in page


def test_the_page_omits_noisy_ratios(tmp_path):
    noisy = row("native", "native", (0.001, 0.2, 0.003))
    Comparison([row(), noisy]).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    (costs,) = re.findall(r"What the algebra costs</h2>.*?<tbody>(.*?)</tbody>", page)
    assert "too noisy to conclude" in costs
    assert REASONS["bfs"] not in costs
    assert "more than 1.5 times the lower one" in page


def test_the_page_contains_the_rows(page, comparison, tmp_path):
    (inside,) = re.findall(r'<script type="application/json" id="rows">(.*?)</script>', page)
    assert json.loads(inside) == list(comparison)
    (data,) = re.findall(r'href="data:application/x-ndjson;base64,([^"]+)"', page)
    (tmp_path / "rows.jsonl").write_bytes(base64.b64decode(data))
    assert Comparison.from_jsonl(tmp_path / "rows.jsonl") == comparison


def test_the_page_of_several_graphs(tmp_path):
    both = Comparison([row(), row(graph="grid:4")])
    both.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert text.count("<svg") == 2
    assert "bfs on kron:6, grid:4" in text


def test_every_algorithm_with_native_code_has_a_reason():
    assert {name for name in ALGORITHMS if hasattr(gl.native, name)} <= set(REASONS)
