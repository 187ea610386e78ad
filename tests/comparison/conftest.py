"""What tests of a comparison share: rows of every kind, and their page."""

from __future__ import annotations

import gc

import pytest

from graphla.comparison import measure
from graphla.comparison.result import Comparison
from tests.comparison.rows import every_kind


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch):
    """No pause before a call: no time is judged here."""
    monkeypatch.setattr(measure, "PAUSE", 0)
    monkeypatch.setattr(measure, "WARM", 0)


@pytest.fixture
def uncollected(monkeypatch):
    """Leave garbage until Python collects it: no memory is judged here."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


@pytest.fixture
def comparison():
    return Comparison(every_kind())


@pytest.fixture
def page(comparison, tmp_path):
    comparison.to_html(tmp_path / "page.html")
    return (tmp_path / "page.html").read_text(encoding="utf-8")
