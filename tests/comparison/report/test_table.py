"""The tables of a comparison: text, terminal, HTML."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from graphla.comparison.pairs import timing
from graphla.comparison.report import table
from graphla.comparison.result import Comparison
from tests.comparison.reader import Reader
from tests.comparison.rows import row, rows_of_every_outcome


def test_a_table_omits_noisy_ratios():
    rows = [row(trials=(1.0, 2.0, 3.0)), row("native", "native", (1.0, 0.2, 9.0))]
    for text in (repr(Comparison(rows)), Comparison(rows)._repr_html_()):
        assert "too noisy to conclude" in text
        assert "as fast" not in text
        assert "too noisy to conclude: native, bfs on kron:6: quartiles of the ratio" in text
        assert "0.55 and 2.00, 2% of the cores" in text


def heads(rows):
    """Return what is above the table, as text and in HTML."""
    made = Comparison(rows)
    return repr(made).partition("Comparison:")[0], made._repr_html_().partition("<table>")[0]


def test_a_table_begins_with_the_load(comparison):
    for head in heads(rows_of_every_outcome()):
        assert "Load 0.50 before the trials; CPU time of other processes 2% (0.04 s)" in head
        assert "Busy" not in head
        assert "was not quiet" not in head
    assert repr(comparison[2:3]).startswith("Load 0.50")


def test_a_busy_machine_is_reported():
    busy = {"load": 7.25, "foreign_cpu_s": 3.0, "foreign_cpu_share": 0.48, "quiet": False}
    rows = [row(), row(algorithm="sssp", waited_s=10.2, **busy), row("native", "native")]
    for head in heads(rows):
        assert "Load 0.50 to 7.25" in head
        assert "2% to 48% (3.04 s)" in head
        assert "Busy machine: other processes took more than 25% of the cores" in head
        assert "time during sssp on kron:6 (48%)" in head
        assert "The machine was not quiet before sssp on kron:6 (10.2 s)" in head


def test_a_machine_with_some_other_load_is_not_called_busy():
    rows = [row(foreign_cpu_share=0.1), row(algorithm="sssp", foreign_cpu_share=0.3)]
    for head in heads(rows):
        busy, _, other = head.partition("Other processes took 5% to 25% of the cores")
        assert "more than 25% of the cores" in busy
        assert "during sssp on kron:6 (30%);" in busy
        assert "during bfs on kron:6 (10%); times can be somewhat too long" in other
    assert timing(rows[0]) == "steady"
    assert timing(rows[1]) == "busy machine"


def test_the_load_of_one_run_is_reported_once():
    one = [row(foreign_cpu_share=0.5), row(algorithm="sssp", foreign_cpu_share=0.5)]
    for head in heads(one):
        assert "50% (0.04 s)" in head
        assert "during bfs on kron:6, sssp on kron:6 (50%)" in head


def test_unknown_load():
    unknown = dict.fromkeys(("load", "foreign_cpu_s", "foreign_cpu_share", "quiet"))
    for head in heads([row(**unknown)]):
        assert "Load unknown before the trials; CPU time of other processes unknown" in head


def test_old_rows_have_no_load():
    old = {k: v for k, v in row().items() if k not in ("load", "quiet") and "foreign" not in k}
    for head in heads([old]):
        assert "Load" not in head


def test_the_plain_table(comparison):
    text = repr(comparison)
    lines = {line.split("│")[3].strip(): line for line in text.splitlines() if "│ bfs" in line}
    for part in (
        "2.00",
        "3.00",
        "2.50 to 3.50",
        "0.25",
        "3.0",
        "steady",
        "yes",
        "500",
    ):
        assert part in lines["graphla"]
    assert "2.0 times faster (2.0 to 2.3)" in lines["native"]
    assert "2.2 times slower (1.9 to 2.6) *" in lines["levels only"]
    assert table.UNLIKE in text
    assert "FAILED" in lines["wrong"]
    assert "skipped" in lines["absent"]
    assert "cannot judge" in lines["beyond"]
    assert "FAILED: wrong, bfs on kron:6: level of <b>3</b> & [red]4 differ" in text
    assert "skipped: absent, bfs on kron:6: beyond the budget of 60 s" in text
    assert "\x1b" not in text


def test_the_table_on_a_terminal(comparison):
    console = Console(width=220, force_terminal=True, color_system="truecolor", record=True)
    with console.capture() as captured:
        console.print(comparison)
    assert "\x1b[1;31mFAILED" in captured.get()


@pytest.mark.parametrize("width", [80, 110, 140, 220])
def test_a_narrow_terminal_leaves_columns_out_and_cuts_no_number(comparison, width):
    lines = table.plain_text(comparison, width).splitlines()
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert ("Too narrow for" in text) == (width < 170)
    assert "…" not in text
    for part in ("2.0 times faster", "FAILED", "native"):
        assert part in text


def test_no_ratio_without_an_algebraic_row():
    text = repr(Comparison([row("native", "native")]))
    assert "as fast" not in text


def test_disturbed_times_are_marked_in_their_rows():
    busy = row("busy", "peer", (2.0, 2.0, 2.0), foreign_cpu_share=0.6)
    spread = row("spread", "peer", (1.0, 2.0, 40.0))
    comparison = Comparison([row(trials=(2.0, 2.0, 2.0)), busy, spread])
    lines = {
        line.split("│")[3].strip(): line
        for line in repr(comparison).splitlines()
        if "│ bfs" in line
    }
    assert "steady" in lines["graphla"]
    assert "busy machine" in lines["busy"]
    assert "wide spread" in lines["spread"]
    narrow = table.plain_text(comparison, 80)
    for text in (narrow, comparison._repr_html_()):
        assert "steady" in text
        assert "busy" in text
        assert "times can be many times too long" in " ".join(text.split())


def test_many_noisy_ratios_are_counted():
    rows = []
    for k in range(table.SHOWN + 2):
        rows += [row(graph=f"g{k}"), row("native", "native", (1.0, 0.2, 9.0), graph=f"g{k}")]
    assert table.notes(rows)[-1] == "too noisy to conclude: 2 more"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0, "0"), (1.23456e-6, "0.00123"), (0.0123456, "12.3"), (12.3456, "12,346")],
)
def test_milliseconds(seconds, text):
    assert table.milliseconds(seconds) == text


def test_html_is_escaped_and_well_formed(comparison):
    html = comparison._repr_html_()
    Reader(html)
    assert "level of &lt;b&gt;3&lt;/b&gt; &amp; [red]4 differ" in html
    assert "<b>" not in html
    assert html.count("<tr>") == 9
    injected = Comparison([row("<script>x</script>", graph='"<i>', error="<img src=x>")])
    assert not re.search(r"<(script|i|img)\b", injected._repr_html_())


def test_repr_in_a_notebook(comparison, monkeypatch):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", None)
    assert "Comparison: 8 rows" in repr(comparison)
