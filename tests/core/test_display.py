"""The progress bar, and HTML tables."""

from __future__ import annotations

import inspect

import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.core.display import Progress, html_table
from tests.graphs import random_graph


def parameters(name):
    return inspect.signature(getattr(gl, name)).parameters


def test_progress_is_silent_unless_asked_for(capsys):
    with Progress(False, "work") as bar:
        bar.step()
    assert capsys.readouterr().err == ""
    with Progress(True, "work", total=3) as bar:
        bar.step(3)
    assert "work" in capsys.readouterr().err


def test_a_bar_without_an_estimate_names_its_steps(capsys):
    with Progress(True, "work", total=3, estimate=False) as bar:
        bar.set_label("the first step")
        bar.step()
    shown = capsys.readouterr().err
    assert "the first step" in shown
    assert "1/3" in shown
    assert "it/s" not in shown
    assert "<" not in shown  # elapsed<remaining


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if "progress" in parameters(n)])
def test_the_bar_of_an_algorithm_changes_nothing(name, capsys):
    G = random_graph(300, 900, kind="undirected", dtype="int32")
    start = {None: None, "vertex": 0, "vertices": [0, 1]}[ALGORITHMS[name].start]
    silent, shown = (ALGORITHMS[name](G, start, progress=p) for p in (False, True))
    assert name.replace("_", " ").split()[0] in capsys.readouterr().err
    assert ALGORITHMS[name].summarize(silent) == ALGORITHMS[name].summarize(shown)


def test_every_iterative_algorithm_has_a_bar():
    without = {n for n in ALGORITHMS if "progress" not in parameters(n)}
    assert without == {"triangle_count", "triangles", "clustering_coefficient"}  # one product


def test_tables_escape_their_texts():
    plain = html_table([("<n>", "1 & 2")], caption="a < b")
    assert plain == (
        "<table><caption>a &lt; b</caption><tr><th>&lt;n&gt;</th><td>1 &amp; 2</td></tr></table>"
    )
    headed = html_table([("x", "1")], ("name", "value"), numbers={"value"})
    assert headed == (
        '<table><thead><tr><th>name</th><th class="number">value</th></tr></thead>'
        '<tbody><tr><td>x</td><td class="number">1</td></tr></tbody></table>'
    )
