"""Fixtures of the comparison tests: rows of every outcome, their HTML page, levels of a search."""

from __future__ import annotations

import gc

import pytest

import graphla as gl
from graphla.comparison import measure
from graphla.comparison.result import Comparison
from tests.comparison.rows import rows_of_every_outcome
from tests.graphs import random_graph


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


@pytest.fixture(scope="module")
def push_and_pull():
    """A graph on which both searches push and pull, and its levels."""
    G = random_graph(4000, 40000, kind="undirected", seed=2)
    return G, gl.compare_levels(G, 0, trials=2)
