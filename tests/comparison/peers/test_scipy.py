"""All algorithms of SciPy are verified on small graphs."""

from __future__ import annotations

import pytest

from graphla.comparison.peers import scipy
from tests.comparison.peers.verified import (
    check_main_algorithms,
    check_negative_weights,
    verification,
)

test_results_are_verified = verification("scipy")


@pytest.mark.thorough
def test_negative_weights_are_refused_or_right():
    check_negative_weights("scipy")


def test_main_algorithms():
    check_main_algorithms("scipy")


def test_a_search_that_does_not_stop_early_is_refused():
    G = type("Large", (), {"n": 2**20, "nedges": 15_000_000, "kind": "undirected"})
    G.A = type("A", (), {"nvals": 30_000_000})
    G.weighted = False
    bellman_ford = next(i for i in scipy.IMPLEMENTATIONS if i.algorithm == "bellman_ford")
    assert "does not stop early" in bellman_ford.refuses(G)
