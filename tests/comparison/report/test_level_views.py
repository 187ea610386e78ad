"""Levels of searches as tables, frames and plots."""

from __future__ import annotations

import sys

import pytest

import graphla as gl
from graphla.errors import MissingPackage


def test_tables(push_and_pull):
    view = push_and_pull[1]
    text, html = repr(view), view._repr_html_()
    for part in (*map("{:,}".format, view.frontier), "push", "pull", "whole search"):
        assert part in text
        assert part in html
    assert html.count("<tr>") == len(view.frontier) + 1
    frame = view.to_pandas()
    assert len(frame) == 2 * len(view.frontier)
    native_rows = frame[frame["implementation"] == "native"]
    assert native_rows["edges"].tolist() == view.native.edges


def test_a_data_frame_without_pandas(push_and_pull, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage):
        push_and_pull[1].to_pandas()


def test_a_table_of_many_levels_omits_the_middle(tmp_path):
    view = gl.compare_levels(gl.generate.path(100), 0, trials=1)
    assert len(view.frontier) == 100
    assert len(repr(view).splitlines()) < 45
    assert "│    99 │" in repr(view)
    view.plot(tmp_path / "levels.svg")
    assert (tmp_path / "levels.svg").stat().st_size > 1000


def test_the_plot_marks_directions(push_and_pull):
    times, edges = push_and_pull[1].plot().axes
    hollow = [line for line in times.lines if line.get_markerfacecolor() == "none"]
    pulls = sum(side.direction.count("pull") for side in push_and_pull[1][1:])
    assert sum(len(line.get_xdata()) for line in hollow if line.get_marker() != "None") == pulls
    assert edges.get_ylim()[0] == 0
