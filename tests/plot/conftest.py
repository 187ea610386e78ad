"""Figures without a display, closed after each test."""

from __future__ import annotations

import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def closed():
    pyplot.switch_backend("Agg")
    yield
    pyplot.close("all")
