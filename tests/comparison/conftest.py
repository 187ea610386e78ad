"""Fixtures of the comparison tests: rows of every outcome, and the HTML page made of them."""

from __future__ import annotations

import gc

import pytest

from graphla.comparison import measure
from graphla.comparison.result import Comparison
from tests.comparison.rows import rows_of_every_outcome


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    """Remove the pauses before calls: these tests do not measure times."""
    monkeypatch.setattr(measure, "PAUSE", 0)
    monkeypatch.setattr(measure, "WARM", 0)


@pytest.fixture
def no_garbage_collection(monkeypatch):
    """Skip explicit garbage collections: these tests do not measure memory."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


@pytest.fixture
def comparison():
    return Comparison(rows_of_every_outcome())


@pytest.fixture
def page(comparison, tmp_path):
    comparison.to_html(tmp_path / "page.html")
    return (tmp_path / "page.html").read_text(encoding="utf-8")
