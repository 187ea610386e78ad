"""Fixtures of several tests of centralities."""

from __future__ import annotations

import pytest

from graphla.algorithms._shared import path_counts
from graphla.algorithms.centrality import (
    betweenness_centrality,
    betweenness_centrality_weighted,
)


@pytest.fixture
def narrow_bands(monkeypatch):
    """Bands for path counts up to 2^100, of which small graphs need several."""
    for module in (betweenness_centrality, betweenness_centrality_weighted):
        monkeypatch.setattr(module, "FIRST", 2.0**-50)
        monkeypatch.setattr(module, "PEAK", 2.0**50)
    monkeypatch.setattr(path_counts, "PEAK", 2.0**50)
    monkeypatch.setattr(path_counts, "STEP_UP", 2.0**-60)
