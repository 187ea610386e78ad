"""Comparison: the sequence of rows, ratios, tables, files."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest
from rich.console import Console

from graphla.comparison.report import table
from graphla.comparison.result import Comparison
from graphla.errors import InvalidValue, MissingPackage, ReadError
from tests.comparison.reader import Reader
from tests.comparison.rows import row, rows_of_every_outcome

# ---- the sequence


def test_an_immutable_sequence_of_rows(comparison):
    assert len(comparison) == 8
    assert comparison[1]["implementation"] == "native"
    assert [r["implementation"] for r in comparison[:2]] == ["graphla", "native"]
    for copies in (comparison.rows, list(comparison), [comparison[0]]):
        copies[0]["trials_s"].append(99.0)
        copies[0]["graph"] = "other"
    assert comparison[0]["trials_s"] == row()["trials_s"]
    assert comparison[0]["graph"] == "kron:6"
    with pytest.raises(AttributeError):
        comparison.rows = ()


def test_given_rows_are_copied():
    rows = rows_of_every_outcome()
    comparison = Comparison(rows)
    rows[0]["trials_s"].clear()
    assert comparison[0]["trials_s"]
    assert "comparison" not in rows[0]


def test_missing_fields_are_refused():
    with pytest.raises(InvalidValue, match=r"row 1 .* no family, trials_s"):
        Comparison([row(), {k: v for k, v in row().items() if k not in ("family", "trials_s")}])


def test_failed(comparison):
    assert [r["implementation"] for r in comparison.failed] == ["wrong"]
    assert Comparison([row(verified=False, trials=(), skipped="no room")]).failed == ()


def test_concatenation():
    one, two = Comparison([row()]), Comparison([row("native", "native")])
    both = one + two
    assert both.rows == one.rows + two.rows
    assert both != one
    with pytest.raises(TypeError):
        one + 3


def test_an_empty_comparison(tmp_path):
    none = Comparison()
    assert none.ratios() == {}
    assert "0 rows" in repr(none)
    none.plot()
    none.to_html(tmp_path / "none.html")
    none.to_jsonl(tmp_path / "none.jsonl")
    assert Comparison.from_jsonl(tmp_path / "none.jsonl") == none


# ---- ratios


def test_ratios_are_medians_of_pairs_and_not_ratios_of_medians(comparison):
    ratio = comparison.ratios()["kron:6", "bfs", "native"]
    pairs = np.array([0.001, 0.0015, 0.0015]) / np.array([0.002, 0.004, 0.003])
    assert ratio[:3] == pytest.approx(np.percentile(pairs, [50, 25, 75]))
    assert (ratio.pairs, ratio.to, ratio.alike) == (3, "graphla", True)


def test_ratios_over_the_shorter_length_and_of_unlike_results(comparison):
    ratio = comparison.ratios()["kron:6", "bfs", "levels only"]
    assert ratio.pairs == 2
    assert ratio.median == pytest.approx((3 + 1.5) / 2)
    assert not ratio.alike


def test_no_ratio_without_trials(comparison):
    ratios = comparison.ratios()
    assert {name for _, _, name in ratios} == {"graphla", "native", "levels only", "beyond"}


def test_ratios_to_an_implementation_or_the_fastest_of_a_family(comparison):
    assert comparison.ratios("native")["kron:6", "bfs", "native"].median == 1
    assert comparison.ratios("graphla") == comparison.ratios()
    assert comparison.ratios("peer")["kron:6", "bfs", "native"].to == "beyond"
    assert ("kron:6", "pagerank", "native") not in comparison.ratios("peer")
    assert comparison.ratios("wrong") == {}


def test_ratios_to_an_unknown_implementation(comparison):
    with pytest.raises(InvalidValue, match=r"'lagraph' is not one of .*graphla"):
        comparison.ratios("lagraph")


def test_trials_of_two_comparisons_are_not_paired():
    alone = Comparison([row()]) + Comparison([row("native", "native")])
    assert set(alone.ratios()) == {("kron:6", "bfs", "graphla")}


def test_graphs_with_other_weights_are_not_paired():
    rows = [row(), row("native", "native", fingerprint="other")]
    assert set(Comparison(rows).ratios()) == {("kron:6", "bfs", "graphla")}


def test_ratios_with_wide_quartiles_are_too_noisy():
    trials = (1.0, 2.0, 3.0, 4.0)
    for other, noisy in (
        ((1.0, 2.0, 3.0, 4.0), False),
        ((1.0, 2.0, 2.0, 2.0), True),  # quartiles 1 and 1.625
        ((1.0, 1.0, 3.0, 3.0), False),  # 1 and 1.5: a factor of 1.5 is allowed
        ((1.0, 1.0, 3.0, 0.1), True),
    ):
        rows = [row(trials=trials), row("native", "native", other)]
        for to, name in (("graphla", "native"), ("native", "graphla")):
            ratio = Comparison(rows).ratios(to)["kron:6", "bfs", name]
            assert ratio.noisy == noisy, (to, other)
            assert (ratio.conclusion() == "too noisy to conclude") == noisy


def test_ratios_of_a_busy_machine_are_too_noisy():
    for share, noisy in ((None, False), (0.25, False), (0.26, True)):
        rows = [row(foreign_cpu_share=share), row("native", "native", foreign_cpu_share=share)]
        ratio = Comparison(rows).ratios()["kron:6", "bfs", "native"]
        assert ratio.noisy == noisy
        assert (ratio.median, ratio.foreign_cpu_share) == (1, share)
        assert ("too noisy to conclude: native" in repr(Comparison(rows))) == noisy


def test_a_table_omits_noisy_ratios():
    rows = [row(trials=(1.0, 2.0, 3.0)), row("native", "native", (1.0, 0.2, 9.0))]
    for text in (repr(Comparison(rows)), Comparison(rows)._repr_html_()):
        assert "too noisy to conclude" in text
        assert "1.00 (0.55 to 2.00)" not in text
        assert "too noisy to conclude: native, bfs on kron:6: quartiles of the ratio" in text
        assert "0.55 and 2.00, 2% of the cores" in text
        assert "1.00 (1.00 to 1.00)" in text


# ---- tables


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
        assert "5% of the cores" in head
        assert "time during sssp on kron:6 (48%)" in head
        assert "The machine was not quiet before sssp on kron:6 (10.2 s)" in head


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
        "1.00 (1.00 to 1.00)",
        "yes",
        "500",
    ):
        assert part in lines["graphla"]
    assert "0.50 (0.44 to 0.50)" in lines["native"]
    assert "2.25 (1.88 to 2.62) *" in lines["levels only"]
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
    for part in ("0.50 (0.44 to 0.50)", "FAILED", "native"):
        assert part in text


def test_no_ratio_without_an_algebraic_row():
    text = repr(Comparison([row("native", "native")]))
    assert "1.00 (" not in text


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


def test_a_data_frame(comparison):
    frame = comparison.to_pandas()
    assert frame["implementation"].tolist() == [r["implementation"] for r in comparison]
    assert frame["trials_s"][0] == comparison[0]["trials_s"]


def test_a_data_frame_without_pandas(comparison, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match="pip install"):
        comparison.to_pandas()


# ---- files


def test_rows_are_read_back_from_a_file(comparison, tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    comparison.to_jsonl(path)
    assert Comparison.from_jsonl(path) == comparison
    before = path.read_bytes()
    more = Comparison([row("native", "native")])
    more.to_jsonl(path)
    assert path.read_bytes().startswith(before)
    assert Comparison.from_jsonl(path) == comparison + more


def test_rows_without_identifiers_are_paired_by_date(tmp_path):
    path = tmp_path / "rows.jsonl"
    later = row("native", "native", date="2027-01-01T00:00:00+00:00", graph="g")
    rows = [row(), row("native", "native"), row(graph="g"), later]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert set(Comparison.from_jsonl(path).ratios()) == {
        ("kron:6", "bfs", "graphla"), ("kron:6", "bfs", "native"), ("g", "bfs", "graphla"),
    }  # fmt: skip


@pytest.mark.parametrize("line", ["{", "[1]", "3", '{"graph": "g"}', ""])
def test_a_line_that_is_not_a_row(tmp_path, line):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row()) + "\n" + line + "\n")
    with pytest.raises(ReadError, match=r"rows.jsonl:2"):
        Comparison.from_jsonl(path)
