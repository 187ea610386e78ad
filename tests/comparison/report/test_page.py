"""The page of a comparison."""

from __future__ import annotations

import base64
import json
import re

from graphla.comparison.report.costs import grid
from graphla.comparison.report.heat_map import title as title_of_heat_map
from graphla.comparison.report.page import title
from graphla.comparison.report.reasons import FIXED_COST, REASONS
from graphla.comparison.result import Comparison
from tests.comparison.reader import Reader
from tests.comparison.rows import row


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
    assert tags.count("svg") == 2
    assert tags.count("table") == 2
    assert FIXED_COST in page
    assert REASONS["pagerank"] not in page  # both are as fast
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
    assert FIXED_COST not in costs
    assert "more than 1.5 times the lower one" in page


def test_the_page_contains_the_rows(page, comparison, tmp_path):
    (inside,) = re.findall(r'<script type="application/json" id="rows">(.*?)</script>', page)
    assert json.loads(inside) == list(comparison)
    (data,) = re.findall(r'href="data:application/x-ndjson;base64,([^"]+)"', page)
    (tmp_path / "rows.jsonl").write_bytes(base64.b64decode(data))
    assert Comparison.from_jsonl(tmp_path / "rows.jsonl") == comparison


def test_the_page_of_libraries_alone_has_no_heat_map(tmp_path):
    Comparison([row("one", "peer"), row("two", "peer")]).to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "The algebra alone" not in page
    assert page.count("<svg") == 1  # the times
    assert title_of_heat_map(grid([])) == "No times of the algebra"


def test_the_page_of_several_graphs(tmp_path):
    both = Comparison([row(), row(graph="grid:4")])
    both.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert text.count("<svg") == 3
    assert "bfs on kron:6, grid:4" in text


def test_the_page_opens_with_conclusions_and_the_heat_map_and_hides_the_rows(page, comparison):
    at = [page.index(sentence) for sentence in comparison.conclusions()]
    at += [page.index("<svg"), page.index("<table"), page.index("<details>"), page.rindex("<table")]
    assert at == sorted(at)
    hidden = page[page.index("<details>") :]
    for part in ('id="rows"', "rows.jsonl", "quartiles ms", "numba 0.60"):
        assert part in hidden
        assert part not in page[: page.index("<details>")]


def test_a_title_of_many_graphs_counts_them():
    rows = [row(graph=f"g{k}") for k in range(9)]
    assert title(rows) == "bfs on 9 graphs"
    assert title([]) == "no algorithms on no graphs"
