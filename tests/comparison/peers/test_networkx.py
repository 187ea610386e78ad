"""All algorithms of NetworkX are verified on small graphs."""

from __future__ import annotations

import pytest

from graphla.comparison.peers import networkx
from tests.comparison.peers.verified import (
    check_main_algorithms,
    check_negative_weights,
    verification,
)

test_results_are_verified = verification("networkx")


@pytest.mark.thorough
def test_negative_weights_are_refused_or_right():
    check_negative_weights("networkx")


def test_main_algorithms():
    check_main_algorithms("networkx")


class Large:
    """A graph of a million vertices, as far as refusals look."""

    n, nedges, kind, weighted = 2**20, 15_000_000, "undirected", False
    A = type("A", (), {"nvals": 30_000_000})


def test_long_calls_are_refused():
    assert networkx.slow(Large, 2e-5) == "would take about 10 minutes: 20 us an edge"
    assert networkx.slow(Large, 1e-6) is None
    larger = type("Larger", (Large,), {"nedges": 150_000_000})
    assert "60 GB" in networkx.slow(larger, 1e-6)
