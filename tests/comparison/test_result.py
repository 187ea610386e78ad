"""Comparison: the sequence of rows, ratios, tables, files."""

from __future__ import annotations

import json
import sys

import pytest

from graphla.comparison.result import Comparison
from graphla.errors import InvalidValue, MissingPackage, ReadError
from tests.comparison.rows import row, rows_of_every_outcome


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


def test_conclusions_in_every_representation(comparison, tmp_path):
    comparison.to_html(tmp_path / "page.html")
    first, *_ = comparison.conclusions()
    assert first.startswith("By hand is typically 1.4 times faster than the algebra")
    for text in (repr(comparison), comparison._repr_html_(), (tmp_path / "page.html").read_text()):
        assert first in text


def test_a_data_frame(comparison):
    frame = comparison.to_pandas()
    assert frame["implementation"].tolist() == [r["implementation"] for r in comparison]
    assert frame["trials_s"][0] == comparison[0]["trials_s"]


def test_a_data_frame_without_pandas(comparison, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match="pip install"):
        comparison.to_pandas()


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
